/* SPDX-License-Identifier: MIT */
/** @file
 *  Optimizers, step 2: one kernel for each step; each buffer is loaded once and
 *  stored once, one element at a time. */
#include "block_sum.h"

/** A thread owns an element.  Grid ceil(n / 256). */
__global__ void sgd_elements(struct update u, struct sgd config)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const float scale = scale_of(u);

    if (i >= u.n || isnan(scale)) return;
    float param = u.d_params[i];
    float velocity = config.momentum > 0 ? u.d_moment1[i] : 0;
    float grad = scale * u.d_grads[i]
                 + weight_decay_term(u, i, config.weight_decay, param);
    u.d_params[i] =
        sgd_update_param(param, grad, &velocity, config, *u.d_learning_rate);
    if (config.momentum > 0) u.d_moment1[i] = velocity;
}

int sgd_step(const struct update *u, const struct sgd *config)
{
    if (!is_valid_sgd(u, config)) return cudaErrorInvalidValue;
    if (u->n == 0) return cudaSuccess;
    sgd_elements<<<(unsigned)ceil_div(u->n, THREADS), THREADS>>>(*u, *config);
    return CUDA_CHECK(cudaGetLastError());
}

/** A thread owns an element.  Grid ceil(n / 256). */
__global__ void adam_elements(struct update u, struct adam config)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const float scale = scale_of(u);

    if (i >= u.n || isnan(scale)) return;
    float param = u.d_params[i], first = u.d_moment1[i],
          second = u.d_moment2[i];
    float decay = weight_decay_term(u, i, config.weight_decay, param);
    u.d_params[i] =
        adam_step_param(param, scale * u.d_grads[i], &first, &second, decay,
                        config, get_adam_factors(u, config));
    u.d_moment1[i] = first;
    u.d_moment2[i] = second;
}

int adam_step(const struct update *u, const struct adam *config)
{
    if (!is_valid_adam(u, config)) return cudaErrorInvalidValue;
    if (u->n == 0) return cudaSuccess;
    adam_elements<<<(unsigned)ceil_div(u->n, THREADS), THREADS>>>(*u, *config);
    return CUDA_CHECK(cudaGetLastError());
}

/** A block stores the sum of the squares of its elements. */
__global__ void sum_squares(const float *grads, float *work, size_t n)
{
    float squares = block_sum_squares(grads, n);

    if (threadIdx.x == 0) work[blockIdx.x] = squares;
}

/** One block adds the sums of `count` blocks. */
__global__ void finish_norm(float *norm, const float *work, unsigned count,
                            float max_norm)
{
    float sum = 0;

    for (unsigned i = threadIdx.x; i < count; i += THREADS)
        sum += work[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) store_norm(norm, sum, max_norm);
}

int clip_grad_norm(const float *d_grads, size_t n, float max_norm,
                   float *d_norm, float *d_work)
{
    unsigned blocks = 0;
    cudaError_t err;

    if (!(max_norm > 0)) return cudaErrorInvalidValue;
    err = blocks_for_norm(&blocks, n);
    if (err) return err;
    sum_squares<<<blocks, THREADS>>>(d_grads, d_work, n);
    finish_norm<<<1, THREADS>>>(d_norm, d_work, blocks, max_norm);
    return CUDA_CHECK(cudaGetLastError());
}
