// verdict: WRONG
// expect: where the lane after the first one with a value counts
// test: edges
/* SPDX-License-Identifier: MIT */
/* The lane that adds is taken from __ffs(), which counts from 1. */
#include "grid.h"
#include "histogram.h"

/** A thread owns a byte; its warp adds once for each value. */
__global__ void count_bytes(const unsigned char *in, unsigned *bins, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n) return;
    const unsigned lanes = __activemask();
    const unsigned equal = __match_any_sync(lanes, in[i]);
    if (threadIdx.x % 32 == __ffs(equal))
        atomicAdd(&bins[in[i]], __popc(equal));
}

int histogram(const unsigned char *d_in, unsigned *d_bins, size_t n)
{
    const size_t bytes = HISTOGRAM_BINS * sizeof *d_bins;
    cudaError_t err = CUDA_CHECK(cudaMemsetAsync(d_bins, 0, bytes));

    if (err || n == 0) return err;
    count_bytes<<<(unsigned)ceil_div(n, 256), 256>>>(d_in, d_bins, n);
    return CUDA_CHECK(cudaGetLastError());
}
