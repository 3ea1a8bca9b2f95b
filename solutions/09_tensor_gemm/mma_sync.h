/* SPDX-License-Identifier: MIT */
/** @file
 *  The kernel of step 3: copies that run beside the products, and the
 *  instructions below wmma.
 */
#ifndef TENSOR_MMA_SYNC_H
#define TENSOR_MMA_SYNC_H

#include "ptx.h"
#include "staged.h"

/** A block's tile of C, and a stage: what it brings for K along k.  A's tile
 *  is M rows of 128 bytes, B's two boxes of K rows of 128 bytes, 64 columns
 *  each; in all of them ptx_swizzle_128() says where a chunk of 16 bytes is. */
struct mma {
    enum { M = 128, N = 128, K = 64, STAGES = 3, THREADS = 256 };
    enum { ROW = 128, BOX = K * ROW, A_BYTES = M * ROW, B_BYTES = 2 * BOX };
    enum { STAGE = A_BYTES + B_BYTES, SHARED = STAGES * STAGE };
    enum { DOWN = 4, ALONG = 4 }; /**< a warp's 16 x 8 sums: 64 x 32 of C */
};

/** Begin to bring one chunk to shared memory. */
__device__ static inline void bring_chunk(unsigned char *s_to, struct matrix x,
                                          int row, int column)
{
    const bool inside = row < x.rows && column < x.columns;
    const size_t at = inside ? (size_t)row * x.columns + column : 0;

    ptx_copy_16(s_to, x.data + at, inside ? 16 : 0);
}

/** Begin to bring a stage, from [row][k] of A and [k][column] of B on: eight
 *  chunks a thread. */
__device__ static inline void bring_stage(unsigned char *s_stage,
                                          struct matrix a, struct matrix b,
                                          struct place at, int k)
{
    enum { CHUNKS = mma::A_BYTES / 16, IN_BOX = mma::BOX / 16 };

    for (int i = (int)threadIdx.x; i < CHUNKS; i += mma::THREADS)
        bring_chunk(s_stage + ptx_swizzle_128(16 * i), a,
                          at.row + i / CHUNK, k + i % CHUNK * CHUNK);
    for (int i = (int)threadIdx.x; i < CHUNKS; i += mma::THREADS)
        bring_chunk(s_stage + mma::A_BYTES + ptx_swizzle_128(16 * i), b,
                          k + i % IN_BOX / CHUNK,
                          at.column + i / IN_BOX * 64 + i % CHUNK * CHUNK);
}

/** A warp's sums over a stage: 4 x 4 products for each 16 along k, of four
 *  ldmatrix for A and two for B. */
template <typename T>
__device__ static inline void
add_stage(float (*sum)[mma::ALONG][4], const unsigned char *s_stage)
{
    const int lane = (int)threadIdx.x % LANES, warp = (int)threadIdx.x / LANES;
    const int row = warp / 4 * 64 + lane % 16, half = lane / 16;
    const int column = warp % 4 * 32 + half * CHUNK;
    const unsigned char *s_b = s_stage + mma::A_BYTES;

#pragma unroll 2 /* more spill at 128 registers */
    for (int k = 0; k < mma::K; k += 16) {
        unsigned fa[mma::DOWN][4], fb[mma::ALONG / 2][4];
        for (int i = 0; i < mma::DOWN; i++)
            ptx_load_matrix<4>(fa[i],
                               s_stage + ptx_swizzle_128(
                                   (row + 16 * i) * mma::ROW + 2 * k
                                   + 16 * half));
        for (int j = 0; j < mma::ALONG / 2; j++) {
            const int q = column + 16 * j;
            ptx_load_matrix_transposed<4>(
                fb[j], s_b + q / 64 * mma::BOX
                       + ptx_swizzle_128((k + lane % 16) * mma::ROW
                                         + q % 64 * 2));
        }
        for (int i = 0; i < mma::DOWN; i++)
            for (int j = 0; j < mma::ALONG; j++)
                ptx_mma<T>(sum[i][j], fa[i], &fb[j / 2][j % 2 * 2]);
    }
}

/** A warp stores its 64 x 32 sums. */
__device__ static inline void store_sums(float *c, struct shape s,
                                         struct place at,
                                         float (*sum)[mma::ALONG][4])
{
    const int lane = (int)threadIdx.x % LANES, warp = (int)threadIdx.x / LANES;
    const int row = at.row + warp / 4 * 64 + lane / 4;
    const int column = at.column + warp % 4 * 32 + lane % 4 * 2;

    for (int i = 0; i < mma::DOWN; i++)
        for (int j = 0; j < mma::ALONG; j++) {
            store_pair(c, s, row + 16 * i, column + 8 * j, sum[i][j]);
            store_pair(c, s, row + 16 * i + 8, column + 8 * j, sum[i][j] + 2);
        }
}

/** A block owns 128 x 128 of C, each of its eight warps 64 x 32 in registers.
 *
 *  A block for each tile, in the order of tile_at(); block 256, 98,304 bytes of
 *  dynamic shared memory: three stages.  While one is used, two are on their
 *  way; the one barrier of a turn says that all threads' copies of the next
 *  stage are there, and that the stage used last is free.
 */
template <typename T>
__global__ void __launch_bounds__(mma::THREADS, 2)
multiply_mma(struct matrix a, struct matrix b, float *c, struct shape s)
{
    extern __shared__ __align__(128) unsigned char s_stages[];
    const int turns = (s.k + mma::K - 1) / mma::K;
    const struct place at = tile_at(
        blockIdx.x, (unsigned)((s.m + mma::M - 1) / mma::M),
        (unsigned)((s.n + mma::N - 1) / mma::N), mma::M, mma::N);
    float sum[mma::DOWN][mma::ALONG][4] = {};

    for (int i = 0; i < mma::STAGES - 1; i++) {
        if (i < turns)
            bring_stage(s_stages + i * mma::STAGE, a, b, at, i * mma::K);
        ptx_copy_commit();
    }
    for (int i = 0; i < turns; i++) {
        const int next = i + mma::STAGES - 1;
        ptx_copy_wait<mma::STAGES - 2>();
        __syncthreads();
        if (next < turns)
            bring_stage(s_stages + next % mma::STAGES * mma::STAGE, a, b, at,
                        next * mma::K);
        ptx_copy_commit();
        add_stage<T>(sum, s_stages + i % mma::STAGES * mma::STAGE);
    }
    store_sums(c, s, at, sum);
}

/** Launch it where it can run, else step 2's: on cards before cc 8.0, and
 *  where rows are no multiple of 16 bytes.  Device pointers. */
template <typename T>
static cudaError_t launch_mma(const T *d_a, const T *d_b, float *d_c,
                              struct shape s)
{
    const struct matrix a = matrix_a(d_a, s), b = matrix_b(d_b, s);
    const size_t blocks =
        tiles_for((size_t)s.m, mma::M) * tiles_for((size_t)s.n, mma::N);
    int level = 0;
    cudaError_t err = capability(&level);

    if (!err && (level < 80 || !is_wide(a) || !is_wide(b)))
        return launch_staged(d_a, d_b, d_c, s);
    if (!err)
        err = CUDA_CHECK(cudaFuncSetAttribute(
            multiply_mma<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
            mma::SHARED));
    if (err) return err;
    if (blocks > INT32_MAX) return cudaErrorInvalidValue;
    multiply_mma<T>
        <<<(unsigned)blocks, mma::THREADS, mma::SHARED>>>(a, b, d_c, s);
    return CUDA_CHECK(cudaGetLastError());
}

#endif
