/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Lab 12, step 3: softmax with a row in registers, a warp or a block each. */
#ifndef LAYERS_ROWS_H
#define LAYERS_ROWS_H

#include "warps.h"

enum { HELD = 16 }; /* elements of a row that a thread holds */

/** Threads that share a row: a warp, a block, and for rows that even a block
 *  does not hold a block that reads them again. */
static inline unsigned row_width(struct planes rows)
{
    return rows.c <= LANES * HELD ? LANES : THREADS;
}

/** The sum over the threads of a row. */
__device__ static inline float row_sum(float value, unsigned width)
{
    return width == LANES ? warp_sum(value) : block_sum(value);
}

/** The largest over the threads of a row. */
__device__ static inline float row_max(float value, unsigned width)
{
    return width == LANES ? warp_max(value) : block_max(value);
}

/** What a thread knows of its row: number, place in it, share of it. */
struct my_row {
    size_t row;          /**< number; at least rows.n: none */
    unsigned rank;       /**< column of held[0] */
    unsigned width;      /**< from held[k] to held[k + 1] */
    float held[HELD];    /**< x, then exp(x - most), within the row */
    float most, sum;     /**< of the row: largest x; sum of the exponentials */
};

/** The exponentials of a row, and its two numbers.  The first HELD elements of
 *  a thread stay in registers; further ones (of rows beyond 4,096) are read
 *  again by whoever needs them. */
__device__ static inline void take_row(struct my_row *my, const float *x,
                                       struct planes rows, unsigned width)
{
    unsigned c = rows.c, t = thread_number();
    float most = -INFINITY, sum = 0;

    my->row = (t - threadIdx.x) / width + threadIdx.x / width;
    my->rank = threadIdx.x % width;
    my->width = width;
    if (my->row >= rows.n) c = 0; /* takes part, with nothing */
    x += my->row * rows.c;
#pragma unroll
    for (unsigned k = 0; k < HELD; k++) {
        unsigned j = my->rank + k * width;
        my->held[k] = j < c ? x[j] : -INFINITY;
        most = fmaxf(most, my->held[k]);
    }
    for (unsigned j = my->rank + HELD * width; j < c; j += width)
        most = fmaxf(most, x[j]);
    my->most = most = row_max(most, width);
#pragma unroll
    for (unsigned k = 0; k < HELD; k++) {
        if (my->rank + k * width < c) {
            my->held[k] = expf(my->held[k] - most);
            sum += my->held[k];
        }
    }
    for (unsigned j = my->rank + HELD * width; j < c; j += width)
        sum += expf(x[j] - most);
    my->sum = row_sum(sum, width);
}

/** A warp (or a block, by `width`) owns a row.
 *
 *  Grid for all rows, block 256.  A row of up to 512 (4,096) elements is read
 *  once, lanes side by side, and written once.  y may be x: nobody reads what
 *  another thread writes.
 */
__global__ void softmax_rows(const float *x, float *y, struct planes rows,
                             unsigned width)
{
    struct my_row my;

    take_row(&my, x, rows, width);
    if (my.row >= rows.n) return;
    x += my.row * rows.c;
    y += my.row * rows.c;
#pragma unroll
    for (unsigned k = 0; k < HELD; k++)
        if (my.rank + k * width < rows.c)
            y[my.rank + k * width] = my.held[k] / my.sum;
    for (unsigned j = my.rank + HELD * width; j < rows.c; j += width)
        y[j] = expf(x[j] - my.most) / my.sum;
}

/** Blocks for all rows. */
static inline unsigned row_blocks(struct planes rows)
{
    return (unsigned)tiles_for(rows.n, THREADS / row_width(rows));
}

// END SOLUTION
int softmax_forward(const struct layer_shape *shape, const float *d_x,
                    float *d_y)
{
    struct planes rows;
    int n = shape_count(shape, &rows);

    if (n < 0 || shape->h != 1 || shape->w != 1) return cudaErrorInvalidValue;
    if (n == 0) return cudaSuccess;
// BEGIN SOLUTION
    softmax_rows<<<row_blocks(rows), THREADS>>>(d_x, d_y, rows,
                                                row_width(rows));
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 10: the largest, the sum of exp(x - largest), the quotient */
//     return cudaErrorNotSupported;
// END SOLUTION
}

// BEGIN SOLUTION
/** Blocks whose losses are written; the last sets it back to 0. */
__device__ static unsigned blocks_done;

/** The last block of the grid to come here makes the mean of n losses: by the
 *  fence before the count it sees all of them, and adds in their order. */
__device__ static inline void last_block_means(volatile float *losses,
                                               unsigned n)
{
    __shared__ bool s_last;
    float sum = 0;

    __syncthreads(); /* this block's losses are written */
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

/** A row's loss and gradient, from what its threads hold. */
__device__ static inline void give_loss(const struct my_row *my,
                                        const float *x, unsigned label,
                                        float *x_grad, float *loss,
                                        struct planes rows)
{
    const float known = label < rows.c ? 1.0f : NAN;
    const float factor = known / rows.n;

    if (my->rank == 0)
        *loss = label < rows.c ? logf(my->sum) - (x[label] - my->most) : NAN;
    if (my->width == LANES)
        __syncwarp(); /* x_grad may be x: the label's is read before */
    else
        __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < HELD; k++) {
        unsigned j = my->rank + k * my->width;
        if (j < rows.c)
            x_grad[j] = (my->held[k] / my->sum - (j == label)) * factor;
    }
    for (unsigned j = my->rank + HELD * my->width; j < rows.c; j += my->width)
        x_grad[j] = (expf(x[j] - my->most) / my->sum - (j == label)) * factor;
}

/** Rows as in softmax_rows; their losses and gradients, and the mean. */
__global__ void loss_rows(const float *x, const unsigned char *labels,
                          float *losses, float *x_grad, struct planes rows,
                          unsigned width)
{
    struct my_row my;

    take_row(&my, x, rows, width);
    if (my.row < rows.n)
        give_loss(&my, x + my.row * rows.c, labels[my.row],
                  x_grad + my.row * rows.c, &losses[my.row], rows);
    last_block_means(losses, rows.n);
}

// END SOLUTION
int softmax_loss(const struct layer_shape *shape, const float *d_x,
                 const unsigned char *d_labels, float *d_losses,
                 float *d_x_grad)
{
    struct planes rows;

    if (shape_count(shape, &rows) < 0 || shape->h != 1 || shape->w != 1)
        return cudaErrorInvalidValue;
// BEGIN SOLUTION
    unsigned blocks = rows.n ? row_blocks(rows) : 1;

    loss_rows<<<blocks, THREADS>>>(d_x, d_labels, d_losses, d_x_grad, rows,
                                   row_width(rows));
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 11: a row's loss is log(sum) - (x at the label - largest); is the
//      * label a class?  Behind the losses their mean, of no rows too */
//     return cudaErrorNotSupported;
// END SOLUTION
}
// BEGIN SOLUTION

#endif
// END SOLUTION
