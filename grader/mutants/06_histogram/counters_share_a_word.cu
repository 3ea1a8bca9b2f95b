// verdict: WRONG
// expect: counters of 16 bits give that share a word
// test: one_value
/* SPDX-License-Identifier: MIT */
/* Wrong: two counters of 16 bits in each word of shared memory; the lower one
 * overflows into the upper one. */
#include "grid.h"
#include "histogram.h"

enum { BLOCKS = 8, THREADS = 256, WORDS = HISTOGRAM_BINS / 2 };

/** A thread owns the bytes of a grid-stride loop, then a bin.  Grid BLOCKS. */
__global__ void count_bytes(const unsigned char *in, unsigned *bins, size_t n)
{
    __shared__ unsigned s_pair[WORDS];
    const unsigned t = threadIdx.x;

    if (t < WORDS) s_pair[t] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * THREADS + t; i < n; i += BLOCKS * THREADS)
        atomicAdd(&s_pair[in[i] / 2], in[i] % 2 ? 1u << 16 : 1u);
    __syncthreads();
    atomicAdd(&bins[t], t % 2 ? s_pair[t / 2] >> 16 : s_pair[t / 2] & 0xffff);
}

int histogram(const unsigned char *d_in, unsigned *d_bins, size_t n)
{
    cudaError_t err = CUDA_CHECK(
        cudaMemsetAsync(d_bins, 0, HISTOGRAM_BINS * sizeof *d_bins));

    if (err || n == 0) return err;
    count_bytes<<<BLOCKS, THREADS>>>(d_in, d_bins, n);
    return CUDA_CHECK(cudaGetLastError());
}
