/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 08: a fast product of two matrices on the GPU.  The contract is in
 *  fast_gemm.h. */
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

/** A block computes TILE by TILE elements of C, a thread EACH of them: a
 *  first choice, to be changed. */
enum { TILE = 64, DEEP = 8, EACH = 8, THREADS = TILE * TILE / EACH };

/** One block a tile of C. */
__global__ void __launch_bounds__(THREADS) multiply(const struct product p)
{
    /* Tiles: __shared__ float s_a[TILE][DEEP], s_b[DEEP][TILE]; */
    /* TODO 1: which elements of C are this thread's? A sum for each, in
     * registers: an array whose indices are all known once loops unroll */
    /* TODO 2: fill both tiles; outside of the matrices `element` gives 0 */
    /* TODO 3: for each of the DEEP terms: what of s_a and s_b does the thread
     * need? Read it once, use it for all its sums */
    /* TODO 4: store the sums */
}

static cudaError_t launch(const struct product *p)
{
    /* TODO 5: a block for each tile: grid_over(p, TILE, TILE); launch */
    return cudaErrorNotSupported;
}
