/* SPDX-License-Identifier: MIT */
/** @file
 *  Scan, step 3: sum first, then scan: the running sums are written once.
 *  tile.h has the scan of a tile, in registers and by shuffles. */
#include "tile.h"

/** A block sums up its tile into sums[blockIdx.x].
 *
 *  Grid a block a tile, block 256, 32 bytes of shared memory; each element is
 *  read once, 16 bytes a lane.  The barrier separates the warps' sums from
 *  the reading of them.
 */
__global__ void sum_tiles(const float *__restrict__ in,
                          float *__restrict__ sums, size_t n)
{
    __shared__ float s_warp[WARPS];
    struct share s;
    float sum = 0;

    load_share(&s, in, blockIdx.x, n, is_wide(in, in));
    for (int r = 0; r < ROWS; r++)
        sum += s.quad[r].x + s.quad[r].y + (s.quad[r].z + s.quad[r].w);
    for (int gap = LANES / 2; gap > 0; gap /= 2)
        sum += __shfl_down_sync(ALL_LANES, sum, gap);
    if (threadIdx.x % LANES == 0) s_warp[threadIdx.x / LANES] = sum;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (int w = 1; w < WARPS; w++)
        sum += s_warp[w];
    sums[blockIdx.x] = sum;
}

/** One block turns the sums of all tiles into what comes before each.
 *
 *  Block 256.  It takes 4,096 sums a turn; the barrier at a turn's end
 *  separates reading the warps' sums from writing the next turn's.
 */
__global__ void scan_sums(float *sums, size_t tiles)
{
    float prefix = 0;

    for (size_t turn = 0; turn * TILE < tiles; turn++) {
        struct share s;
        load_share(&s, sums, turn, tiles, true);
        float sum = scan_tile(&s);
        store_share(&s, sums, tiles, prefix, SCAN_EXCLUSIVE);
        prefix += sum;
        __syncthreads();
    }
}

/** A block scans its tile, beginning with what comes before it.
 *
 *  Grid a block a tile, block 256, 32 bytes of shared memory, one barrier.
 *  Each element is read a second time here, and written once.
 */
__global__ void scan_tiles(const float *__restrict__ in,
                           float *__restrict__ out,
                           const float *__restrict__ before, size_t n,
                           int kind)
{
    struct share s;

    load_share(&s, in, blockIdx.x, n, is_wide(in, in));
    scan_tile(&s);
    store_share(&s, out, n, before[blockIdx.x], kind);
}

int scan(const float *d_in, float *d_out, void *d_work, size_t n, int kind)
{
    unsigned tiles = (unsigned)tiles_for(n, TILE);
    float *d_sums = (float *)d_work;

    if (n == 0) return cudaSuccess;
    sum_tiles<<<tiles, THREADS>>>(d_in, d_sums, n);
    scan_sums<<<1, THREADS>>>(d_sums, tiles);
    scan_tiles<<<tiles, THREADS>>>(d_in, d_out, d_sums, n, kind);
    return CUDA_CHECK(cudaGetLastError());
}
