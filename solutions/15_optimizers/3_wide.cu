/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Optimisers, step 3: four parameters at a time; the norm in one launch. */
#include "block.h"
// HANDOUT
// /** @file
//  *  Lab 15: from gradients to better parameters.  The contract is in
//  *  optimizers.h. */
// END SOLUTION
#include "rules.h"

// BEGIN SOLUTION
/** The decay of quad i's parameters; the last decayed one may lie within. */
__device__ static inline float4 decay_quad(const struct update &u, size_t i,
                                           float weight_decay, float4 p)
{
    return make_float4(decay_of(u, 4 * i, weight_decay, p.x),
                       decay_of(u, 4 * i + 1, weight_decay, p.y),
                       decay_of(u, 4 * i + 2, weight_decay, p.z),
                       decay_of(u, 4 * i + 3, weight_decay, p.w));
}

/** SGD of quad i. */
__device__ static inline void sgd_quad(const struct update &u, size_t i,
                                       const struct sgd &how, float scale,
                                       float rate)
{
    float4 p = ((const float4 *)u.d_params)[i];
    float4 g = ((const float4 *)u.d_grads)[i];
    float4 v = how.momentum > 0 ? ((const float4 *)u.d_first)[i]
                                : make_float4(0, 0, 0, 0);
    float4 d = decay_quad(u, i, how.weight_decay, p);

    p.x = sgd_one(p.x, scale * g.x + d.x, &v.x, how, rate);
    p.y = sgd_one(p.y, scale * g.y + d.y, &v.y, how, rate);
    p.z = sgd_one(p.z, scale * g.z + d.z, &v.z, how, rate);
    p.w = sgd_one(p.w, scale * g.w + d.w, &v.w, how, rate);
    ((float4 *)u.d_params)[i] = p;
    if (how.momentum > 0) ((float4 *)u.d_first)[i] = v;
}

/** A thread owns every T-th quad (T the grid's threads), the first three also
 *  an element behind them.
 *
 *  Any grid, block 256.  Each buffer is read once and written once, 16 bytes a
 *  lane.
 */
__global__ void sgd_quads(struct update u, struct sgd how)
{
    const size_t t = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t quads = u.n / 4, last = 4 * quads + t;
    const float scale = scale_of(u), rate = *u.d_rate;

    if (isnan(scale)) return;
    for (size_t i = t; i < quads; i += (size_t)gridDim.x * THREADS)
        sgd_quad(u, i, how, scale, rate);
    if (last >= u.n) return;
    float param = u.d_params[last];
    float velocity = how.momentum > 0 ? u.d_first[last] : 0;
    float grad = scale * u.d_grads[last]
                 + decay_of(u, last, how.weight_decay, param);
    u.d_params[last] = sgd_one(param, grad, &velocity, how, rate);
    if (how.momentum > 0) u.d_first[last] = velocity;
}

// END SOLUTION
int sgd_step(const struct update *u, const struct sgd *how)
{
    if (!sgd_ok(u, how)) return cudaErrorInvalidValue;
    if (u->n == 0) return cudaSuccess;
// BEGIN SOLUTION
    unsigned blocks = 0;
    cudaError_t err = grid_stride_blocks(&blocks, u->n / 4, THREADS);

    if (err) return err;
    sgd_quads<<<blocks, THREADS>>>(*u, *how);
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 1: a kernel, a thread a parameter: scale, decay, rate */
//     /* TODO 2: momentum, and Nesterov's */
//     return cudaErrorNotSupported;
// END SOLUTION
}

// BEGIN SOLUTION
/** Adam of quad i. */
__device__ static inline void adam_quad(const struct update &u, size_t i,
                                        const struct adam &how, float scale,
                                        const struct adam_now &at)
{
    float4 p = ((const float4 *)u.d_params)[i];
    float4 g = ((const float4 *)u.d_grads)[i];
    float4 m = ((const float4 *)u.d_first)[i];
    float4 v = ((const float4 *)u.d_second)[i];
    float4 d = decay_quad(u, i, how.weight_decay, p);

    p.x = adam_one(p.x, scale * g.x, &m.x, &v.x, d.x, how, at);
    p.y = adam_one(p.y, scale * g.y, &m.y, &v.y, d.y, how, at);
    p.z = adam_one(p.z, scale * g.z, &m.z, &v.z, d.z, how, at);
    p.w = adam_one(p.w, scale * g.w, &m.w, &v.w, d.w, how, at);
    ((float4 *)u.d_params)[i] = p;
    ((float4 *)u.d_first)[i] = m;
    ((float4 *)u.d_second)[i] = v;
}

/** Owned and read like sgd_quads; the powers are made once a thread. */
__global__ void adam_quads(struct update u, struct adam how)
{
    const size_t t = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const size_t quads = u.n / 4, last = 4 * quads + t;
    const float scale = scale_of(u);

    if (isnan(scale)) return;
    const struct adam_now at = now(u, how);
    for (size_t i = t; i < quads; i += (size_t)gridDim.x * THREADS)
        adam_quad(u, i, how, scale, at);
    if (last >= u.n) return;
    float param = u.d_params[last];
    float decay = decay_of(u, last, how.weight_decay, param);
    u.d_params[last] = adam_one(param, scale * u.d_grads[last],
                                &u.d_first[last], &u.d_second[last], decay,
                                how, at);
}

// END SOLUTION
int adam_step(const struct update *u, const struct adam *how)
{
    if (!adam_ok(u, how)) return cudaErrorInvalidValue;
    if (u->n == 0) return cudaSuccess;
// BEGIN SOLUTION
    unsigned blocks = 0;
    cudaError_t err = grid_stride_blocks(&blocks, u->n / 4, THREADS);

    if (err) return err;
    adam_quads<<<blocks, THREADS>>>(*u, *how);
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 3: both moments, and bias_of() for their correction */
//     /* TODO 4: weight decay, through the gradient or decoupled */
//     return cudaErrorNotSupported;
// END SOLUTION
}

// BEGIN SOLUTION
/** Blocks that have left their squares; the last sets it back to 0. */
__device__ static unsigned blocks_done;

/** A block leaves the sum of its share's squares; the last one to come adds
 *  them up, in the order of the blocks.
 *
 *  Any grid, block 256, 33 bytes of shared memory.  Each gradient is read
 *  once.  The fence before the count shows this block's sum to whoever sees
 *  the count, the one behind it keeps the sums from being read earlier.
 */
__global__ void norm_all(const float *__restrict__ grads, size_t n, float most,
                         float *norm, volatile float *work)
{
    __shared__ bool s_last;
    float sum = block_squares(grads, n);

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
    if (threadIdx.x == 0) put_norm(norm, sum, most);
}

// END SOLUTION
int clip_norm(const float *d_grads, size_t n, float most, float *d_norm,
              float *d_work)
{
    if (!(most > 0)) return cudaErrorInvalidValue;
// BEGIN SOLUTION
    unsigned blocks = 0;
    cudaError_t err = norm_blocks(&blocks, n);

    if (err) return err;
    norm_all<<<blocks, THREADS>>>(d_grads, n, most, d_norm, d_work);
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 5: lab 04's sum, of squares; norm and scale by one thread, which
//      * asks isfinite() */
//     return cudaErrorNotSupported;
// END SOLUTION
}
