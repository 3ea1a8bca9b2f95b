// verdict: WRONG
// expect: n = 1200007
// test: again
/* SPDX-License-Identifier: MIT */
/* A counter of a byte for each thread: threads clear theirs for the next round
 * while others still add up those of this one.  Where a grid has a block for
 * each part of the input there is no next round. */
#include "grid.h"
#include "histogram.h"

enum { THREADS = 64, PER = 255 };
/** A thread counts PER bytes a round; then it adds up every THREADS-th bin. */
__global__ void count(const unsigned char *in, unsigned *bins, size_t n)
{
    __shared__ unsigned char s[256][THREADS];
    unsigned t = threadIdx.x;
    size_t chunk = (size_t)THREADS * PER;
    for (size_t base = blockIdx.x * chunk; base < n; base += gridDim.x * chunk) {
        for (int b = 0; b < 256; b++) s[b][t] = 0;
        for (size_t i = base + t; i < n && i < base + chunk; i += THREADS)
            s[in[i]][t]++;
        __syncthreads();
        for (unsigned b = t; b < 256; b += THREADS) {
            unsigned sum = 0;
            for (int k = 0; k < THREADS; k++) sum += s[b][(k + t) % THREADS];
            if (sum) atomicAdd(&bins[b], sum);
        }
    }
}

int histogram(const unsigned char *d_in, unsigned *d_bins, size_t n)
{
    cudaError_t e = cudaMemsetAsync(d_bins, 0, 256 * sizeof *d_bins);
    if (e || n == 0) return e;
    unsigned blocks;
    e = grid_stride_blocks(&blocks, n / PER + 1, THREADS);
    if (e) return e;
    count<<<blocks, THREADS>>>(d_in, d_bins, n);
    return cudaGetLastError();
}
