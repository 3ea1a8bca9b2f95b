// verdict: WRONG
// expect: from tile 1024 of 1024 elements on
// test: large
/* SPDX-License-Identifier: MIT */
/* Two levels of 1,024: right up to 2^20. */
#include "grid.h"
#include "scan.h"

enum { T = 1024 };

/* A block scans T elements and, given sums, stores its total there. */
__global__ void scan_tiles(const float *in, float *out, float *sums, size_t n,
                           int kind)
{
    __shared__ float s[2][T];
    unsigned t = threadIdx.x, at = 0;
    size_t i = (size_t)blockIdx.x * T + t;

    s[0][t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned offset = 1; offset < T; offset *= 2, at ^= 1) {
        s[at ^ 1][t] = s[at][t] + (t >= offset ? s[at][t - offset] : 0);
        __syncthreads();
    }
    if (i < n)
        out[i] = kind == SCAN_INCLUSIVE ? s[at][t] : t ? s[at][t - 1] : 0;
    if (sums && t == T - 1) sums[blockIdx.x] = s[at][t];
}

/* Adds to each element the sum of the tiles before its own. */
__global__ void add_tile_sums(float *out, const float *sums, size_t n)
{
    size_t i = (size_t)blockIdx.x * T + threadIdx.x;

    if (i < n) out[i] += sums[blockIdx.x];
}

int scan(const float *d_in, float *d_out, void *d_work, size_t n, int kind)
{
    float *d_sums = (float *)d_work;
    unsigned tiles = (unsigned)ceil_div(n, T);

    if (n == 0) return cudaSuccess;
    scan_tiles<<<tiles, T>>>(d_in, d_out, d_sums, n, kind);
    scan_tiles<<<1, T>>>(d_sums, d_sums, NULL, tiles, SCAN_EXCLUSIVE);
    add_tile_sums<<<tiles, T>>>(d_out, d_sums, n);
    return CUDA_CHECK(cudaGetLastError());
}
