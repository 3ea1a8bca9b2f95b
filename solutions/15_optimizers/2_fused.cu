/* SPDX-License-Identifier: MIT */
/** @file
 *  Optimisers, step 2: one kernel a step; each buffer is read once and
 *  written once, an element at a time. */
#include "block.h"

/** A thread owns an element.  Grid ceil(n / 256). */
__global__ void sgd_elements(struct update u, struct sgd how)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const float scale = scale_of(u);

    if (i >= u.n || isnan(scale)) return;
    float param = u.d_params[i];
    float velocity = how.momentum > 0 ? u.d_first[i] : 0;
    float grad = scale * u.d_grads[i]
                 + decay_of(u, i, how.weight_decay, param);
    u.d_params[i] = sgd_one(param, grad, &velocity, how, *u.d_rate);
    if (how.momentum > 0) u.d_first[i] = velocity;
}

int sgd_step(const struct update *u, const struct sgd *how)
{
    if (!sgd_ok(u, how)) return cudaErrorInvalidValue;
    if (u->n == 0) return cudaSuccess;
    sgd_elements<<<(unsigned)tiles_for(u->n, THREADS), THREADS>>>(*u, *how);
    return CUDA_CHECK(cudaGetLastError());
}

/** A thread owns an element.  Grid ceil(n / 256). */
__global__ void adam_elements(struct update u, struct adam how)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const float scale = scale_of(u);

    if (i >= u.n || isnan(scale)) return;
    float param = u.d_params[i], first = u.d_first[i], second = u.d_second[i];
    float decay = decay_of(u, i, how.weight_decay, param);
    u.d_params[i] = adam_one(param, scale * u.d_grads[i], &first, &second,
                             decay, how, now(u, how));
    u.d_first[i] = first;
    u.d_second[i] = second;
}

int adam_step(const struct update *u, const struct adam *how)
{
    if (!adam_ok(u, how)) return cudaErrorInvalidValue;
    if (u->n == 0) return cudaSuccess;
    adam_elements<<<(unsigned)tiles_for(u->n, THREADS), THREADS>>>(*u, *how);
    return CUDA_CHECK(cudaGetLastError());
}

/** A block leaves the sum of its share's squares. */
__global__ void sum_squares(const float *grads, float *work, size_t n)
{
    float squares = block_squares(grads, n);

    if (threadIdx.x == 0) work[blockIdx.x] = squares;
}

/** One block adds up what `count` blocks left. */
__global__ void finish_norm(float *norm, const float *work, unsigned count,
                            float most)
{
    float sum = 0;

    for (unsigned i = threadIdx.x; i < count; i += THREADS)
        sum += work[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) put_norm(norm, sum, most);
}

int clip_norm(const float *d_grads, size_t n, float most, float *d_norm,
              float *d_work)
{
    unsigned blocks = 0;
    cudaError_t err;

    if (!(most > 0)) return cudaErrorInvalidValue;
    err = norm_blocks(&blocks, n);
    if (err) return err;
    sum_squares<<<blocks, THREADS>>>(d_grads, d_work, n);
    finish_norm<<<1, THREADS>>>(d_norm, d_work, blocks, most);
    return CUDA_CHECK(cudaGetLastError());
}
