// verdict: WRONG
// expect: on lacks that of the first 4194304
// test: large
/* SPDX-License-Identifier: MIT */
/* The carry from row to row of tile sums is that of the last row alone: right
 * for two rows of 2,048 sums. */
#include "grid.h"
#include "scan.h"

enum { T = 256, PER = 8, TILE = T * PER };
__device__ static float block_exclusive(float v, float *total)
{
    __shared__ float s_warp[T / 32];
    unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    float inc = v;
    for (int d = 1; d < 32; d *= 2) {
        float u = __shfl_up_sync(0xffffffffu, inc, d);
        if (lane >= d) inc += u;
    }
    float up = __shfl_up_sync(0xffffffffu, inc, 1);
    float before = lane ? up : 0.0f;
    if (lane == 31) s_warp[warp] = inc;
    __syncthreads();
    float base = 0, all = 0;
    for (unsigned i = 0; i < T / 32; i++) {
        if (i == warp) base = all;
        all += s_warp[i];
    }
    *total = all;
    __syncthreads();
    return base + before;
}

__device__ static void load(float *x, const float *in, size_t first, size_t n)
{
    for (int j = 0; j < PER; j++)
        x[j] = first + j < n ? in[first + j] : 0.0f;
}
__device__ static void store(const float *x, float run, float *out,
                             size_t first, size_t n, int kind)
{
    for (int j = 0; j < PER; j++) {
        float before = run;
        run += x[j];
        if (first + j < n) out[first + j] = kind == SCAN_INCLUSIVE ? run : before;
    }
}

/** A block sums a tile. */
__global__ void tile_sums(const float *in, float *sums, size_t n)
{
    float x[PER], sum = 0, total;
    load(x, in, (size_t)blockIdx.x * TILE + threadIdx.x * PER, n);
    for (int j = 0; j < PER; j++) sum += x[j];
    block_exclusive(sum, &total);
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}
/** One block scans the sums of tiles; the carry is the last round's alone. */
__global__ void scan_sums(float *sums, size_t tiles)
{
    float carry = 0;
    for (size_t base = 0; base < tiles; base += TILE) {
        size_t first = base + threadIdx.x * PER;
        float x[PER], sum = 0, total;
        load(x, sums, first, tiles);
        for (int j = 0; j < PER; j++) sum += x[j];
        float before = block_exclusive(sum, &total);
        store(x, carry + before, sums, first, tiles, SCAN_EXCLUSIVE);
        carry = total;
    }
}
/** A block scans its tile, from the sum of the tiles before it. */
__global__ void scan_tiles(const float *in, float *out, const float *sums,
                           size_t n, int kind)
{
    float x[PER], sum = 0, total;
    size_t first = (size_t)blockIdx.x * TILE + threadIdx.x * PER;
    load(x, in, first, n);
    for (int j = 0; j < PER; j++) sum += x[j];
    float before = block_exclusive(sum, &total);
    store(x, sums[blockIdx.x] + before, out, first, n, kind);
}
int scan(const float *d_in, float *d_out, void *d_work, size_t n, int kind)
{
    if (n == 0) return cudaSuccess;
    unsigned tiles = (unsigned)ceil_div(n, TILE);
    float *sums = (float *)d_work;
    tile_sums<<<tiles, T>>>(d_in, sums, n);
    scan_sums<<<1, T>>>(sums, tiles);
    scan_tiles<<<tiles, T>>>(d_in, d_out, sums, n, kind);
    return cudaGetLastError();
}
