/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Max-pooling, for all steps of lab 12: a thread gathers. */
#ifndef LAYERS_POOL_H
#define LAYERS_POOL_H

#include "common.h"

// END SOLUTION
/** Both sides of a pooling as kernels take them. */
struct pooling {
    int h, w;              /**< before */
    int p, q;              /**< after */
    int size, stride, pad; /**< of the window */
};

/** Fill in both sides.  @return false for a shape that makes no sense */
static inline bool pooling_of(const struct pool_shape *shape,
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
        POOL_OUT(shape->h, shape->size, shape->stride, shape->pad),
        POOL_OUT(shape->w, shape->size, shape->stride, shape->pad),
        shape->size, shape->stride, shape->pad};
    struct layer_shape x = {shape->n, shape->c, pool->h, pool->w};
    struct layer_shape y = {shape->n, shape->c, pool->p, pool->q};
    *before = shape_count(&x, &unused);
    *after = shape_count(&y, &unused);
    return *before >= 0 && *after >= 0;
}

// BEGIN SOLUTION
/** A thread owns one window.
 *
 *  Grid ceil(windows / 256).  Where windows overlap, an x is read once for
 *  each of them, mostly from the cache.  The comparison is written so that a
 *  NaN replaces a number and nothing replaces a NaN.
 */
__global__ void pool_largest(const float *__restrict__ x, float *y,
                             unsigned char *winner, struct pooling pool, int n)
{
    unsigned i = thread_number(), places = (unsigned)(pool.p * pool.q);

    if (i >= (unsigned)n) return;
    int top = (int)(i % places) / pool.q * pool.stride - pool.pad;
    int left = (int)(i % places) % pool.q * pool.stride - pool.pad;
    const float *plane = x + (size_t)(i / places) * pool.h * pool.w;
    float best = 0;
    int won = -1;

    for (int r = 0; r < pool.size; r++) {
        if (top + r < 0 || top + r >= pool.h) continue;
        for (int s = 0; s < pool.size; s++) {
            if (left + s < 0 || left + s >= pool.w) continue;
            float value = plane[(top + r) * pool.w + left + s];
            if (won < 0 || (!(value <= best) && best == best)) {
                best = value;
                won = r * pool.size + s;
            }
        }
    }
    y[i] = best;
    winner[i] = (unsigned char)won;
}

// HANDOUT
// /** A thread owns one window.  Device pointers; n windows in all. */
// __global__ void pool_largest(const float *__restrict__ x, float *y,
//                              unsigned char *winner, struct pooling pool,
//                              int n)
// {
//     /* TODO 5: which window is this thread's, and where does it begin? */
//     /* TODO 6: the largest within the plane; the first of equal ones; what
//      * do comparisons with NaN give? */
// }
//
// END SOLUTION
int maxpool_forward(const struct pool_shape *shape, const float *d_x,
                    float *d_y, unsigned char *d_winner)
{
    struct pooling pool;
    int before, after;

    if (!pooling_of(shape, &pool, &before, &after))
        return cudaErrorInvalidValue;
    if (after == 0) return cudaSuccess;
// BEGIN SOLUTION
    pool_largest<<<blocks_for(after), THREADS>>>(d_x, d_y, d_winner, pool,
                                                 after);
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 7: launch */
//     return cudaErrorNotSupported;
// END SOLUTION
}

// BEGIN SOLUTION
/** The first window that reaches place `at`, which lies `pad` further in. */
__device__ static inline int first_window(int at, struct pooling pool)
{
    int behind = at + pool.pad - pool.size; /* where the last before begins */

    return behind < 0 ? 0 : behind / pool.stride + 1;
}

/** A thread owns one x and asks all windows that hold it whether it won.
 *
 *  Grid ceil(n / 256).  Gathering needs no atomics and adds in one order,
 *  where windows that scatter would meet at an x.
 */
__global__ void pool_grad(const unsigned char *__restrict__ winner,
                          const float *__restrict__ y_grad, float *x_grad,
                          struct pooling pool, int n)
{
    unsigned i = thread_number(), places = (unsigned)(pool.h * pool.w);

    if (i >= (unsigned)n) return;
    int row = (int)(i % places) / pool.w, column = (int)(i % places) % pool.w;
    size_t windows = (size_t)(i / places) * pool.p * pool.q;
    float sum = 0;

    for (int p = first_window(row, pool);
         p < pool.p && p * pool.stride <= row + pool.pad; p++)
        for (int q = first_window(column, pool);
             q < pool.q && q * pool.stride <= column + pool.pad; q++) {
            int r = row + pool.pad - p * pool.stride;
            int s = column + pool.pad - q * pool.stride;
            size_t window = windows + (size_t)p * pool.q + q;
            if (winner[window] == r * pool.size + s) sum += y_grad[window];
        }
    x_grad[i] = sum;
}

// END SOLUTION
int maxpool_backward(const struct pool_shape *shape,
                     const unsigned char *d_winner, const float *d_y_grad,
                     float *d_x_grad)
{
    struct pooling pool;
    int before, after;

    if (!pooling_of(shape, &pool, &before, &after))
        return cudaErrorInvalidValue;
    if (before == 0) return cudaSuccess;
// BEGIN SOLUTION
    pool_grad<<<blocks_for(before), THREADS>>>(d_winner, d_y_grad, d_x_grad,
                                               pool, before);
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 8: a thread owns one x, and asks each window that holds it */
//     return cudaErrorNotSupported;
// END SOLUTION
}
// BEGIN SOLUTION

#endif
// END SOLUTION
