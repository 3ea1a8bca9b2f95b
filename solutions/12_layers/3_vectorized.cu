/* SPDX-License-Identifier: MIT */
/** @file
 *  Layers, step 3: rows in registers, 16 bytes per lane, and mean and variance
 *  in one pass. */
#include "common.h"
#include "philox.h"
#include "elementwise_float4.h"
#include "maxpool.h"
#include "channel_sums.h"
#include "softmax.h"
#include "batchnorm.h"

/** Number of elements, their mean, and the sum of squared deviations. */
struct moments {
    float count, mean, squares;
};

/** Merge two sets of moments without subtracting squares (Chan, Golub,
 *  LeVeque). */
__device__ static inline struct moments merge_moments(struct moments a,
                                                      struct moments b)
{
    float count = a.count + b.count, delta = b.mean - a.mean;
    float share = count > 0 ? b.count / count : 0;
    struct moments both = {count, a.mean + delta * share,
                           a.squares + b.squares
                               + delta * delta * a.count * share};
    return both;
}

/** The moments of a channel, in all threads of its block.
 *
 *  WARPS moments of shared memory; barriers as in block_sum.
 */
__device__ static inline struct moments block_merge_moments(struct moments mine)
{
    __shared__ struct moments s_warp[WARPS];
    const unsigned full_mask = (unsigned)FULL_MASK;

    for (int offset = 1; offset < LANES; offset *= 2) {
        struct moments other = {
            __shfl_xor_sync(full_mask, mine.count, offset),
            __shfl_xor_sync(full_mask, mine.mean, offset),
            __shfl_xor_sync(full_mask, mine.squares, offset)};
        mine = merge_moments(mine, other);
    }
    if (threadIdx.x % LANES == 0) s_warp[threadIdx.x / LANES] = mine;
    __syncthreads();
    mine = s_warp[0];
    for (unsigned k = 1; k < WARPS; k++)
        mine = merge_moments(mine, s_warp[k]);
    return mine;
}

/** The moments of a float4. */
__device__ static inline struct moments float4_moments(float4 q)
{
    float mean = sum_float4(q) / 4;
    float a = q.x - mean, b = q.y - mean, c = q.z - mean, d = q.w - mean;
    struct moments made = {4, mean, a * a + b * b + (c * c + d * d)};

    return made;
}

/** The moments of this thread's elements of channel blockIdx.x. */
__device__ static inline struct moments channel_moments(const float *x,
                                                        struct planes p)
{
    struct moments mine = {0, 0, 0};

    if (p.plane % 4 == 0)
        for (unsigned i = threadIdx.x; i < p.n * (p.plane / 4); i += THREADS)
            mine = merge_moments(
                mine, float4_moments(
                          ((const float4 *)
                               x)[channel_float4_offset(i, p, p.plane / 4)]));
    else
        for (unsigned i = threadIdx.x; i < p.n * p.plane; i += THREADS) {
            struct moments one = {1, x[channel_float4_offset(i, p, p.plane)],
                                  0};
            mine = merge_moments(mine, one);
        }
    return mine;
}

/** y from one x. */
__device__ static inline float norm_forward(float x, struct channel channel,
                                            int apply_relu)
{
    float y = apply_norm(x, channel);

    return apply_relu ? relu(y) : y;
}

/** A block owns a channel.
 *
 *  Grid c, block 256, 96 bytes of shared memory.  The channel is loaded twice,
 *  for its moments and for the result, 16 bytes per lane if its planes are
 *  multiples of four.
 */
__global__ void batchnorm_channel(struct batchnorm norm, const float *x,
                                  float *y, struct planes p)
{
    const unsigned m = p.n * p.plane, c = blockIdx.x, vectors = p.plane / 4;
    const struct moments moments = block_merge_moments(channel_moments(x, p));
    const float var = moments.squares / m;
    const struct channel channel = {moments.mean,
                                    1 / sqrtf(var + norm.epsilon),
                                    norm.d_gamma[c], norm.d_beta[c]};

    if (threadIdx.x == 0) store_statistics(norm, moments.mean, var, m);
    if (p.plane % 4 == 0)
        for (unsigned i = threadIdx.x; i < p.n * vectors; i += THREADS) {
            unsigned at = channel_float4_offset(i, p, vectors);
            float4 q = ((const float4 *)x)[at];
            ((float4 *)y)[at] =
                make_float4(norm_forward(q.x, channel, norm.relu),
                            norm_forward(q.y, channel, norm.relu),
                            norm_forward(q.z, channel, norm.relu),
                            norm_forward(q.w, channel, norm.relu));
        }
    else
        for (unsigned i = threadIdx.x; i < m; i += THREADS) {
            unsigned at = channel_float4_offset(i, p, p.plane);
            y[at] = norm_forward(x[at], channel, norm.relu);
        }
}

int batchnorm_forward(const struct layer_shape *shape,
                      const struct batchnorm *norm, const float *d_x,
                      float *d_y)
{
    struct planes p;
    int n = element_count(shape, &p);

    if (n <= 0) return n < 0 ? cudaErrorInvalidValue : cudaSuccess;
    batchnorm_channel<<<p.c, THREADS>>>(*norm, d_x, d_y, p);
    return CUDA_CHECK(cudaGetLastError());
}

/** Add one element to the two sums of a channel: the sum of the gradient after
 *  the ReLU mask, and the sum of that gradient times x_hat. */
__device__ static inline void accumulate_grad(float2 *sum, float x,
                                              float y_grad,
                                              struct channel channel, int relu)
{
    float grad = relu_masked_grad(x, y_grad, channel, relu);

    sum->x += grad;
    sum->y += grad * ((x - channel.mean) * channel.inv_std);
}

/** The gradient with respect to one x. */
__device__ static inline float norm_backward(float x, float y_grad, float2 mean,
                                             struct channel channel, int relu)
{
    return input_grad(x, relu_masked_grad(x, y_grad, channel, relu), mean,
                      channel);
}

/** Both sums over this thread's elements. */
__device__ static inline float2
sum_channel_grads(const float *x, const float *y_grad, struct planes p,
                  struct channel channel, int relu)
{
    float2 sum = make_float2(0, 0);

    if (p.plane % 4 == 0)
        for (unsigned i = threadIdx.x; i < p.n * (p.plane / 4); i += THREADS) {
            unsigned at = channel_float4_offset(i, p, p.plane / 4);
            float4 q = ((const float4 *)x)[at];
            float4 g = ((const float4 *)y_grad)[at];
            accumulate_grad(&sum, q.x, g.x, channel, relu);
            accumulate_grad(&sum, q.y, g.y, channel, relu);
            accumulate_grad(&sum, q.z, g.z, channel, relu);
            accumulate_grad(&sum, q.w, g.w, channel, relu);
        }
    else
        for (unsigned i = threadIdx.x; i < p.n * p.plane; i += THREADS) {
            unsigned at = channel_float4_offset(i, p, p.plane);
            accumulate_grad(&sum, x[at], y_grad[at], channel, relu);
        }
    return sum;
}

/** A block owns a channel: both sums in the first pass, the gradients in the
 *  second.
 *
 *  Grid c, block 256, 32 bytes of shared memory.  A thread stores x_grad only
 *  at positions where it has loaded y_grad itself: the arrays may be the same.
 */
__global__ void batchnorm_channel_grad(struct batchnorm norm, const float *x,
                                       const float *y_grad, float *x_grad,
                                       struct planes p)
{
    const unsigned m = p.n * p.plane, vectors = p.plane / 4;
    const struct channel channel = load_saved_channel(norm, blockIdx.x);
    const int relu = norm.relu;
    float2 mean = sum_channel_grads(x, y_grad, p, channel, relu);

    mean = make_float2(block_sum(mean.x), block_sum(mean.y));
    if (threadIdx.x == 0) {
        norm.d_beta_grad[blockIdx.x] = mean.x;
        norm.d_gamma_grad[blockIdx.x] = mean.y;
    }
    mean = make_float2(mean.x / m, mean.y / m);
    if (p.plane % 4 == 0)
        for (unsigned i = threadIdx.x; i < p.n * vectors; i += THREADS) {
            unsigned at = channel_float4_offset(i, p, vectors);
            float4 q = ((const float4 *)x)[at];
            float4 g = ((const float4 *)y_grad)[at];
            ((float4 *)x_grad)[at] =
                make_float4(norm_backward(q.x, g.x, mean, channel, relu),
                            norm_backward(q.y, g.y, mean, channel, relu),
                            norm_backward(q.z, g.z, mean, channel, relu),
                            norm_backward(q.w, g.w, mean, channel, relu));
        }
    else
        for (unsigned i = threadIdx.x; i < m; i += THREADS) {
            unsigned at = channel_float4_offset(i, p, p.plane);
            x_grad[at] = norm_backward(x[at], y_grad[at], mean, channel, relu);
        }
}

int batchnorm_backward(const struct layer_shape *shape,
                       const struct batchnorm *norm, const float *d_x,
                       const float *d_y_grad, float *d_x_grad)
{
    struct planes p;

    if (element_count(shape, &p) < 0) return cudaErrorInvalidValue;
    if (p.c == 0) return cudaSuccess;
    batchnorm_channel_grad<<<p.c, THREADS>>>(*norm, d_x, d_y_grad, d_x_grad, p);
    return CUDA_CHECK(cudaGetLastError());
}
