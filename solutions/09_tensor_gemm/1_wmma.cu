/* SPDX-License-Identifier: MIT */
/** @file
 *  GEMM on tensor cores, step 1: a warp computes a 16 x 16 tile with
 *  nvcuda::wmma, and loads each tile of A and B from global memory only for
 *  itself. */
#include "host.h"

enum { WARPS = 4 }; /* warps per block, side by side */

/** The tiles of A, B and C of a warp in shared memory. */
template <typename T> struct tiles {
    T a[TILE * TILE], b[TILE * TILE];
    float c[TILE * TILE];
};

/** A warp loads 16 x 16 elements of a rows x columns matrix, starting at [row]
 *  [column]; elements outside the matrix become 0. */
template <typename T>
__device__ static void load_tile(T *s_tile, const T *__restrict__ from,
                                 int rows, int columns, int row, int column)
{
    for (int i = (int)threadIdx.x; i < TILE * TILE; i += LANES) {
        const int r = row + i / TILE, q = column + i % TILE;

        s_tile[i] = r < rows && q < columns ? from[(size_t)r * columns + q]
                                            : T(0.0f);
    }
}

/** A warp owns a tile of 16 x 16 of C, a block four tiles side by side.
 *
 *  Block 32 x 4, 8,192 bytes of shared memory.  A thread loads 8 elements of A
 *  and of B for each 16 along k; A is loaded n / 16 times, B m / 16 times.
 *  Warps do not synchronize with each other: __syncwarp() separates the stores
 *  to the tiles from the loads, and the loads from the next stores.
 */
template <typename T>
__global__ void multiply_tiles(const T *__restrict__ a,
                               const T *__restrict__ b, float *c,
                               struct shape s)
{
    if constexpr (has_tensor_cores<T>) {
        __shared__ __align__(32) tiles<T> s_tiles[WARPS];
        tiles<T> &s_warp_tile = s_tiles[threadIdx.y];
        const int row = (int)(blockIdx.z * gridDim.y + blockIdx.y) * TILE;
        const int column = (int)(blockIdx.x * WARPS + threadIdx.y) * TILE;
        wmma::fragment<wmma::matrix_a, TILE, TILE, TILE, T, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, TILE, TILE, TILE, T, wmma::row_major> fb;
        wmma::fragment<wmma::accumulator, TILE, TILE, TILE, float> sum;

        if (row >= s.m || column >= s.n) return; /* the whole warp returns */
        wmma::fill_fragment(sum, 0.0f);
        for (int k = 0; k < s.k; k += TILE) {
            load_tile(s_warp_tile.a, a, s.m, s.k, row, k);
            load_tile(s_warp_tile.b, b, s.k, s.n, k, column);
            __syncwarp();
            wmma::load_matrix_sync(fa, s_warp_tile.a, TILE);
            wmma::load_matrix_sync(fb, s_warp_tile.b, TILE);
            wmma::mma_sync(sum, fa, fb, sum);
            __syncwarp();
        }
        store_tile(sum, s_warp_tile.c, c, s, row, column);
    }
}

template <typename T>
static cudaError_t launch(const T *d_a, const T *d_b, float *d_c,
                          struct shape s)
{
    const dim3 grid = grid_of_tiles(ceil_div((size_t)s.n, TILE * WARPS),
                                    ceil_div((size_t)s.m, TILE));

    multiply_tiles<<<grid, dim3(LANES, WARPS)>>>(d_a, d_b, d_c, s);
    return CUDA_CHECK(cudaGetLastError());
}
