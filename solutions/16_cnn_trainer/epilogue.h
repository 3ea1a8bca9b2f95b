/* SPDX-License-Identifier: MIT */
/** @file
 *  The epilogue of step 2: what happens to a thread's sums before they are
 *  stored.  Bias, ReLU and pooling forward, their backward pass backward.  The
 *  stores are 16 bytes wide wherever four outputs are consecutive. */
#ifndef CNN_TRAINER_EPILOGUE_H
#define CNN_TRAINER_EPILOGUE_H

#include <stdint.h>

#include "gemm_tile.h"

/** Round up to a multiple of 8: rows of packed weights and of gradients have so
 *  many floats, which are whole sectors. */
__host__ __device__ static inline int round_up(int n)
{
    return (n + 7) / 8 * 8;
}

/** A strided view of an array, with a stride for each dimension. */
struct view {
    float *first;             /**< first element, or NULL */
    size_t image_stride;      /**< stride of images, in floats */
    int row_stride, column_stride, channel_stride; /**< in floats */
};

/** Address of (n, y, x) in channel 0. */
__device__ static inline float *view_at(const struct view &v, int n, int y,
                                        int x)
{
    return v.first + n * v.image_stride + y * v.row_stride
           + x * v.column_stride;
}

/** The epilogue: operations on outputs before they are stored, forward and
 *  backward. */
struct epilogue {
    const float *bias;    /**< one per filter, or NULL */
    bool relu;            /**< apply ReLU */
    int *argmax_out;      /**< argmax of 2 x 2 pooling; or NULL: no pooling */
    int unpooled_columns; /**< columns of a plane before pooling */
    const float *mask;    /**< [n][k][p][q]: the output is 0 where mask <= 0 */
    float *planes;        /**< [n][k][p][q], or NULL */
    struct view to;       /**< a second destination, or none */
    const int *argmax;     /**< `to` is 2 x 2 times as large: the argmax of the
                                pooling */
    int columns, inner; /**< filters are `inner` pixels of a channel; or 1 */
};

/** The outputs of a multiplication: n images of k planes of p x q. */
struct outputs {
    int n, p, q, k;           /**< images, rows, columns, filters */
    struct epilogue epilogue; /**< before they are stored */
};

/** The coordinates of a position. */
struct pixel {
    int n, y, x; /**< image, row, column */
};

/** The coordinates of position `at` of n x p x q. */
__device__ static inline struct pixel pixel_of(int at, int p, int q)
{
    const int rest = at % (p * q);
    return {at / (p * q), rest / q, rest % q};
}

/** The places of ROWS x 4 outputs of a thread in an array: positions by
 *  filters. */
template <int ROWS> struct places {
    size_t row[ROWS];  /**< of the first filter, in elements */
    size_t stride;     /**< from a filter to the next */
    int rows, columns; /**< how many of them exist */
};

/** The places in [n][k][p][q] from position `at` and filter `first` on. */
template <int ROWS>
__device__ static inline struct places<ROWS>
places_of(const struct outputs &x, int at, int first)
{
    const int plane = x.p * x.q, count = x.n * plane;
    struct places<ROWS> to;

    to.stride = plane;
    to.rows = min(count - at, ROWS);
    to.columns = min(x.k - first, (int)SIDE);
#pragma unroll
    for (int i = 0; i < ROWS; i++)
        to.row[i] = ((size_t)((at + i) / plane) * x.k + first) * plane
                    + (at + i) % plane;
    return to;
}

/** How the places are consecutive. */
enum order { SCATTERED, BY_FILTER, BY_POSITION };

/** May the places of an array be accessed 16 bytes at a time, and which? */
template <int ROWS>
__device__ static inline enum order order_of(const void *array,
                                             const struct places<ROWS> &at)
{
    if (at.rows < ROWS || at.columns < SIDE || (uintptr_t)array % 16)
        return SCATTERED;
    if (at.stride == 1) {
        size_t rows = 0;
        for (int i = 0; i < ROWS; i++)
            rows |= at.row[i];
        return rows % 4 ? SCATTERED : BY_FILTER;
    }
    if (ROWS == SIDE && at.row[ROWS - 1] == at.row[0] + SIDE - 1
        && (at.row[0] | at.stride) % 4 == 0)
        return BY_POSITION;
    return SCATTERED;
}

/** Store a thread's outputs to their places.  __stwb() stores 16 bytes whole;
 *  nvcc would split an assignment, because the same elements are stored one by
 *  one below. */
template <int ROWS>
__device__ static inline void store_block(float *to,
                                          const struct places<ROWS> &at,
                                          const float (&value)[ROWS][SIDE])
{
    const enum order order = order_of(to, at);

#pragma unroll
    for (int i = 0; i < SIDE; i++) {
        if (order == BY_POSITION)
            __stwb((float4 *)(to + at.row[0] + i * at.stride),
                   make_float4(value[0][i], value[1 % ROWS][i],
                               value[2 % ROWS][i], value[3 % ROWS][i]));
        if (order == BY_FILTER && i < ROWS)
            __stwb((float4 *)(to + at.row[i % ROWS]),
                   make_float4(value[i % ROWS][0], value[i % ROWS][1],
                               value[i % ROWS][2], value[i % ROWS][3]));
    }
    if (order != SCATTERED) return;
#pragma unroll
    for (int i = 0; i < ROWS; i++)
#pragma unroll
        for (int j = 0; j < SIDE; j++)
            if (i < at.rows && j < at.columns)
                to[at.row[i] + j * at.stride] = value[i][j];
}

/** Set outputs to 0 where the mask is not above 0. */
template <int ROWS>
__device__ static inline void apply_mask(const float *mask,
                                         const struct places<ROWS> &at,
                                         float (&value)[ROWS][SIDE])
{
    const enum order order = order_of(mask, at);

#pragma unroll
    for (int i = 0; i < SIDE; i++) {
        float4 q = make_float4(1, 1, 1, 1);
        if (order == BY_POSITION) {
            q = *(const float4 *)(mask + at.row[0] + i * at.stride);
            if (!(q.x > 0)) value[0][i] = 0;
            if (!(q.y > 0)) value[1 % ROWS][i] = 0;
            if (!(q.z > 0)) value[2 % ROWS][i] = 0;
            if (!(q.w > 0)) value[3 % ROWS][i] = 0;
        } else if (order == BY_FILTER && i < ROWS) {
            q = *(const float4 *)(mask + at.row[i % ROWS]);
            if (!(q.x > 0)) value[i % ROWS][0] = 0;
            if (!(q.y > 0)) value[i % ROWS][1] = 0;
            if (!(q.z > 0)) value[i % ROWS][2] = 0;
            if (!(q.w > 0)) value[i % ROWS][3] = 0;
        }
    }
    if (order != SCATTERED) return;
#pragma unroll
    for (int i = 0; i < ROWS; i++)
#pragma unroll
        for (int j = 0; j < SIDE; j++)
            if (i < at.rows && j < at.columns
                && !(mask[at.row[i] + j * at.stride] > 0))
                value[i][j] = 0;
}

/** Store four filters of a pixel of a view: 16 bytes if they are consecutive.
 */
__device__ static inline void store_filters(float *to, size_t stride,
                                            int columns,
                                            const float (&value)[SIDE])
{
    if (stride == 1 && columns >= SIDE && (uintptr_t)to % 16 == 0) {
        __stwb((float4 *)to,
               make_float4(value[0], value[1], value[2], value[3]));
        return;
    }
#pragma unroll
    for (int j = 0; j < SIDE; j++)
        if (j < columns) to[j * stride] = value[j];
}

/** Store four gradients behind a 2 x 2 pooling: each at its argmax, with 0 at
 *  the three other pixels. */
__device__ static inline void store_unpooled(const struct epilogue &e,
                                             float *to, int corner,
                                             int columns,
                                             const float (&value)[SIDE],
                                             const int (&argmax)[SIDE])
{
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int down = i / 2, right = i % 2;
        const int own = corner + down * e.unpooled_columns + right;
        float pixel[SIDE];
#pragma unroll
        for (int j = 0; j < SIDE; j++)
            pixel[j] = argmax[j] == own ? value[j] : 0;
        store_filters(to + down * e.to.row_stride + right * e.to.column_stride,
                      e.to.channel_stride, columns, pixel);
    }
}

/** Store four outputs of a position to the second destination.
 *  @tparam FORWARD  as of store_outputs() */
template <bool FORWARD>
__device__ static inline void store_view(const struct epilogue &e,
                                         struct pixel at, int first,
                                         int columns,
                                         const float (&value)[SIDE],
                                         const int (&argmax)[SIDE])
{
    const bool unpools = !FORWARD && e.argmax;
    const int side = unpools ? 2 : 1, stride = e.to.channel_stride;

    if (!FORWARD && e.inner > 1) { /* each filter is a pixel of its own */
#pragma unroll
        for (int j = 0; j < SIDE; j++) {
            const int f = first + j, y = f % e.inner / e.columns,
                      x = f % e.inner % e.columns;
            if (j >= columns) continue;
            float *const to = view_at(e.to, at.n, y * side, x * side)
                              + (size_t)(f / e.inner) * stride;
            const float one[SIDE] = {value[j]};
            const int own[SIDE] = {argmax[j]};
            if (unpools)
                store_unpooled(e, to, y * 2 * e.unpooled_columns + x * 2, 1,
                               one, own);
            else
                *to = value[j];
        }
        return;
    }
    float *const to = view_at(e.to, at.n, at.y * side, at.x * side)
                      + (size_t)first * stride;
    if (unpools)
        store_unpooled(e, to, at.y * 2 * e.unpooled_columns + at.x * 2,
                       columns, value, argmax);
    else
        store_filters(to, stride, columns, value);
}

/** A thread finishes and stores ROWS x 4 outputs, from position `at` and filter
 *  `first` on.
 *  @tparam FORWARD  with bias and ReLU; else with mask and argmax */
template <bool FORWARD, int ROWS>
__device__ static inline void store_outputs(const struct outputs &x, int at,
                                            int first,
                                            float (&value)[ROWS][SIDE])
{
    const struct epilogue &e = x.epilogue;
    const struct places<ROWS> to = places_of<ROWS>(x, at, first);

    if (to.rows <= 0 || to.columns <= 0) return;
#pragma unroll
    for (int j = 0; j < SIDE; j++) {
        const float bias = e.bias && j < to.columns ? e.bias[first + j] : 0;
#pragma unroll
        for (int i = 0; FORWARD && i < ROWS; i++) {
            value[i][j] += bias;
            if (e.relu && value[i][j] < 0) value[i][j] = 0;
        }
    }
    if (!FORWARD && e.mask) apply_mask(e.mask, to, value);
    if (e.planes) store_block(e.planes, to, value);
#pragma unroll
    for (int i = 0; i < ROWS; i++) {
        int argmax[SIDE] = {};
        if (!e.to.first || i >= to.rows) continue;
#pragma unroll
        for (int j = 0; j < SIDE; j++)
            if (!FORWARD && e.argmax && j < to.columns)
                argmax[j] = e.argmax[to.row[i] + j * to.stride];
        store_view<FORWARD>(e, pixel_of(at + i, x.p, x.q), first, to.columns,
                            value[i], argmax);
    }
}

/** A thread's four rows are a 2 x 2 window: store its maximum and its argmax,
 *  the first of equal elements, a NaN before all numbers. */
__device__ static inline void store_pooled(const struct outputs &x, int window,
                                           int first,
                                           const float (&sum)[SIDE][SIDE])
{
    const struct epilogue &e = x.epilogue;
    const struct places<1> to = places_of<1>(x, window, first);
    const struct pixel at = pixel_of(window, x.p, x.q);
    const int corner = at.y * 2 * e.unpooled_columns + at.x * 2;
    float best[1][SIDE];

    if (to.rows <= 0) return;
#pragma unroll
    for (int j = 0; j < SIDE; j++) {
        int argmax = 0;
        best[0][j] = sum[0][j];
#pragma unroll
        for (int i = 1; i < SIDE; i++)
            if (sum[i][j] > best[0][j] || sum[i][j] != sum[i][j]) {
                best[0][j] = sum[i][j];
                argmax = i;
            }
        if (j < to.columns)
            e.argmax_out[to.row[0] + j * to.stride] =
                corner + argmax / 2 * e.unpooled_columns + argmax % 2;
    }
    store_outputs<true>(x, window, first, best);
}

#endif
