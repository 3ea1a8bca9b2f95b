/* SPDX-License-Identifier: MIT */
/** @file
 *  The host code of all steps of lab 06.
 *
 *  The steps differ only in their kernel: each defines its `launch`.
 */
#ifndef HISTOGRAM_HOST_H
#define HISTOGRAM_HOST_H

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

#endif
