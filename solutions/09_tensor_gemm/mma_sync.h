/* SPDX-License-Identifier: MIT */
/** @file
 *  The kernel of step 3: asynchronous copies that overlap the multiplication,
 *  and the PTX instructions below the wmma API. */
#ifndef TENSOR_MMA_SYNC_H
#define TENSOR_MMA_SYNC_H

#include "ptx.h"
#include "staged.h"

/** A block's tile of C, and a stage: the tiles of A and B for K terms.  The
 *  tile of A is M rows of 128 bytes, that of B two boxes of K rows of 128
 *  bytes, 64 columns each.  In all of them ptx_swizzle_128() gives the position
 *  of a chunk of 16 bytes. */
struct mma {
    enum { M = 128, N = 128, K = 64, STAGES = 3, THREADS = 256 };
    enum {
        ROW_BYTES = 128,
        BOX_BYTES = K * ROW_BYTES,
        A_BYTES = M * ROW_BYTES,
        B_BYTES = 2 * BOX_BYTES
    };
    enum {
        STAGE_BYTES = A_BYTES + B_BYTES,
        SHARED_BYTES = STAGES * STAGE_BYTES
    };
    enum { WARP_MMAS_M = 4, WARP_MMAS_N = 4 }; /**< MMAs of 16 x 8 per warp: 64
                                                    x 32 of C */
};

/** Start to copy one chunk to shared memory. */
__device__ static inline void
load_chunk_async(unsigned char *s_to, struct matrix x, int row, int column)
{
    const bool inside = row < x.rows && column < x.columns;
    const size_t at = inside ? (size_t)row * x.columns + column : 0;

    ptx_cp_async_16(s_to, x.data + at, inside ? 16 : 0);
}

/** Start to copy a stage, starting at [row][k] of A and [k][column] of B: eight
 *  chunks per thread. */
__device__ static inline void load_stage_async(unsigned char *s_stage,
                                               struct matrix a, struct matrix b,
                                               struct tile_coord at, int k)
{
    enum { CHUNKS = mma::A_BYTES / 16, CHUNKS_PER_BOX = mma::BOX_BYTES / 16 };

    for (int i = (int)threadIdx.x; i < CHUNKS; i += mma::THREADS)
        load_chunk_async(s_stage + ptx_swizzle_128(16 * i), a,
                         at.row + i / CHUNK, k + i % CHUNK * CHUNK);
    for (int i = (int)threadIdx.x; i < CHUNKS; i += mma::THREADS)
        load_chunk_async(s_stage + mma::A_BYTES + ptx_swizzle_128(16 * i), b,
                         k + i % CHUNKS_PER_BOX / CHUNK,
                         at.column + i / CHUNKS_PER_BOX * 64
                             + i % CHUNK * CHUNK);
}

/** A warp accumulates a stage: 4 x 4 MMAs for each 16 along k, with four
 *  ldmatrix for A and two for B. */
template <typename T>
__device__ static inline void
mma_stage(float (*sum)[mma::WARP_MMAS_N][4], const unsigned char *s_stage)
{
    const int lane = (int)threadIdx.x % LANES, warp = (int)threadIdx.x / LANES;
    const int row = warp / 4 * 64 + lane % 16, half = lane / 16;
    const int column = warp % 4 * 32 + half * CHUNK;
    const unsigned char *s_b = s_stage + mma::A_BYTES;

#pragma unroll 2 /* more would spill at 128 registers */
    for (int k = 0; k < mma::K; k += 16) {
        unsigned fa[mma::WARP_MMAS_M][4], fb[mma::WARP_MMAS_N / 2][4];
        for (int i = 0; i < mma::WARP_MMAS_M; i++)
            ptx_ldmatrix<4>(
                fa[i], s_stage
                           + ptx_swizzle_128((row + 16 * i) * mma::ROW_BYTES
                                             + 2 * k + 16 * half));
        for (int j = 0; j < mma::WARP_MMAS_N / 2; j++) {
            const int q = column + 16 * j;
            ptx_ldmatrix_trans<4>(
                fb[j], s_b + q / 64 * mma::BOX_BYTES
                       + ptx_swizzle_128((k + lane % 16) * mma::ROW_BYTES
                                         + q % 64 * 2));
        }
        for (int i = 0; i < mma::WARP_MMAS_M; i++)
            for (int j = 0; j < mma::WARP_MMAS_N; j++)
                ptx_mma<T>(sum[i][j], fa[i], &fb[j / 2][j % 2 * 2]);
    }
}

/** A warp stores its 64 x 32 sums. */
__device__ static inline void
store_accumulators(float *c, struct shape s, struct tile_coord at,
                   float (*sum)[mma::WARP_MMAS_N][4])
{
    const int lane = (int)threadIdx.x % LANES, warp = (int)threadIdx.x / LANES;
    const int row = at.row + warp / 4 * 64 + lane / 4;
    const int column = at.column + warp % 4 * 32 + lane % 4 * 2;

    for (int i = 0; i < mma::WARP_MMAS_M; i++)
        for (int j = 0; j < mma::WARP_MMAS_N; j++) {
            store_float2(c, s, row + 16 * i, column + 8 * j, sum[i][j]);
            store_float2(c, s, row + 16 * i + 8, column + 8 * j, sum[i][j] + 2);
        }
}

/** A block owns 128 x 128 of C, each of its eight warps 64 x 32 in registers.
 *
 *  One block per tile, in the order of rasterize_tile(); block 256, 98,304
 *  bytes of dynamic shared memory: three stages.  While one is used, two are in
 *  flight.  The one barrier of an iteration guarantees that the copies of all
 *  threads to the next stage are complete, and that the stage used last may be
 *  overwritten.
 */
template <typename T>
__global__ void __launch_bounds__(mma::THREADS, 2)
multiply_mma(struct matrix a, struct matrix b, float *c, struct shape s)
{
    extern __shared__ __align__(128) unsigned char s_stages[];
    const int k_tiles = (s.k + mma::K - 1) / mma::K;
    const struct tile_coord at = rasterize_tile(
        blockIdx.x, (unsigned)((s.m + mma::M - 1) / mma::M),
        (unsigned)((s.n + mma::N - 1) / mma::N), mma::M, mma::N);
    float sum[mma::WARP_MMAS_M][mma::WARP_MMAS_N][4] = {};

    for (int i = 0; i < mma::STAGES - 1; i++) {
        if (i < k_tiles)
            load_stage_async(s_stages + i * mma::STAGE_BYTES, a, b, at,
                             i * mma::K);
        ptx_cp_async_commit();
    }
    for (int i = 0; i < k_tiles; i++) {
        const int next = i + mma::STAGES - 1;
        ptx_cp_async_wait<mma::STAGES - 2>();
        __syncthreads();
        if (next < k_tiles)
            load_stage_async(s_stages + next % mma::STAGES * mma::STAGE_BYTES,
                             a, b, at, next * mma::K);
        ptx_cp_async_commit();
        mma_stage<T>(sum, s_stages + i % mma::STAGES * mma::STAGE_BYTES);
    }
    store_accumulators(c, s, at, sum);
}

/** Launch the kernel, or that of step 2 on GPUs below compute capability 8.0
 *  and if the row length is not a multiple of 16 bytes.  Device pointers. */
template <typename T>
static cudaError_t launch_mma(const T *d_a, const T *d_b, float *d_c,
                              struct shape s)
{
    const struct matrix a = matrix_a(d_a, s), b = matrix_b(d_b, s);
    const size_t blocks =
        ceil_div((size_t)s.m, mma::M) * ceil_div((size_t)s.n, mma::N);
    int cc = 0;
    cudaError_t err = compute_capability(&cc);

    if (!err && (cc < 80 || !is_vector_aligned(a) || !is_vector_aligned(b)))
        return launch_staged(d_a, d_b, d_c, s);
    if (!err)
        err = CUDA_CHECK(cudaFuncSetAttribute(
            multiply_mma<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
            mma::SHARED_BYTES));
    if (err) return err;
    if (blocks > INT32_MAX) return cudaErrorInvalidValue;
    multiply_mma<T>
        <<<(unsigned)blocks, mma::THREADS, mma::SHARED_BYTES>>>(a, b, d_c, s);
    return CUDA_CHECK(cudaGetLastError());
}

#endif
