/* SPDX-License-Identifier: MIT */
/** @file
 *  Fast GEMM, step 5: double buffering.  The next tiles are loaded while the
 *  current ones are used: two buffers, one barrier per tile, and a smaller tile
 *  for a smaller C.
 *
 *  The expected throughput of 128 x 128 on sm_90, derived, not measured: for a
 *  tile of 8 terms a warp executes 1,024 FMAs, 48 loads from shared memory and
 *  70 other instructions (counted in the output of ptxas).  An SM issues four
 *  instructions per cycle, as many as it can execute FMAs: at most 1,024 /
 *  1,142 = 90 % of its peak.  Shared memory is busy for 4 * 48 of these 286
 *  cycles, 67 %. L2 delivers 8 KB in the 1,142 cycles of a block's four warps,
 *  an eighth of its 64 bytes per cycle.  With two blocks per SM (registers) the
 *  next tile has 2,284 cycles to arrive; memory latency is 700 cycles.  So more
 *  buffers would not help, nor would another order of the blocks: a 4096^3
 *  product loads 0.3 GB in its 2 ms.
 */
#include <cuda_pipeline.h>

#include "warp_tile.h"
#include "gemm.h"

/** Start to copy four elements to shared memory; elements outside the matrix
 *  become 0. */
__device__ static inline void
copy_float4_async(float *to, const struct matrix *x, unsigned row, unsigned col)
{
    const float *from = &x->first[(size_t)row * x->cols + col];

    if (x->aligned && row < x->rows && col < x->cols) {
        __pipeline_memcpy_async(to, from, sizeof(float4));
        return;
    }
    for (int j = 0; j < 4; j++)
        if (row < x->rows && col + j < x->cols)
            __pipeline_memcpy_async(to + j, from + j, sizeof(float));
        else
            to[j] = 0;
}

/** Load this thread's float4 of the next two tiles, from term `k0` on: those of
 *  A into registers, 64 rows apart; those of B are copied to s_b
 *  asynchronously. `is_interior`: rows and columns need no bounds check. */
template <int Y, int TILE_N>
__device__ static __forceinline__ void
load_tile(float4 (&a_regs)[Y], float (*s_b)[TILE_N], const struct gemm_args *p,
          struct tile_coord tile, unsigned k0, bool is_interior)
{
    enum { ROW_FLOAT4S = TILE_N / 4, ROWS = THREADS / ROW_FLOAT4S /* rows of B
                                                                   * per
                                                                   * iteration
                                                                   */ };
    const unsigned t = threadIdx.x, y = t / ROW_FLOAT4S,
                   x = t % ROW_FLOAT4S * 4;
    const unsigned row = tile.y + t / 2, col = k0 + t % 2 * 4;

    if (is_interior && k0 + TILE_K <= p->a.cols) {
        const float *a = p->a.first + (size_t)row * p->a.cols + col;
        const float *b = p->b.first + (size_t)(k0 + y) * p->b.cols + tile.x + x;
#pragma unroll
        for (int i = 0; i < Y; i++)
            a_regs[i] = *(const float4 *)(a + (size_t)64 * i * p->a.cols);
#pragma unroll
        for (int i = 0; i < TILE_K / ROWS; i++)
            __pipeline_memcpy_async(&s_b[y + ROWS * i][x],
                                    b + (size_t)ROWS * i * p->b.cols,
                                    sizeof(float4));
    } else {
        for (int i = 0; i < Y; i++)
            a_regs[i] = load_float4(&p->a, row + 64 * i, col);
        for (int i = 0; i < TILE_K / ROWS; i++)
            copy_float4_async(&s_b[y + ROWS * i][x], &p->b, k0 + y + ROWS * i,
                              tile.x + x);
    }
    __pipeline_commit();
}

/** Store A's float4 transposed to their tile, and wait for all copies. */
template <int Y, int PADDED_M>
__device__ static __forceinline__ void store_tile(float (*s_a)[PADDED_M],
                                                  const float4 (&a_regs)[Y])
{
#pragma unroll
    for (int i = 0; i < Y; i++)
        store_transposed(s_a, threadIdx.x / 2 + 64 * i, threadIdx.x % 2 * 4,
                         a_regs[i]);
    __pipeline_wait_prior(0);
    __syncthreads();
}

/** A thread owns Y float4 of rows and X float4 of columns, a block 64 Y by 32 X
 *  elements of C.
 *
 *  Block 128; two buffers for each tile.  While a tile is used, the next one of
 *  B is copied asynchronously (cp.async; below sm_80 the same calls copy
 *  synchronously).  The next one of A waits in registers, because a copy cannot
 *  transpose it.  Operands are also loaded one term ahead.  The barrier in
 *  `store_tile` before a tile's last term separates the stores to the next
 *  tiles from their loads.  All threads have loaded the last term by then, so
 *  it also separates the loads of the current tiles from the stores that
 *  overwrite them.
 */
template <int Y, int X>
__global__ void __launch_bounds__(THREADS, 2) multiply(const struct gemm_args p)
{
    enum { TILE_M = 64 * Y, TILE_N = 32 * X, PADDED_M = TILE_M + PAD };
    __shared__ __align__(16) float s_a[2][TILE_K][PADDED_M],
        s_b[2][TILE_K][TILE_N];
    const struct tile_coord tile = {tile_first_row(TILE_M),
                                    blockIdx.x * TILE_N};
    const struct tile_coord thread_origin =
        thread_tile_origin(TILE_M / 2, TILE_N / 2);
    const bool is_interior = p.a.aligned && p.b.aligned
                             && tile.y + TILE_M <= p.a.rows
                             && tile.x + TILE_N <= p.b.cols;
    float sum[4 * Y][4 * X] = {{0}}, a_frag[2][4 * Y], b_frag[2][4 * X];
    float4 a_regs[Y];

    load_tile(a_regs, s_b[0], &p, tile, 0, is_interior);
    store_tile(s_a[0], a_regs);
    load_fragment(a_frag[0], &s_a[0][0][thread_origin.y], STRIDE_Y);
    load_fragment(b_frag[0], &s_b[0][0][thread_origin.x], STRIDE_X);
    for (unsigned k0 = 0, stage = 0; k0 < p.a.cols; k0 += TILE_K, stage ^= 1) {
        const float *a = &s_a[stage][0][thread_origin.y],
                    *b = &s_b[stage][0][thread_origin.x];
        const bool more = k0 + TILE_K < p.a.cols;
        if (more)
            load_tile(a_regs, s_b[stage ^ 1], &p, tile, k0 + TILE_K,
                      is_interior);
#pragma unroll
        for (int d = 0; d < TILE_K; d += 2) {
            load_fragment(a_frag[1], a + (d + 1) * PADDED_M, STRIDE_Y);
            load_fragment(b_frag[1], b + (d + 1) * TILE_N, STRIDE_X);
            outer_product_add(sum, a_frag[0], b_frag[0]);
            if (d + 2 < TILE_K) {
                load_fragment(a_frag[0], a + (d + 2) * PADDED_M, STRIDE_Y);
                load_fragment(b_frag[0], b + (d + 2) * TILE_N, STRIDE_X);
            } else if (more) {
                store_tile(s_a[stage ^ 1], a_regs);
                load_fragment(a_frag[0], &s_a[stage ^ 1][0][thread_origin.y],
                              STRIDE_Y);
                load_fragment(b_frag[0], &s_b[stage ^ 1][0][thread_origin.x],
                              STRIDE_X);
            }
            outer_product_add(sum, a_frag[1], b_frag[1]);
        }
    }
    store_fragment(&p, tile.y + thread_origin.y, tile.x + thread_origin.x, sum,
                   STRIDE_Y, STRIDE_X);
}

static cudaError_t launch(const struct gemm_args *p)
{
    int device = 0, sms = 1;
    cudaError_t err = CUDA_CHECK(cudaGetDevice(&device));

    if (!err)
        err = CUDA_CHECK(cudaDeviceGetAttribute(
            &sms, cudaDevAttrMultiProcessorCount, device));
    if (err) return err;
    const dim3 large = grid_over(p, 128, 128);
    if ((size_t)large.x * large.y * large.z >= (size_t)sms)
        multiply<2, 4><<<large, THREADS>>>(*p);
    else /* four times as many blocks, so that no SM is idle */
        multiply<1, 2><<<grid_over(p, 64, 64), THREADS>>>(*p);
    return cudaSuccess;
}
