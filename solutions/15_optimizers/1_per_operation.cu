/* SPDX-License-Identifier: MIT */
/** @file
 *  Optimisers, step 1: a kernel for each line of the formula. */
#include "rules.h"

/** This thread's element. */
__device__ static inline size_t element(void)
{
    return (size_t)blockIdx.x * THREADS + threadIdx.x;
}

/** Blocks of one element a thread. */
static inline unsigned blocks_for(size_t n)
{
    return (unsigned)tiles_for(n, THREADS);
}

/** Gradient i with scale and decay. */
__device__ static inline float grad_of(const struct update &u, size_t i,
                                       float weight_decay)
{
    return scale_of(u) * u.d_grads[i]
           + decay_of(u, i, weight_decay, u.d_params[i]);
}

/** A thread owns an element: v = momentum * v + g.  Grid ceil(n / 256), as for
 *  all kernels here. */
__global__ void add_to_velocity(struct update u, struct sgd how)
{
    size_t i = element();

    if (i < u.n && !isnan(scale_of(u)))
        u.d_first[i] = how.momentum * u.d_first[i]
                       + grad_of(u, i, how.weight_decay);
}

/** A thread owns an element: p = p - rate * what SGD makes of g and v. */
__global__ void move_down(struct update u, struct sgd how)
{
    size_t i = element();

    if (i >= u.n || isnan(scale_of(u))) return;
    float grad = grad_of(u, i, how.weight_decay);
    if (how.nesterov)
        grad += how.momentum * u.d_first[i];
    else if (how.momentum > 0)
        grad = u.d_first[i];
    u.d_params[i] -= *u.d_rate * grad;
}

int sgd_step(const struct update *u, const struct sgd *how)
{
    if (!sgd_ok(u, how)) return cudaErrorInvalidValue;
    if (u->n == 0) return cudaSuccess;
    if (how->momentum > 0)
        add_to_velocity<<<blocks_for(u->n), THREADS>>>(*u, *how);
    move_down<<<blocks_for(u->n), THREADS>>>(*u, *how);
    return CUDA_CHECK(cudaGetLastError());
}

/** A thread owns an element: m = beta1 * m + (1 - beta1) * g. */
__global__ void first_moment(struct update u, struct adam how)
{
    size_t i = element();
    float decay = how.decoupled ? 0 : how.weight_decay;

    if (i < u.n && !isnan(scale_of(u)))
        u.d_first[i] = how.beta1 * u.d_first[i]
                       + (1 - how.beta1) * grad_of(u, i, decay);
}

/** A thread owns an element: v = beta2 * v + (1 - beta2) * g * g. */
__global__ void second_moment(struct update u, struct adam how)
{
    size_t i = element();

    if (i >= u.n || isnan(scale_of(u))) return;
    float grad = grad_of(u, i, how.decoupled ? 0 : how.weight_decay);
    u.d_second[i] = how.beta2 * u.d_second[i]
                    + (1 - how.beta2) * grad * grad;
}

/** A thread owns an element: AdamW's p = p - rate * weight_decay * p. */
__global__ void decay_params(struct update u, struct adam how)
{
    size_t i = element();

    if (i < u.n && !isnan(scale_of(u)))
        u.d_params[i] -= *u.d_rate
                         * decay_of(u, i, how.weight_decay, u.d_params[i]);
}

/** A thread owns an element: the last line. */
__global__ void move_params(struct update u, struct adam how)
{
    size_t i = element();

    if (i < u.n && !isnan(scale_of(u)))
        u.d_params[i] = adam_move(u.d_params[i], u.d_first[i], u.d_second[i],
                                  how, now(u, how));
}

int adam_step(const struct update *u, const struct adam *how)
{
    const unsigned blocks = blocks_for(u->n);

    if (!adam_ok(u, how)) return cudaErrorInvalidValue;
    if (u->n == 0) return cudaSuccess;
    first_moment<<<blocks, THREADS>>>(*u, *how);
    second_moment<<<blocks, THREADS>>>(*u, *how);
    if (how->decoupled) decay_params<<<blocks, THREADS>>>(*u, *how);
    move_params<<<blocks, THREADS>>>(*u, *how);
    return CUDA_CHECK(cudaGetLastError());
}

/** A block adds up 256 elements, squared first or as they are, by a tree.
 *
 *  Grid ceil(n / 256), 1,024 bytes of shared memory; a barrier before each
 *  round separates its reads from the last one's writes.
 */
__global__ void sum_block(const float *in, float *out, size_t n, int squared)
{
    __shared__ float s_sum[THREADS];
    size_t i = element();
    float value = i < n ? in[i] : 0;

    s_sum[threadIdx.x] = squared ? value * value : value;
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) s_sum[threadIdx.x] += s_sum[threadIdx.x + half];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s_sum[0];
}

/** One thread: from the sum to the norm. */
__global__ void finish_norm(float *norm, const float *squares, float most)
{
    put_norm(norm, *squares, most);
}

int clip_norm(const float *d_grads, size_t n, float most, float *d_norm,
              float *d_work)
{
    size_t left = tiles_for(n, THREADS), at = 0;

    if (!(most > 0)) return cudaErrorInvalidValue;
    if (left == 0) left = 1;
    sum_block<<<(unsigned)left, THREADS>>>(d_grads, d_work, n, 1);
    while (left > 1) { /* from one end of d_work to behind what is read */
        size_t next = tiles_for(left, THREADS);
        sum_block<<<(unsigned)next, THREADS>>>(d_work + at, d_work + at + left,
                                               left, 0);
        at += left;
        left = next;
    }
    finish_norm<<<1, 1>>>(d_norm, d_work + at, most);
    return CUDA_CHECK(cudaGetLastError());
}
