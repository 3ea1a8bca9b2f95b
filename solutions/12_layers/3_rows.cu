/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Layers, step 3: rows in registers, 16 bytes a lane, and means and variances
 *  in one walk. */
// HANDOUT
// /** @file
//  *  Lab 12: the layers between convolutions and matrix products.  The
//  *  contract is in layers.h. */
// END SOLUTION
#include "common.h"
#include "philox.h"
#include "wide.h"
#include "pool.h"
#include "channels.h"
#include "rows.h"
#include "norm.h"

// BEGIN SOLUTION
/** How many, their mean, and the sum of squares round it. */
struct moments {
    float count, mean, squares;
};

/** Two sets as one, without ever subtracting squares (Chan, Golub, LeVeque). */
__device__ static inline struct moments join(struct moments a,
                                             struct moments b)
{
    float count = a.count + b.count, off = b.mean - a.mean;
    float share = count > 0 ? b.count / count : 0;
    struct moments both = {count, a.mean + off * share,
                           a.squares + b.squares
                               + off * off * a.count * share};
    return both;
}

/** The moments of a channel, for all threads of its block.
 *
 *  WARPS moments of shared memory; the barriers as in block_sum.
 */
__device__ static inline struct moments block_join(struct moments mine)
{
    __shared__ struct moments s_warp[WARPS];
    const unsigned all = (unsigned)ALL_LANES;

    for (int gap = 1; gap < LANES; gap *= 2) {
        struct moments other = {__shfl_xor_sync(all, mine.count, gap),
                                __shfl_xor_sync(all, mine.mean, gap),
                                __shfl_xor_sync(all, mine.squares, gap)};
        mine = join(mine, other);
    }
    if (threadIdx.x % LANES == 0) s_warp[threadIdx.x / LANES] = mine;
    __syncthreads();
    mine = s_warp[0];
    for (unsigned k = 1; k < WARPS; k++)
        mine = join(mine, s_warp[k]);
    return mine;
}

/** The moments of a quad. */
__device__ static inline struct moments quad_moments(float4 q)
{
    float mean = quad_sum(q) / 4;
    float a = q.x - mean, b = q.y - mean, c = q.z - mean, d = q.w - mean;
    struct moments made = {4, mean, a * a + b * b + (c * c + d * d)};

    return made;
}

/** This thread's share of channel blockIdx.x. */
__device__ static inline struct moments walk_channel(const float *x,
                                                     struct planes p)
{
    struct moments mine = {0, 0, 0};

    if (p.plane % 4 == 0)
        for (unsigned i = threadIdx.x; i < p.n * (p.plane / 4); i += THREADS)
            mine = join(mine, quad_moments(((const float4 *)
                                            x)[quad_place(i, p, p.plane / 4)]));
    else
        for (unsigned i = threadIdx.x; i < p.n * p.plane; i += THREADS) {
            struct moments one = {1, x[quad_place(i, p, p.plane)], 0};
            mine = join(mine, one);
        }
    return mine;
}

/** y of one x. */
__device__ static inline float forward(float x, struct channel channel,
                                       int rectified)
{
    float y = normal(x, channel);

    return rectified ? relu(y) : y;
}

/** A block owns a channel.
 *
 *  Grid c, block 256, 96 bytes of shared memory.  The channel is read twice,
 *  for its moments and for the result, 16 bytes a lane where its planes are
 *  multiples of four.
 */
__global__ void norm_channel(struct batchnorm norm, const float *x, float *y,
                             struct planes p)
{
    const unsigned m = p.n * p.plane, c = blockIdx.x, quads = p.plane / 4;
    const struct moments all = block_join(walk_channel(x, p));
    const float var = all.squares / m;
    const struct channel channel = {all.mean, 1 / sqrtf(var + norm.epsilon),
                                    norm.d_gamma[c], norm.d_beta[c]};

    if (threadIdx.x == 0) keep_statistics(norm, all.mean, var, m);
    if (p.plane % 4 == 0)
        for (unsigned i = threadIdx.x; i < p.n * quads; i += THREADS) {
            unsigned at = quad_place(i, p, quads);
            float4 q = ((const float4 *)x)[at];
            ((float4 *)y)[at] = make_float4(forward(q.x, channel, norm.relu),
                                            forward(q.y, channel, norm.relu),
                                            forward(q.z, channel, norm.relu),
                                            forward(q.w, channel, norm.relu));
        }
    else
        for (unsigned i = threadIdx.x; i < m; i += THREADS) {
            unsigned at = quad_place(i, p, p.plane);
            y[at] = forward(x[at], channel, norm.relu);
        }
}

// END SOLUTION
int batchnorm_forward(const struct layer_shape *shape,
                      const struct batchnorm *norm, const float *d_x,
                      float *d_y)
{
    struct planes p;
    int n = shape_count(shape, &p);

    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
// BEGIN SOLUTION
    norm_channel<<<p.c, THREADS>>>(*norm, d_x, d_y, p);
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 13: a block a channel: its mean; its variance, from deviations;
//      * keep_statistics() by one thread; then normal(), and relu() if asked */
//     return cudaErrorNotSupported;
// END SOLUTION
}

// BEGIN SOLUTION
/** The sums of a channel that its gradients need: of what comes through the
 *  ReLU, and of that times the normalised x. */
__device__ static inline void add_grad(float2 *sum, float x, float y_grad,
                                       struct channel channel, int relu)
{
    float grad = normal_grad(x, y_grad, channel, relu);

    sum->x += grad;
    sum->y += grad * ((x - channel.mean) * channel.inv_std);
}

/** The gradient of one x, from y's. */
__device__ static inline float backward(float x, float y_grad, float2 mean,
                                        struct channel channel, int relu)
{
    return input_grad(x, normal_grad(x, y_grad, channel, relu), mean, channel);
}

/** This thread's share of both sums. */
__device__ static inline float2 sum_grads(const float *x, const float *y_grad,
                                          struct planes p,
                                          struct channel channel, int relu)
{
    float2 sum = make_float2(0, 0);

    if (p.plane % 4 == 0)
        for (unsigned i = threadIdx.x; i < p.n * (p.plane / 4); i += THREADS) {
            unsigned at = quad_place(i, p, p.plane / 4);
            float4 q = ((const float4 *)x)[at];
            float4 g = ((const float4 *)y_grad)[at];
            add_grad(&sum, q.x, g.x, channel, relu);
            add_grad(&sum, q.y, g.y, channel, relu);
            add_grad(&sum, q.z, g.z, channel, relu);
            add_grad(&sum, q.w, g.w, channel, relu);
        }
    else
        for (unsigned i = threadIdx.x; i < p.n * p.plane; i += THREADS) {
            unsigned at = quad_place(i, p, p.plane);
            add_grad(&sum, x[at], y_grad[at], channel, relu);
        }
    return sum;
}

/** A block owns a channel: both sums in one walk, the gradients in a second.
 *
 *  Grid c, block 256, 32 bytes of shared memory.  A thread reads y_grad where
 *  it then writes x_grad, and there alone: they may be the same.
 */
__global__ void norm_channel_grad(struct batchnorm norm, const float *x,
                                  const float *y_grad, float *x_grad,
                                  struct planes p)
{
    const unsigned m = p.n * p.plane, quads = p.plane / 4;
    const struct channel channel = saved_channel(norm, blockIdx.x);
    const int relu = norm.relu;
    float2 mean = sum_grads(x, y_grad, p, channel, relu);

    mean = make_float2(block_sum(mean.x), block_sum(mean.y));
    if (threadIdx.x == 0) {
        norm.d_beta_grad[blockIdx.x] = mean.x;
        norm.d_gamma_grad[blockIdx.x] = mean.y;
    }
    mean = make_float2(mean.x / m, mean.y / m);
    if (p.plane % 4 == 0)
        for (unsigned i = threadIdx.x; i < p.n * quads; i += THREADS) {
            unsigned at = quad_place(i, p, quads);
            float4 q = ((const float4 *)x)[at];
            float4 g = ((const float4 *)y_grad)[at];
            ((float4 *)x_grad)[at] =
                make_float4(backward(q.x, g.x, mean, channel, relu),
                            backward(q.y, g.y, mean, channel, relu),
                            backward(q.z, g.z, mean, channel, relu),
                            backward(q.w, g.w, mean, channel, relu));
        }
    else
        for (unsigned i = threadIdx.x; i < m; i += THREADS) {
            unsigned at = quad_place(i, p, p.plane);
            x_grad[at] = backward(x[at], y_grad[at], mean, channel, relu);
        }
}

// END SOLUTION
int batchnorm_backward(const struct layer_shape *shape,
                       const struct batchnorm *norm, const float *d_x,
                       const float *d_y_grad, float *d_x_grad)
{
    struct planes p;

    if (shape_count(shape, &p) < 0) return cudaErrorInvalidValue;
    if (p.c == 0) return cudaSuccess;
// BEGIN SOLUTION
    norm_channel_grad<<<p.c, THREADS>>>(*norm, d_x, d_y_grad, d_x_grad, p);
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 14: beta's and gamma's gradients are sums over the channel; the
//      * gradient of x needs both, and comes through the ReLU first */
//     return cudaErrorNotSupported;
// END SOLUTION
}
