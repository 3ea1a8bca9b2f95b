// verdict: WRONG
// expect: those of the last, incomplete group of 8
// test: edges
/* Lab 05: reduce the tiles, scan their sums, scan the tiles; eight elements per
 * thread and warp shuffles. */
#include "grid.h"
#include "scan.h"

constexpr unsigned THREADS = 128, WARPS = THREADS / 32, ITEMS = 8;
constexpr size_t TILE = size_t(THREADS) * ITEMS;

/* The sum of the lanes up to this one. */
__device__ static float scan_warp(float v)
{
    const unsigned lane = threadIdx.x % 32;
    for (unsigned d = 1; d < 32; d *= 2) {
        const float left = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d) v += left;
    }
    return v;
}

/* The sum of v over the threads before this one, and over all in *total. */
__device__ static float scan_block(float v, float *total)
{
    __shared__ float s_warp[WARPS];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    const float upto = scan_warp(v);
    if (lane == 31) s_warp[warp] = upto;
    __syncthreads();
    float before = __shfl_up_sync(0xffffffffu, upto, 1);
    if (lane == 0) before = 0;
    float ahead = 0, all = 0;
    for (unsigned w = 0; w < WARPS; w++) {
        if (w == warp) ahead = all;
        all += s_warp[w];
    }
    *total = all;
    return ahead + before;
}

__device__ static void load_items(float *v, const float *in, size_t first,
                                  size_t n)
{
    for (unsigned k = 0; k < ITEMS; k++)
        v[k] = first + ITEMS <= n ? in[first + k] : 0.0f;
}

__global__ void sum_tiles(const float *__restrict__ in, float *__restrict__ sums,
                          size_t n)
{
    float v[ITEMS], sum = 0, total;

    load_items(v, in, blockIdx.x * TILE + threadIdx.x * ITEMS, n);
    for (unsigned k = 0; k < ITEMS; k++) sum += v[k];
    scan_block(sum, &total);
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

/* `before` holds the sum of all earlier tiles; NULL for a single tile. */
__global__ void scan_tiles(const float *in, float *out, const float *before,
                           size_t n, int kind)
{
    const size_t first = blockIdx.x * TILE + threadIdx.x * ITEMS;
    float v[ITEMS], sum = 0, total;

    load_items(v, in, first, n);
    for (unsigned k = 0; k < ITEMS; k++) sum += v[k];
    float running = scan_block(sum, &total);
    if (before != NULL) running += before[blockIdx.x];
    for (unsigned k = 0; k < ITEMS && first + k < n; k++) {
        const float next = running + v[k];
        out[first + k] = kind == SCAN_EXCLUSIVE ? running : next;
        running = next;
    }
}

static cudaError_t level(const float *in, float *out, float *work, size_t n,
                         int kind)
{
    const size_t tiles = ceil_div(n, TILE);
    cudaError_t err = cudaSuccess;

    if (tiles > 1) {
        sum_tiles<<<(unsigned)tiles, THREADS>>>(in, work, n);
        err = CUDA_CHECK(cudaGetLastError());
        if (!err) err = level(work, work, work + tiles, tiles, SCAN_EXCLUSIVE);
    }
    if (!err) {
        scan_tiles<<<(unsigned)tiles, THREADS>>>(in, out, tiles > 1 ? work : NULL,
                                                 n, kind);
        err = CUDA_CHECK(cudaGetLastError());
    }
    return err;
}

int scan(const float *d_in, float *d_out, void *d_work, size_t n, int kind)
{
    if (n == 0) return cudaSuccess;
    return level(d_in, d_out, (float *)d_work, n, kind);
}
