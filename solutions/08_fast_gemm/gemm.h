/* SPDX-License-Identifier: MIT */
/** @file
 *  What the steps of lab 08 share: the matrices, their bounds checks, and the
 *  host code.  Each step defines its kernel and `launch`. */
#ifndef FAST_GEMM_GEMM_H
#define FAST_GEMM_GEMM_H

#include <stdint.h>

#include "fast_gemm.h"
#include "grid.h"

/** An input matrix: device memory, row-major. */
struct matrix {
    const float *first;  /**< element (0, 0) */
    unsigned rows, cols; /**< its size; the row stride is `cols` floats */
    bool aligned;        /**< each row starts at a multiple of 16 bytes */
};

/** The arguments of C = alpha A B + beta C, as kernels get them. */
struct gemm_args {
    struct matrix a, b; /**< a.cols = b.rows */
    float *c;           /**< a.rows by b.cols */
    bool c_aligned;     /**< its rows start at multiples of 16 bytes */
    float alpha, beta;  /**< with beta = 0, C is not read */
};

/** Element (row, col); 0 outside the matrix. */
__device__ inline float load_element(const struct matrix *x, unsigned row,
                                     unsigned col)
{
    if (row >= x->rows || col >= x->cols) return 0;
    return x->first[(size_t)row * x->cols + col];
}

/** Store element (row, col) of C, if it exists, with alpha and beta. */
__device__ inline void store_element(const struct gemm_args *p, unsigned row,
                                     unsigned col, float sum)
{
    if (row >= p->a.rows || col >= p->b.cols) return;
    float *c = &p->c[(size_t)row * p->b.cols + col];
    *c = p->beta == 0 ? p->alpha * sum : p->alpha * sum + p->beta * *c;
}

/** The first row of C in this block's tile of `height` rows.  The y dimension
 *  of the grid continues in z; the row may be below the last row of C. */
__device__ inline unsigned tile_first_row(unsigned height)
{
    return (blockIdx.z * gridDim.y + blockIdx.y) * height;
}

/** sum += a_frag * b_frag, the outer product, all in registers. */
template <int M, int N>
__device__ static inline void outer_product_add(float (&sum)[M][N],
                                                const float (&a_frag)[M],
                                                const float (&b_frag)[N])
{
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
        for (int j = 0; j < N; j++)
            sum[i][j] += a_frag[i] * b_frag[j];
}

/** Four elements of a row, from column `col`, a multiple of 4; 0 outside the
 *  matrix. */
__device__ static inline float4 load_float4(const struct matrix *x,
                                            unsigned row, unsigned col)
{
    if (x->aligned && row < x->rows && col < x->cols)
        return *(const float4 *)&x->first[(size_t)row * x->cols + col];
    return make_float4(load_element(x, row, col), load_element(x, row, col + 1),
                       load_element(x, row, col + 2),
                       load_element(x, row, col + 3));
}

/** Load N / 4 float4 from shared memory with a stride of `stride` floats. */
template <int N>
__device__ static inline void load_fragment(float (&to)[N], const float *from,
                                            int stride)
{
#pragma unroll
    for (int i = 0; i < N / 4; i++) {
        const float4 q = *(const float4 *)(from + i * stride);
        to[4 * i] = q.x;
        to[4 * i + 1] = q.y;
        to[4 * i + 2] = q.z;
        to[4 * i + 3] = q.w;
    }
}

/** Store four elements of a row of A as column `row` of its transposed tile. */
template <int TILE_N>
__device__ static inline void
store_transposed(float (*s_a)[TILE_N], unsigned row, unsigned col, float4 q)
{
    s_a[col][row] = q.x;
    s_a[col + 1][row] = q.y;
    s_a[col + 2][row] = q.z;
    s_a[col + 3][row] = q.w;
}

/** Store four elements of C, from column `col`, a multiple of 4, with alpha and
 *  beta. */
__device__ static inline void store_float4(const struct gemm_args *p,
                                           unsigned row, unsigned col,
                                           const float *sum)
{
    if (!p->c_aligned || row >= p->a.rows || col >= p->b.cols) {
        for (int j = 0; j < 4; j++)
            store_element(p, row, col + j, sum[j]);
        return;
    }
    float4 *c = (float4 *)&p->c[(size_t)row * p->b.cols + col];
    float4 q = p->beta == 0 ? make_float4(0, 0, 0, 0) : *c;
    const float beta = p->beta, alpha = p->alpha;
    *c = make_float4(alpha * sum[0] + beta * q.x, alpha * sum[1] + beta * q.y,
                     alpha * sum[2] + beta * q.z, alpha * sum[3] + beta * q.w);
}

/** Store a thread's sums: float4 of rows with stride `stride_y` and float4 of
 *  columns with stride `stride_x`, the first of them at (row, col). */
template <int M, int N>
__device__ static inline void
store_fragment(const struct gemm_args *p, unsigned row, unsigned col,
               const float (&sum)[M][N], int stride_y, int stride_x)
{
#pragma unroll
    for (int i = 0; i < M; i++)
#pragma unroll
        for (int j = 0; j < N; j += 4)
            store_float4(p, row + i / 4 * stride_y + i % 4,
                         col + j / 4 * stride_x, &sum[i][j]);
}

/** Does each row of `cols` floats start at a multiple of 16 bytes? */
static inline bool is_float4_aligned(const float *first, unsigned cols)
{
    return (uintptr_t)first % sizeof(float4) == 0 && cols % 4 == 0;
}

/** A grid of blocks with tiles of `height` by `width` elements of C. */
inline dim3 grid_over(const struct gemm_args *p, unsigned height,
                      unsigned width)
{
    return grid_of_tiles(ceil_div(p->b.cols, width),
                         ceil_div(p->a.rows, height));
}

/** Launch the kernel for a C that is not empty; the caller checks the error of
 *  the launch. */
static cudaError_t launch(const struct gemm_args *p);

int fast_gemm(const float *d_a, const float *d_b, float *d_c, int m, int n,
              int k, float alpha, float beta)
{
    const unsigned rows = m, cols = n, terms = k;
    const struct gemm_args p = {
        {d_a, rows, terms, is_float4_aligned(d_a, terms)},
        {d_b, terms, cols, is_float4_aligned(d_b, cols)},
        d_c,
        is_float4_aligned(d_c, cols),
        alpha,
        beta};

    if (m == 0 || n == 0) return cudaSuccess;
    cudaError_t err = launch(&p);
    return err ? err : CUDA_CHECK(cudaGetLastError());
}

#endif
