/* SPDX-License-Identifier: MIT */
/** @file
 *  Scan, step 3: sum first, then scan: the running sums are stored once.
 *  block_scan.h scans a tile in registers and with shuffles. */
#include "block_scan.h"

/** A block sums its tile into sums[blockIdx.x].
 *
 *  Grid one block per tile, block 256, 32 bytes of shared memory; each element
 *  is loaded once, 16 bytes per lane.  The barrier separates the stores of the
 *  warps' sums from the loads.
 */
__global__ void sum_tiles(const float *__restrict__ in,
                          float *__restrict__ sums, size_t n)
{
    __shared__ float s_warp[WARPS];
    struct thread_items s;
    float sum = 0;

    load_items(&s, in, blockIdx.x, n, is_float4_aligned(in, in));
    for (int r = 0; r < ROWS_PER_WARP; r++)
        sum += s.vec[r].x + s.vec[r].y + (s.vec[r].z + s.vec[r].w);
    for (int offset = LANES / 2; offset > 0; offset /= 2)
        sum += __shfl_down_sync(FULL_MASK, sum, offset);
    if (threadIdx.x % LANES == 0) s_warp[threadIdx.x / LANES] = sum;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (int w = 1; w < WARPS; w++)
        sum += s_warp[w];
    sums[blockIdx.x] = sum;
}

/** One block replaces the sums of all tiles by their exclusive scan.
 *
 *  Block 256.  It scans 4,096 sums in each pass; the barrier at the end of a
 *  pass separates the loads of the warps' sums from the stores of the next
 *  pass.
 */
__global__ void scan_sums(float *sums, size_t tiles)
{
    float prefix = 0;

    for (size_t pass = 0; pass * TILE < tiles; pass++) {
        struct thread_items s;
        load_items(&s, sums, pass, tiles, true);
        float sum = block_scan(&s);
        store_items(&s, sums, tiles, prefix, SCAN_EXCLUSIVE);
        prefix += sum;
        __syncthreads();
    }
}

/** A block scans its tile, starting with the sum of all tiles before it.
 *
 *  Grid one block per tile, block 256, 32 bytes of shared memory, one barrier.
 *  Each element is loaded a second time here, and stored once.
 */
__global__ void scan_tiles(const float *__restrict__ in,
                           float *__restrict__ out,
                           const float *__restrict__ before, size_t n,
                           int kind)
{
    struct thread_items s;

    load_items(&s, in, blockIdx.x, n, is_float4_aligned(in, in));
    block_scan(&s);
    store_items(&s, out, n, before[blockIdx.x], kind);
}

int scan(const float *d_in, float *d_out, void *d_work, size_t n, int kind)
{
    unsigned tiles = (unsigned)ceil_div(n, TILE);
    float *d_sums = (float *)d_work;

    if (n == 0) return cudaSuccess;
    sum_tiles<<<tiles, THREADS>>>(d_in, d_sums, n);
    scan_sums<<<1, THREADS>>>(d_sums, tiles);
    scan_tiles<<<tiles, THREADS>>>(d_in, d_out, d_sums, n, kind);
    return CUDA_CHECK(cudaGetLastError());
}
