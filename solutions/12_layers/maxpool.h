/* SPDX-License-Identifier: MIT */
/** @file
 *  Max pooling for all steps of lab 12; the backward pass gathers. */
#ifndef LAYERS_MAXPOOL_H
#define LAYERS_MAXPOOL_H

#include "common.h"

/** Input and output sizes of a pooling, as kernels get them. */
struct pooling {
    int h, w;              /**< input */
    int p, q;              /**< output */
    int size, stride, pad; /**< of the window */
};

/** Compute the output size.
 *  @return  false for an invalid shape */
static inline bool make_pooling(const struct pool_shape *shape,
                                struct pooling *pool, int *before, int *after)
{
    struct planes unused;

    if (shape->h < 1 || shape->w < 1 || shape->size < 1 || shape->size > 16
        || shape->stride < 1 || shape->pad < 0
        || shape->pad > shape->size / 2
        || shape->h > INT_MAX - 16 || shape->w > INT_MAX - 16
        || shape->h + 2 * shape->pad < shape->size
        || shape->w + 2 * shape->pad < shape->size)
        return false;
    *pool = (struct pooling){
        shape->h, shape->w,
        POOL_OUTPUT_SIZE(shape->h, shape->size, shape->stride, shape->pad),
        POOL_OUTPUT_SIZE(shape->w, shape->size, shape->stride, shape->pad),
        shape->size, shape->stride, shape->pad};
    struct layer_shape x = {shape->n, shape->c, pool->h, pool->w};
    struct layer_shape y = {shape->n, shape->c, pool->p, pool->q};
    *before = element_count(&x, &unused);
    *after = element_count(&y, &unused);
    return *before >= 0 && *after >= 0;
}

/** A thread owns one window.
 *
 *  Grid ceil(windows / 256).  If windows overlap, an x is loaded once for each
 *  of them, mostly from the cache.  In this comparison a NaN replaces a number
 *  and nothing replaces a NaN.
 */
__global__ void maxpool_kernel(const float *__restrict__ x, float *y,
                               unsigned char *argmax, struct pooling pool,
                               int n)
{
    unsigned i = global_thread_index(),
             plane_size = (unsigned)(pool.p * pool.q);

    if (i >= (unsigned)n) return;
    int top = (int)(i % plane_size) / pool.q * pool.stride - pool.pad;
    int left = (int)(i % plane_size) % pool.q * pool.stride - pool.pad;
    const float *plane = x + (size_t)(i / plane_size) * pool.h * pool.w;
    float best = 0;
    int best_index = -1;

    for (int r = 0; r < pool.size; r++) {
        if (top + r < 0 || top + r >= pool.h) continue;
        for (int s = 0; s < pool.size; s++) {
            if (left + s < 0 || left + s >= pool.w) continue;
            float value = plane[(top + r) * pool.w + left + s];
            if (best_index < 0 || (!(value <= best) && best == best)) {
                best = value;
                best_index = r * pool.size + s;
            }
        }
    }
    y[i] = best;
    argmax[i] = (unsigned char)best_index;
}

int maxpool_forward(const struct pool_shape *shape, const float *d_x,
                    float *d_y, unsigned char *d_argmax)
{
    struct pooling pool;
    int before, after;

    if (!make_pooling(shape, &pool, &before, &after))
        return cudaErrorInvalidValue;
    if (after == 0) return cudaSuccess;
    maxpool_kernel<<<blocks_for(after), THREADS>>>(d_x, d_y, d_argmax, pool,
                                                   after);
    return CUDA_CHECK(cudaGetLastError());
}

/** The first window that contains position `at` (without padding). */
__device__ static inline int first_window(int at, struct pooling pool)
{
    int behind = at + pool.pad - pool.size; /* start of the last position that
                                             * is not in it */

    return behind < 0 ? 0 : behind / pool.stride + 1;
}

/** A thread owns one x and checks for all windows that contain it whether it is
 *  their maximum.
 *
 *  Grid ceil(n / 256).  Gathering needs no atomics and adds in a fixed order;
 *  if windows scattered their gradients, two threads could add to the same x.
 */
__global__ void
maxpool_backward_kernel(const unsigned char *__restrict__ argmax,
                        const float *__restrict__ y_grad, float *x_grad,
                        struct pooling pool, int n)
{
    unsigned i = global_thread_index(),
             plane_size = (unsigned)(pool.h * pool.w);

    if (i >= (unsigned)n) return;
    int row = (int)(i % plane_size) / pool.w,
        column = (int)(i % plane_size) % pool.w;
    size_t windows = (size_t)(i / plane_size) * pool.p * pool.q;
    float sum = 0;

    for (int p = first_window(row, pool);
         p < pool.p && p * pool.stride <= row + pool.pad; p++)
        for (int q = first_window(column, pool);
             q < pool.q && q * pool.stride <= column + pool.pad; q++) {
            int r = row + pool.pad - p * pool.stride;
            int s = column + pool.pad - q * pool.stride;
            size_t window = windows + (size_t)p * pool.q + q;
            if (argmax[window] == r * pool.size + s) sum += y_grad[window];
        }
    x_grad[i] = sum;
}

int maxpool_backward(const struct pool_shape *shape,
                     const unsigned char *d_argmax, const float *d_y_grad,
                     float *d_x_grad)
{
    struct pooling pool;
    int before, after;

    if (!make_pooling(shape, &pool, &before, &after))
        return cudaErrorInvalidValue;
    if (before == 0) return cudaSuccess;
    maxpool_backward_kernel<<<blocks_for(before), THREADS>>>(
        d_argmax, d_y_grad, d_x_grad, pool, before);
    return CUDA_CHECK(cudaGetLastError());
}

#endif
