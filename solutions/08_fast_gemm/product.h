/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  What the steps of lab 08 share: the matrices, their edges, and the host's
 *  half.  Each step defines its kernel and `launch`.
 */
#ifndef FAST_GEMM_PRODUCT_H
#define FAST_GEMM_PRODUCT_H

// HANDOUT
// /** @file
//  *  Lab 08: a fast product of two matrices on the GPU.  The contract is in
//  *  fast_gemm.h. */
// END SOLUTION
#include <stdint.h>

#include "fast_gemm.h"
#include "grid.h"

/** A matrix that is read: device memory, row-major. */
struct matrix {
    const float *first;  /**< element (0, 0) */
    unsigned rows, cols; /**< of it; a row is `cols` floats long */
    bool wide;           /**< each row begins at a multiple of 16 bytes */
};

/** C = alpha A B + beta C, as the kernels get it. */
struct product {
    struct matrix a, b; /**< a.cols = b.rows */
    float *c;           /**< a.rows by b.cols */
    bool wide_c;        /**< its rows begin at multiples of 16 bytes */
    float alpha, beta;  /**< with beta = 0 C is not read */
};

/** Element (row, col), 0 outside of the matrix. */
__device__ inline float element(const struct matrix *x, unsigned row,
                                unsigned col)
{
    if (row >= x->rows || col >= x->cols) return 0;
    return x->first[(size_t)row * x->cols + col];
}

/** Give C's element (row, col), if there is such, its value. */
__device__ inline void store(const struct product *p, unsigned row,
                             unsigned col, float sum)
{
    if (row >= p->a.rows || col >= p->b.cols) return;
    float *c = &p->c[(size_t)row * p->b.cols + col];
    *c = p->beta == 0 ? p->alpha * sum : p->alpha * sum + p->beta * *c;
}

/** The first row of C of this block's tile of `height` rows: the grid's y goes
 *  on in z, and may go on below the last row. */
__device__ inline unsigned first_row(unsigned height)
{
    return (blockIdx.z * gridDim.y + blockIdx.y) * height;
}

// BEGIN SOLUTION
/** sum += left * right, the outer product: all in registers. */
template <int M, int N>
__device__ static inline void multiply_add(float (&sum)[M][N],
                                           const float (&left)[M],
                                           const float (&right)[N])
{
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
        for (int j = 0; j < N; j++)
            sum[i][j] += left[i] * right[j];
}

/** Four elements of a row, from column `col`, a multiple of 4; 0 outside. */
__device__ static inline float4 quad(const struct matrix *x, unsigned row,
                                     unsigned col)
{
    if (x->wide && row < x->rows && col < x->cols)
        return *(const float4 *)&x->first[(size_t)row * x->cols + col];
    return make_float4(element(x, row, col), element(x, row, col + 1),
                       element(x, row, col + 2), element(x, row, col + 3));
}

/** Read N / 4 quads of shared memory, `gap` floats from one to the next. */
template <int N>
__device__ static inline void read_quads(float (&to)[N], const float *from,
                                         int gap)
{
#pragma unroll
    for (int i = 0; i < N / 4; i++) {
        const float4 q = *(const float4 *)(from + i * gap);
        to[4 * i] = q.x;
        to[4 * i + 1] = q.y;
        to[4 * i + 2] = q.z;
        to[4 * i + 3] = q.w;
    }
}

/** Put a quad of a row of A into column `row` of its turned tile. */
template <int WIDTH>
__device__ static inline void put_turned(float (*s_a)[WIDTH], unsigned row,
                                         unsigned col, float4 q)
{
    s_a[col][row] = q.x;
    s_a[col + 1][row] = q.y;
    s_a[col + 2][row] = q.z;
    s_a[col + 3][row] = q.w;
}

/** Give four elements of C their values, from column `col`, a multiple of 4. */
__device__ static inline void store_quad(const struct product *p, unsigned row,
                                         unsigned col, const float *sum)
{
    if (!p->wide_c || row >= p->a.rows || col >= p->b.cols) {
        for (int j = 0; j < 4; j++)
            store(p, row, col + j, sum[j]);
        return;
    }
    float4 *c = (float4 *)&p->c[(size_t)row * p->b.cols + col];
    float4 q = p->beta == 0 ? make_float4(0, 0, 0, 0) : *c;
    const float old = p->beta, fresh = p->alpha;
    *c = make_float4(fresh * sum[0] + old * q.x, fresh * sum[1] + old * q.y,
                     fresh * sum[2] + old * q.z, fresh * sum[3] + old * q.w);
}

/** Store a thread's sums: quads of rows `gap_y` apart and quads of columns
 *  `gap_x` apart, the first of them at (row, col). */
template <int M, int N>
__device__ static inline void store_quads(const struct product *p,
                                          unsigned row, unsigned col,
                                          const float (&sum)[M][N], int gap_y,
                                          int gap_x)
{
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
        for (int j = 0; j < N; j += 4)
            store_quad(p, row + i / 4 * gap_y + i % 4, col + j / 4 * gap_x,
                       &sum[i][j]);
}

// END SOLUTION
/** Does each row of `cols` floats begin at a multiple of 16 bytes? */
static inline bool is_wide(const float *first, unsigned cols)
{
    return (uintptr_t)first % sizeof(float4) == 0 && cols % 4 == 0;
}

/** A grid of blocks of `height` by `width` elements of C. */
inline dim3 grid_over(const struct product *p, unsigned height,
                      unsigned width)
{
    return grid_of_tiles(tiles_for(p->b.cols, width),
                         tiles_for(p->a.rows, height));
}

/** Launch the kernel for a C that has elements; the error is asked later. */
static cudaError_t launch(const struct product *p);

int fast_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
              int k, float alpha, float beta)
{
    const unsigned rows = m, cols = n, terms = k;
    const struct product p = {{d_a, rows, terms, is_wide(d_a, terms)},
                              {d_b, terms, cols, is_wide(d_b, cols)},
                              d_c, is_wide(d_c, cols), alpha, beta};

    if (m == 0 || n == 0) return cudaSuccess;
    cudaError_t err = launch(&p);
    return err ? err : CUDA_CHECK(cudaGetLastError());
}
// BEGIN SOLUTION

#endif
// END SOLUTION
