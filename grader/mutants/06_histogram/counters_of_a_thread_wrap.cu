// verdict: WRONG
// expect: as the sum of counters of 8 bits that overflow, or
// test: one_value
// hint: how much does each one count before they are added
/* SPDX-License-Identifier: MIT */
/* Counters of 8 bits are added after 256 bytes of a thread, not 255: they are 0
 * again where all of these are equal.  That is no bin which no thread adds. */
#include "grid.h"
#include "histogram.h"

enum { THREADS = 64, BYTES = 256 }; /* of a block, of a thread */

/** A thread counts BYTES bytes in counters of its own. */
__global__ void count_bytes(const unsigned char *in, unsigned *bins, size_t n)
{
    __shared__ unsigned char s_count[HISTOGRAM_BINS][THREADS];
    const unsigned t = threadIdx.x;
    const size_t step = (size_t)gridDim.x * THREADS;

    for (int bin = 0; bin < HISTOGRAM_BINS; bin++) s_count[bin][t] = 0;
    for (size_t i = (size_t)blockIdx.x * THREADS + t; i < n; i += step)
        s_count[in[i]][t]++;
    __syncthreads();
    for (int bin = t; bin < HISTOGRAM_BINS; bin += THREADS) {
        unsigned sum = 0;

        for (int k = 0; k < THREADS; k++)
            sum += s_count[bin][(k + bin) % THREADS];
        if (sum > 0) atomicAdd(&bins[bin], sum);
    }
}

int histogram(const unsigned char *d_in, unsigned *d_bins, size_t n)
{
    cudaError_t err = CUDA_CHECK(
        cudaMemsetAsync(d_bins, 0, HISTOGRAM_BINS * sizeof *d_bins));

    if (err || n == 0) return err;
    count_bytes<<<(unsigned)ceil_div(n, THREADS * BYTES), THREADS>>>(
        d_in, d_bins, n);
    return CUDA_CHECK(cudaGetLastError());
}
