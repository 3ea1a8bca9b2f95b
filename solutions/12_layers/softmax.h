/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 12, step 3: softmax with a row in registers, one warp or one block per
 *  row. */
#ifndef LAYERS_SOFTMAX_H
#define LAYERS_SOFTMAX_H

#include "warp_reduce.h"

enum { ITEMS_PER_THREAD = 16 }; /* elements of a row in the registers of a
                                 * thread */

/** Threads per row: a warp, or a block.  For rows that do not fit into the
 *  registers of a block, the block loads the rest again. */
static inline unsigned threads_per_row(struct planes rows)
{
    return rows.c <= LANES * ITEMS_PER_THREAD ? LANES : THREADS;
}

/** The sum over the threads of a row. */
__device__ static inline float row_sum(float value, unsigned width)
{
    return width == LANES ? warp_sum(value) : block_sum(value);
}

/** The maximum over the threads of a row. */
__device__ static inline float row_max(float value, unsigned width)
{
    return width == LANES ? warp_max(value) : block_max(value);
}

/** The row of a thread: its index, and the thread's elements. */
struct thread_row {
    size_t row;            /**< row index; at least rows.n: no row */
    unsigned first_column; /**< column of items[0] */
    unsigned width;        /**< column stride from items[k] to items[k + 1] */
    float items[ITEMS_PER_THREAD];    /**< x, then exp(x - maximum), inside the
                                           row */
    float row_maximum, sum;     /**< of the row: maximum of x; sum of the
                                     exponentials */
};

/** Load a row and compute its exponentials, maximum and sum.  The first
 *  ITEMS_PER_THREAD elements of a thread stay in registers; further ones (of
 *  rows with more than 4,096 elements) are loaded again when needed. */
__device__ static inline void load_row(struct thread_row *my, const float *x,
                                       struct planes rows, unsigned width)
{
    unsigned c = rows.c, t = global_thread_index();
    float row_maximum = -INFINITY, sum = 0;

    my->row = (t - threadIdx.x) / width + threadIdx.x / width;
    my->first_column = threadIdx.x % width;
    my->width = width;
    if (my->row >= rows.n) c = 0; /* takes part in shuffles and barriers,
                                   * without elements */
    x += my->row * rows.c;
#pragma unroll
    for (unsigned k = 0; k < ITEMS_PER_THREAD; k++) {
        unsigned j = my->first_column + k * width;
        my->items[k] = j < c ? x[j] : -INFINITY;
        row_maximum = fmaxf(row_maximum, my->items[k]);
    }
    for (unsigned j = my->first_column + ITEMS_PER_THREAD * width; j < c;
         j += width)
        row_maximum = fmaxf(row_maximum, x[j]);
    my->row_maximum = row_maximum = row_max(row_maximum, width);
#pragma unroll
    for (unsigned k = 0; k < ITEMS_PER_THREAD; k++) {
        if (my->first_column + k * width < c) {
            my->items[k] = expf(my->items[k] - row_maximum);
            sum += my->items[k];
        }
    }
    for (unsigned j = my->first_column + ITEMS_PER_THREAD * width; j < c;
         j += width)
        sum += expf(x[j] - row_maximum);
    my->sum = row_sum(sum, width);
}

/** A warp (or a block, depending on `width`) owns a row.
 *
 *  Grid for all rows, block 256.  A row of up to 512 (4,096) elements is loaded
 *  once, coalesced, and stored once. y may be x: no thread loads an element
 *  that another thread stores.
 */
__global__ void softmax_rows(const float *x, float *y, struct planes rows,
                             unsigned width)
{
    struct thread_row my;

    load_row(&my, x, rows, width);
    if (my.row >= rows.n) return;
    x += my.row * rows.c;
    y += my.row * rows.c;
#pragma unroll
    for (unsigned k = 0; k < ITEMS_PER_THREAD; k++)
        if (my.first_column + k * width < rows.c)
            y[my.first_column + k * width] = my.items[k] / my.sum;
    for (unsigned j = my.first_column + ITEMS_PER_THREAD * width; j < rows.c;
         j += width)
        y[j] = expf(x[j] - my.row_maximum) / my.sum;
}

/** Number of blocks for all rows. */
static inline unsigned row_blocks(struct planes rows)
{
    return (unsigned)ceil_div(rows.n, THREADS / threads_per_row(rows));
}

int softmax_forward(const struct layer_shape *shape, const float *d_x,
                    float *d_y)
{
    struct planes rows;
    int n = element_count(shape, &rows);

    if (n < 0 || shape->h != 1 || shape->w != 1) return cudaErrorInvalidValue;
    if (n == 0) return cudaSuccess;
    softmax_rows<<<row_blocks(rows), THREADS>>>(d_x, d_y, rows,
                                                threads_per_row(rows));
    return CUDA_CHECK(cudaGetLastError());
}

/** Number of blocks whose losses are stored; the last one resets it to 0. */
__device__ static unsigned blocks_done;

/** The last block of the grid to finish computes the mean of n losses.  The
 *  fence before the atomic makes all losses visible to it; it adds them in a
 *  fixed order. */
__device__ static inline void last_block_mean_loss(volatile float *losses,
                                                   unsigned n)
{
    __shared__ bool s_last;
    float sum = 0;

    __syncthreads(); /* the losses of this block are stored */
    if (threadIdx.x == 0) {
        __threadfence();
        s_last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!s_last) return;
    for (unsigned i = threadIdx.x; i < n; i += THREADS)
        sum += losses[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) losses[n] = n ? sum / n : 0;
}

/** Store the loss and the gradient of a row, from the registers of its threads.
 */
__device__ static inline void store_row_loss(const struct thread_row *my,
                                             const float *x, unsigned label,
                                             float *x_grad, float *loss,
                                             struct planes rows)
{
    const float known = label < rows.c ? 1.0f : NAN;
    const float factor = known / rows.n;

    if (my->first_column == 0)
        *loss = label < rows.c ? logf(my->sum) - (x[label] - my->row_maximum)
                               : NAN;
    if (my->width == LANES)
        __syncwarp(); /* x_grad may be x: load x at the label first */
    else
        __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < ITEMS_PER_THREAD; k++) {
        unsigned j = my->first_column + k * my->width;
        if (j < rows.c)
            x_grad[j] = (my->items[k] / my->sum - (j == label)) * factor;
    }
    for (unsigned j = my->first_column + ITEMS_PER_THREAD * my->width;
         j < rows.c; j += my->width)
        x_grad[j] =
            (expf(x[j] - my->row_maximum) / my->sum - (j == label)) * factor;
}

/** Rows as in softmax_rows; losses, gradients and the mean loss. */
__global__ void cross_entropy_rows(const float *x, const unsigned char *labels,
                                   float *losses, float *x_grad,
                                   struct planes rows, unsigned width)
{
    struct thread_row my;

    load_row(&my, x, rows, width);
    if (my.row < rows.n)
        store_row_loss(&my, x + my.row * rows.c, labels[my.row],
                       x_grad + my.row * rows.c, &losses[my.row], rows);
    last_block_mean_loss(losses, rows.n);
}

int softmax_cross_entropy(const struct layer_shape *shape, const float *d_x,
                          const unsigned char *d_labels, float *d_losses,
                          float *d_x_grad)
{
    struct planes rows;

    if (element_count(shape, &rows) < 0 || shape->h != 1 || shape->w != 1)
        return cudaErrorInvalidValue;
    unsigned blocks = rows.n ? row_blocks(rows) : 1;

    cross_entropy_rows<<<blocks, THREADS>>>(d_x, d_labels, d_losses, d_x_grad,
                                            rows, threads_per_row(rows));
    return CUDA_CHECK(cudaGetLastError());
}

#endif
