/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 12, step 3: sums over channels, with float4 of a plane or columns of
 *  rows. */
#ifndef LAYERS_CHANNEL_SUMS_H
#define LAYERS_CHANNEL_SUMS_H

#include "warp_reduce.h"
#include "elementwise_float4.h"

/** Offset of float4 i of channel blockIdx.x, in float4; `plane` of them in each
 *  plane. */
__device__ static inline unsigned
channel_float4_offset(unsigned i, struct planes p, unsigned plane)
{
    return (i / plane * p.c + blockIdx.x) * plane + i % plane;
}

/** The sum of the elements of a float4. */
__device__ static inline float sum_float4(float4 q)
{
    return q.x + q.y + (q.z + q.w);
}

/** A block owns a channel whose planes are multiples of four.
 *
 *  Grid c, block 256. y_grad is loaded once, 16 bytes per lane; with y, the
 *  gradient after the ReLU mask is stored to x_grad (which may be y_grad).
 */
__global__ void channel_grad_float4(const float *y, const float *y_grad,
                                    float *x_grad, float *bias_grad,
                                    struct planes p)
{
    const unsigned plane = p.plane / 4;
    float sum = 0;

    for (unsigned i = threadIdx.x; i < p.n * plane; i += THREADS) {
        unsigned at = channel_float4_offset(i, p, plane);
        float4 grad = ((const float4 *)y_grad)[at];
        if (y) {
            grad = relu_grad_float4(((const float4 *)y)[at], grad);
            ((float4 *)x_grad)[at] = grad;
        }
        sum += sum_float4(grad);
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) bias_grad[blockIdx.x] = sum;
}

/** A block owns a channel; the same with one element at a time. */
__global__ void channel_grad(const float *y, const float *y_grad,
                             float *x_grad, float *bias_grad, struct planes p)
{
    float sum = 0;

    for (unsigned i = threadIdx.x; i < p.n * p.plane; i += THREADS) {
        unsigned at = channel_float4_offset(i, p, p.plane);
        float grad = y ? relu_grad(y[at], y_grad[at]) : y_grad[at];
        if (y) x_grad[at] = grad;
        sum += grad;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) bias_grad[blockIdx.x] = sum;
}

/** Rows: a block owns 32 columns, a warp every eighth row of them, a lane one
 *  column.
 *
 *  Grid ceil(c / 32), block 256, 1,024 bytes of shared memory.  A warp loads
 *  128 consecutive bytes.  The barrier separates the stores of the warps' sums
 *  from the loads; they are added in a fixed order.
 */
__global__ void column_grad(const float *y, const float *y_grad,
                            float *x_grad, float *bias_grad, struct planes p)
{
    __shared__ float s_sum[WARPS][LANES];
    const unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    const unsigned column = blockIdx.x * LANES + lane;
    float sum = 0;

    for (unsigned row = warp; column < p.c && row < p.n; row += WARPS) {
        unsigned at = row * p.c + column;
        float grad = y ? relu_grad(y[at], y_grad[at]) : y_grad[at];
        if (y) x_grad[at] = grad;
        sum += grad;
    }
    s_sum[warp][lane] = sum;
    __syncthreads();
    if (warp > 0 || column >= p.c) return;
    for (unsigned k = 1; k < WARPS; k++)
        sum += s_sum[k][lane];
    bias_grad[column] = sum;
}

/** Launch the kernel for the shape.
 *  @param d_y  NULL: no ReLU */
static int launch_channel_grad(const struct layer_shape *shape,
                               const float *d_y, const float *d_y_grad,
                               float *d_x_grad, float *d_bias_grad)
{
    struct planes p;

    if (element_count(shape, &p) < 0) return cudaErrorInvalidValue;
    if (p.c == 0) return cudaSuccess;
    if (p.plane == 1)
        column_grad<<<(unsigned)ceil_div(p.c, LANES), THREADS>>>(
            d_y, d_y_grad, d_x_grad, d_bias_grad, p);
    else if (p.plane % 4 == 0)
        channel_grad_float4<<<p.c, THREADS>>>(d_y, d_y_grad, d_x_grad,
                                              d_bias_grad, p);
    else
        channel_grad<<<p.c, THREADS>>>(d_y, d_y_grad, d_x_grad, d_bias_grad,
                                       p);
    return CUDA_CHECK(cudaGetLastError());
}

int bias_backward(const struct layer_shape *shape, const float *d_y_grad,
                  float *d_bias_grad)
{
    return launch_channel_grad(shape, NULL, d_y_grad, NULL, d_bias_grad);
}

int bias_relu_backward(const struct layer_shape *shape, const float *d_y,
                       const float *d_y_grad, float *d_x_grad,
                       float *d_bias_grad)
{
    return launch_channel_grad(shape, d_y, d_y_grad, d_x_grad, d_bias_grad);
}

#endif
