/* SPDX-License-Identifier: MIT */
/** @file
 *  Optimizers, step 3: float4 accesses; the norm in one launch. */
#include "block_sum.h"
#include "update_rules.h"

/** The weight decay of float4 i; the last decayed parameter may be within it.
 */
__device__ static inline float4 weight_decay_float4(const struct update &u,
                                                    size_t i,
                                                    float weight_decay,
                                                    float4 p)
{
    return make_float4(weight_decay_term(u, 4 * i, weight_decay, p.x),
                       weight_decay_term(u, 4 * i + 1, weight_decay, p.y),
                       weight_decay_term(u, 4 * i + 2, weight_decay, p.z),
                       weight_decay_term(u, 4 * i + 3, weight_decay, p.w));
}

/** SGD of float4 i. */
__device__ static inline void sgd_step_float4(const struct update &u, size_t i,
                                              const struct sgd &config,
                                              float scale, float rate)
{
    float4 p = ((const float4 *)u.d_params)[i];
    float4 g = ((const float4 *)u.d_grads)[i];
    float4 v = config.momentum > 0 ? ((const float4 *)u.d_moment1)[i]
                                : make_float4(0, 0, 0, 0);
    float4 d = weight_decay_float4(u, i, config.weight_decay, p);

    p.x = sgd_update_param(p.x, scale * g.x + d.x, &v.x, config, rate);
    p.y = sgd_update_param(p.y, scale * g.y + d.y, &v.y, config, rate);
    p.z = sgd_update_param(p.z, scale * g.z + d.z, &v.z, config, rate);
    p.w = sgd_update_param(p.w, scale * g.w + d.w, &v.w, config, rate);
    ((float4 *)u.d_params)[i] = p;
    if (config.momentum > 0) ((float4 *)u.d_moment1)[i] = v;
}

/** A thread owns every T-th float4 (T threads in the grid); the first three
 *  also own one element of the tail.
 *
 *  Any grid, block 256.  Each buffer is loaded once and stored once, 16 bytes
 *  per lane.
 */
__global__ void sgd_vectorized(struct update u, struct sgd config)
{
    const size_t t = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t vectors = u.n / 4, last = 4 * vectors + t;
    const float scale = scale_of(u), rate = *u.d_learning_rate;

    if (isnan(scale)) return;
    for (size_t i = t; i < vectors; i += (size_t)gridDim.x * THREADS)
        sgd_step_float4(u, i, config, scale, rate);
    if (last >= u.n) return;
    float param = u.d_params[last];
    float velocity = config.momentum > 0 ? u.d_moment1[last] : 0;
    float grad = scale * u.d_grads[last]
                 + weight_decay_term(u, last, config.weight_decay, param);
    u.d_params[last] = sgd_update_param(param, grad, &velocity, config, rate);
    if (config.momentum > 0) u.d_moment1[last] = velocity;
}

int sgd_step(const struct update *u, const struct sgd *config)
{
    if (!is_valid_sgd(u, config)) return cudaErrorInvalidValue;
    if (u->n == 0) return cudaSuccess;
    unsigned blocks = 0;
    cudaError_t err = grid_stride_blocks(&blocks, u->n / 4, THREADS);

    if (err) return err;
    sgd_vectorized<<<blocks, THREADS>>>(*u, *config);
    return CUDA_CHECK(cudaGetLastError());
}

/** Adam of float4 i. */
__device__ static inline void adam_step_float4(const struct update &u, size_t i,
                                               const struct adam &config,
                                               float scale,
                                               const struct adam_factors &at)
{
    float4 p = ((const float4 *)u.d_params)[i];
    float4 g = ((const float4 *)u.d_grads)[i];
    float4 m = ((const float4 *)u.d_moment1)[i];
    float4 v = ((const float4 *)u.d_moment2)[i];
    float4 d = weight_decay_float4(u, i, config.weight_decay, p);

    p.x = adam_step_param(p.x, scale * g.x, &m.x, &v.x, d.x, config, at);
    p.y = adam_step_param(p.y, scale * g.y, &m.y, &v.y, d.y, config, at);
    p.z = adam_step_param(p.z, scale * g.z, &m.z, &v.z, d.z, config, at);
    p.w = adam_step_param(p.w, scale * g.w, &m.w, &v.w, d.w, config, at);
    ((float4 *)u.d_params)[i] = p;
    ((float4 *)u.d_moment1)[i] = m;
    ((float4 *)u.d_moment2)[i] = v;
}

/** Elements and accesses as in sgd_vectorized; the powers are computed once per
 *  thread. */
__global__ void adam_vectorized(struct update u, struct adam config)
{
    const size_t t = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t vectors = u.n / 4, last = 4 * vectors + t;
    const float scale = scale_of(u);

    if (isnan(scale)) return;
    const struct adam_factors at = get_adam_factors(u, config);
    for (size_t i = t; i < vectors; i += (size_t)gridDim.x * THREADS)
        adam_step_float4(u, i, config, scale, at);
    if (last >= u.n) return;
    float param = u.d_params[last];
    float decay = weight_decay_term(u, last, config.weight_decay, param);
    u.d_params[last] =
        adam_step_param(param, scale * u.d_grads[last], &u.d_moment1[last],
                        &u.d_moment2[last], decay, config, at);
}

int adam_step(const struct update *u, const struct adam *config)
{
    if (!is_valid_adam(u, config)) return cudaErrorInvalidValue;
    if (u->n == 0) return cudaSuccess;
    unsigned blocks = 0;
    cudaError_t err = grid_stride_blocks(&blocks, u->n / 4, THREADS);

    if (err) return err;
    adam_vectorized<<<blocks, THREADS>>>(*u, *config);
    return CUDA_CHECK(cudaGetLastError());
}

/** Number of blocks that have stored their sum; the last one resets it to 0. */
__device__ static unsigned blocks_done;

/** A block stores the sum of the squares of its elements; the last block to
 *  finish adds all sums in the order of the block indices.
 *
 *  Any grid, block 256, 33 bytes of shared memory.  Each gradient is loaded
 *  once.  The fence before the atomic makes this block's sum visible to every
 *  block that reads the new count; the fence after it keeps the sums from being
 *  loaded earlier.
 */
__global__ void grad_norm_kernel(const float *__restrict__ grads, size_t n,
                                 float max_norm, float *norm,
                                 volatile float *work)
{
    __shared__ bool s_last;
    float sum = block_sum_squares(grads, n);

    if (threadIdx.x == 0) {
        work[blockIdx.x] = sum;
        __threadfence();
        s_last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!s_last) return;
    sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += THREADS)
        sum += work[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) store_norm(norm, sum, max_norm);
}

int clip_grad_norm(const float *d_grads, size_t n, float max_norm,
                   float *d_norm, float *d_work)
{
    if (!(max_norm > 0)) return cudaErrorInvalidValue;
    unsigned blocks = 0;
    cudaError_t err = blocks_for_norm(&blocks, n);

    if (err) return err;
    grad_norm_kernel<<<blocks, THREADS>>>(d_grads, n, max_norm, d_norm, d_work);
    return CUDA_CHECK(cudaGetLastError());
}
