/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 08: a fast product of two matrices on the GPU.  The contract is in
 *  fast_gemm.h. */
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

/** A block computes TILE by TILE elements of C, a thread ITEMS_PER_THREAD of
 *  them.  These are first values; change them later. */
enum {
    TILE = 64,
    TILE_K = 8,
    ITEMS_PER_THREAD = 8,
    THREADS = TILE * TILE / ITEMS_PER_THREAD
};

/** One block per tile of C. */
__global__ void __launch_bounds__(THREADS) multiply(const struct gemm_args p)
{
    /* Tiles: __shared__ float s_a[TILE][TILE_K], s_b[TILE_K][TILE]; */
    /* TODO 1: which elements of C does this thread own? One sum for each, in
     * registers: an array whose indices are known when loops are unrolled */
    /* TODO 2: store both tiles; `load_element` returns 0 outside a matrix */
    /* TODO 3: for each of the TILE_K terms: which elements of s_a and s_b does
     * the thread need? Load them once, use them in all its sums */
    /* TODO 4: store the sums */
}

static cudaError_t launch(const struct gemm_args *p)
{
    /* TODO 5: one block per tile: grid_over(p, TILE, TILE); launch */
    return cudaErrorNotSupported;
}
