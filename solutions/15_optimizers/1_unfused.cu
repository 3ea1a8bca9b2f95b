/* SPDX-License-Identifier: MIT */
/** @file
 *  Optimizers, step 1: one kernel for each line of the formula. */
#include "update_rules.h"

/** The element of this thread. */
__device__ static inline size_t thread_element(void)
{
    return (size_t)blockIdx.x * THREADS + threadIdx.x;
}

/** Number of blocks with one element per thread. */
static inline unsigned blocks_for(size_t n)
{
    return (unsigned)ceil_div(n, THREADS);
}

/** Gradient i with gradient scale and weight decay. */
__device__ static inline float decayed_grad(const struct update &u, size_t i,
                                            float weight_decay)
{
    return scale_of(u) * u.d_grads[i]
           + weight_decay_term(u, i, weight_decay, u.d_params[i]);
}

/** A thread owns an element: v = momentum * v + g.  Grid ceil(n / 256), as for
 *  all kernels here. */
__global__ void update_velocity(struct update u, struct sgd config)
{
    size_t i = thread_element();

    if (i < u.n && !isnan(scale_of(u)))
        u.d_moment1[i] = config.momentum * u.d_moment1[i]
                       + decayed_grad(u, i, config.weight_decay);
}

/** A thread owns an element: p = p - rate * step direction from g and v. */
__global__ void sgd_update(struct update u, struct sgd config)
{
    size_t i = thread_element();

    if (i >= u.n || isnan(scale_of(u))) return;
    float grad = decayed_grad(u, i, config.weight_decay);
    if (config.nesterov)
        grad += config.momentum * u.d_moment1[i];
    else if (config.momentum > 0)
        grad = u.d_moment1[i];
    u.d_params[i] -= *u.d_learning_rate * grad;
}

int sgd_step(const struct update *u, const struct sgd *config)
{
    if (!is_valid_sgd(u, config)) return cudaErrorInvalidValue;
    if (u->n == 0) return cudaSuccess;
    if (config->momentum > 0)
        update_velocity<<<blocks_for(u->n), THREADS>>>(*u, *config);
    sgd_update<<<blocks_for(u->n), THREADS>>>(*u, *config);
    return CUDA_CHECK(cudaGetLastError());
}

/** A thread owns an element: m = beta1 * m + (1 - beta1) * g. */
__global__ void first_moment(struct update u, struct adam config)
{
    size_t i = thread_element();
    float decay = config.decoupled ? 0 : config.weight_decay;

    if (i < u.n && !isnan(scale_of(u)))
        u.d_moment1[i] = config.beta1 * u.d_moment1[i]
                       + (1 - config.beta1) * decayed_grad(u, i, decay);
}

/** A thread owns an element: v = beta2 * v + (1 - beta2) * g * g. */
__global__ void second_moment(struct update u, struct adam config)
{
    size_t i = thread_element();

    if (i >= u.n || isnan(scale_of(u))) return;
    float grad = decayed_grad(u, i, config.decoupled ? 0 : config.weight_decay);
    u.d_moment2[i] = config.beta2 * u.d_moment2[i]
                    + (1 - config.beta2) * grad * grad;
}

/** A thread owns an element: AdamW's p = p - rate * weight_decay * p. */
__global__ void decay_weights(struct update u, struct adam config)
{
    size_t i = thread_element();

    if (i < u.n && !isnan(scale_of(u)))
        u.d_params[i] -= *u.d_learning_rate
                         * weight_decay_term(u, i, config.weight_decay,
                                             u.d_params[i]);
}

/** A thread owns an element: the last line of the formula. */
__global__ void adam_update(struct update u, struct adam config)
{
    size_t i = thread_element();

    if (i < u.n && !isnan(scale_of(u)))
        u.d_params[i] =
            adam_update_param(u.d_params[i], u.d_moment1[i], u.d_moment2[i],
                              config, get_adam_factors(u, config));
}

int adam_step(const struct update *u, const struct adam *config)
{
    const unsigned blocks = blocks_for(u->n);

    if (!is_valid_adam(u, config)) return cudaErrorInvalidValue;
    if (u->n == 0) return cudaSuccess;
    first_moment<<<blocks, THREADS>>>(*u, *config);
    second_moment<<<blocks, THREADS>>>(*u, *config);
    if (config->decoupled) decay_weights<<<blocks, THREADS>>>(*u, *config);
    adam_update<<<blocks, THREADS>>>(*u, *config);
    return CUDA_CHECK(cudaGetLastError());
}

/** A block sums 256 elements, or their squares, with a tree.
 *
 *  Grid ceil(n / 256), 1,024 bytes of shared memory; a barrier before each
 *  round separates its loads from the stores of the round before.
 */
__global__ void block_sum_kernel(const float *in, float *out, size_t n,
                                 int squared)
{
    __shared__ float s_sum[THREADS];
    size_t i = thread_element();
    float value = i < n ? in[i] : 0;

    s_sum[threadIdx.x] = squared ? value * value : value;
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) s_sum[threadIdx.x] += s_sum[threadIdx.x + half];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s_sum[0];
}

/** One thread: the norm from the sum. */
__global__ void finish_norm(float *norm, const float *squares, float max_norm)
{
    store_norm(norm, *squares, max_norm);
}

int clip_grad_norm(const float *d_grads, size_t n, float max_norm,
                   float *d_norm, float *d_work)
{
    size_t left = ceil_div(n, THREADS), at = 0;

    if (!(max_norm > 0)) return cudaErrorInvalidValue;
    if (left == 0) left = 1;
    block_sum_kernel<<<(unsigned)left, THREADS>>>(d_grads, d_work, n, 1);
    while (left > 1) { /* each pass writes behind the values that it reads */
        size_t next = ceil_div(left, THREADS);
        block_sum_kernel<<<(unsigned)next, THREADS>>>(
            d_work + at, d_work + at + left, left, 0);
        at += left;
        left = next;
    }
    finish_norm<<<1, 1>>>(d_norm, d_work + at, max_norm);
    return CUDA_CHECK(cudaGetLastError());
}
