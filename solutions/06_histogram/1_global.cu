/* SPDX-License-Identifier: MIT */
/** @file
 *  Histogram, step 1: all threads update the same 256 counters. */
#include "host.h"

/** A thread owns one byte.
 *
 *  Grid ceil(n / 256), block 256, no shared memory.  Each byte is loaded once,
 *  one sector per warp, and costs one atomic in the L2 cache.  Atomics on one
 *  counter are serialized, also those of different blocks (contention).
 */
__global__ void count_bytes(const unsigned char *__restrict__ in,
                            unsigned *bins, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) atomicAdd(&bins[in[i]], 1u);
}

static cudaError_t launch(const unsigned char *d_in, unsigned *d_bins,
                          size_t n)
{
    const unsigned threads = 256;

    count_bytes<<<(unsigned)ceil_div(n, threads), threads>>>(d_in, d_bins, n);
    return CUDA_CHECK(cudaGetLastError());
}
