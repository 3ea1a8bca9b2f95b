/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 06: count byte values on the GPU.  The contract is in histogram.h. */
#include "grid.h"
#include "histogram.h"

/** Launch the kernel: count n > 0 bytes into bins that are 0.  Device pointers.
 *  @return  cudaSuccess or the error of the launch */
static cudaError_t launch(const unsigned char *d_in, unsigned *d_bins,
                          size_t n);

int histogram(const unsigned char *d_in, unsigned *d_bins, size_t n)
{
    const size_t bytes = HISTOGRAM_BINS * sizeof *d_bins;
    cudaError_t err = CUDA_CHECK(cudaMemsetAsync(d_bins, 0, bytes));

    return err || n == 0 ? err : launch(d_in, d_bins, n);
}

/** One byte per thread: increment the bin of its value.  Device pointers.
 */
__global__ void count_bytes(const unsigned char *__restrict__ in,
                            unsigned *bins, size_t n)
{
    /* TODO 1: this thread's byte; check the bound n */
    /* TODO 2: other threads update the same bins: atomicAdd */
}

static cudaError_t launch(const unsigned char *d_in, unsigned *d_bins,
                          size_t n)
{
    /* TODO 3: enough blocks for n bytes; launch; check cudaGetLastError() */
    return cudaErrorNotSupported;
}
