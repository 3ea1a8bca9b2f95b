/* SPDX-License-Identifier: MIT */
/** @file
 *  The kernel of step 2.  Later steps use it on GPUs below compute capability
 *  8.0. */
#ifndef TENSOR_STAGED_H
#define TENSOR_STAGED_H

#include "load_store.h"

/** A block's tile of C, and the number of terms per stage; PAD elements after
 *  each row avoid bank conflicts. */
struct staged {
    enum { M = 64, N = 64, K = 64, PAD = 8, THREADS = 128, SIDE = 2 };
    enum { WARP_TILE = 32 }; /**< side of a warp's tile: SIDE x SIDE fragments
                                  */
};

/** A block loads a tile of `rows` x `columns` elements into shared memory, with
 *  a row stride of `columns` + PAD elements. */
template <int rows, int columns>
__device__ static void load_block_tile(uint16_t *s_to, struct matrix x,
                                       bool vectorized, int row, int column)
{
    for (int i = (int)threadIdx.x; i < rows * columns / CHUNK;
         i += staged::THREADS) {
        const int r = i / (columns / CHUNK), q = i % (columns / CHUNK) * CHUNK;

        *(uint4 *)&s_to[r * (columns + staged::PAD) + q] =
            vectorized ? load_8<true>(x, row + r, column + q)
                 : load_8<false>(x, row + r, column + q);
    }
}

/** A block owns 64 x 64 of C, each of its four warps 32 x 32: 2 x 2 fragments.
 *
 *  One block per tile, in the order of rasterize_tile(); block 128, 22,528
 *  bytes of shared memory.  A is loaded n / 64 times, B m / 64 times, 16 bytes
 *  per thread; two fragments of A and two of B in registers are used for four
 *  MMAs.  The barriers separate the stores to the tiles from the loads, and the
 *  loads from the next stores.
 */
template <typename T>
__global__ void __launch_bounds__(staged::THREADS, 4)
multiply_staged(struct matrix a, struct matrix b, float *c, struct shape s,
                bool vectorized)
{
    if constexpr (has_tensor_cores<T>) {
        enum { LDA = staged::K + staged::PAD, LDB = staged::N + staged::PAD };
        __shared__ __align__(32) uint16_t s_a[staged::M * LDA];
        __shared__ __align__(32) uint16_t s_b[staged::K * LDB];
        __shared__ __align__(32) float s_sum[4][TILE * TILE];
        const int warp = (int)threadIdx.x / LANES;
        const int r = warp / 2 * staged::WARP_TILE,
                  q = warp % 2 * staged::WARP_TILE;
        const struct tile_coord at = rasterize_tile(
            blockIdx.x, (unsigned)((s.m + staged::M - 1) / staged::M),
            (unsigned)((s.n + staged::N - 1) / staged::N), staged::M,
            staged::N);
        wmma::fragment<wmma::matrix_a, TILE, TILE, TILE, T, wmma::row_major>
            fa[2];
        wmma::fragment<wmma::matrix_b, TILE, TILE, TILE, T, wmma::row_major>
            fb[2];
        wmma::fragment<wmma::accumulator, TILE, TILE, TILE, float> sum[2][2];

        for (int i = 0; i < 4; i++)
            wmma::fill_fragment(sum[i / 2][i % 2], 0.0f);
        for (int k = 0; k < s.k; k += staged::K) {
            load_block_tile<staged::M, staged::K>(s_a, a, vectorized, at.row,
                                                  k);
            load_block_tile<staged::K, staged::N>(s_b, b, vectorized, k,
                                                  at.column);
            __syncthreads();
#pragma unroll
            for (int l = 0; l < staged::K; l += TILE) {
                for (int i = 0; i < 2; i++)
                    wmma::load_matrix_sync(
                        fa[i], (const T *)&s_a[(r + i * TILE) * LDA + l], LDA);
                for (int j = 0; j < 2; j++)
                    wmma::load_matrix_sync(
                        fb[j], (const T *)&s_b[l * LDB + q + j * TILE], LDB);
                for (int i = 0; i < 4; i++)
                    wmma::mma_sync(sum[i / 2][i % 2], fa[i / 2], fb[i % 2],
                                   sum[i / 2][i % 2]);
            }
            __syncthreads();
        }
        for (int i = 0; i < 4; i++)
            store_tile(sum[i / 2][i % 2], s_sum[warp], c, s,
                       at.row + r + i / 2 * TILE,
                       at.column + q + i % 2 * TILE);
    }
}

/** Launch the kernel; device pointers. */
template <typename T>
static cudaError_t launch_staged(const T *d_a, const T *d_b, float *d_c,
                                 struct shape s)
{
    const struct matrix a = matrix_a(d_a, s), b = matrix_b(d_b, s);
    const size_t blocks = ceil_div((size_t)s.m, staged::M)
                          * ceil_div((size_t)s.n, staged::N);

    if (blocks > INT32_MAX) return cudaErrorInvalidValue;
    multiply_staged<T><<<(unsigned)blocks, staged::THREADS>>>(
        a, b, d_c, s, is_vector_aligned(a) && is_vector_aligned(b));
    return CUDA_CHECK(cudaGetLastError());
}

#endif
