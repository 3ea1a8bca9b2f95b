// verdict: SCORE
// expect: 80 90 right
/* SPDX-License-Identifier: MIT */
/* Right: the last block to finish adds the counts of all blocks. */
#include "grid.h"
#include "histogram.h"

enum { BLOCKS = 32 };

__device__ unsigned partial[BLOCKS][HISTOGRAM_BINS];
__device__ unsigned finished;

/** A thread owns the bytes of a grid-stride loop, then a bin.  Grid BLOCKS,
 *  block 256.  The fences order the counts before the ticket and after it. */
__global__ void count_bytes(const unsigned char *in, unsigned *bins, size_t n)
{
    __shared__ unsigned s_count[HISTOGRAM_BINS];
    __shared__ bool is_last;
    const unsigned t = threadIdx.x;
    unsigned sum = 0;

    s_count[t] = 0;
    __syncthreads();
    for (size_t i = blockIdx.x * HISTOGRAM_BINS + t; i < n;
         i += BLOCKS * HISTOGRAM_BINS)
        atomicAdd(&s_count[in[i]], 1u);
    __syncthreads();
    partial[blockIdx.x][t] = s_count[t];
    __threadfence();
    __syncthreads();
    if (t == 0) is_last = atomicAdd(&finished, 1u) == BLOCKS - 1;
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    for (unsigned b = 0; b < BLOCKS; b++) sum += partial[b][t];
    bins[t] = sum;
    if (t == 0) finished = 0;
}

int histogram(const unsigned char *d_in, unsigned *d_bins, size_t n)
{
    count_bytes<<<BLOCKS, HISTOGRAM_BINS>>>(d_in, d_bins, n);
    return CUDA_CHECK(cudaGetLastError());
}
