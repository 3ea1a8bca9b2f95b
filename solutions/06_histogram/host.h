/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  The host's half of every step of lab 06.
 *
 *  The steps differ in their kernel alone: each defines its `launch`.
 */
#ifndef HISTOGRAM_HOST_H
#define HISTOGRAM_HOST_H

// END SOLUTION
#include "grid.h"
#include "histogram.h"

/** Launch the kernel: count n > 0 bytes into bins that are 0.  Device
 *  pointers.  @return cudaSuccess or the launch's error */
static cudaError_t launch(const unsigned char *d_in, unsigned *d_bins,
                          size_t n);

int histogram(const unsigned char *d_in, unsigned *d_bins, size_t n)
{
    const size_t bytes = HISTOGRAM_BINS * sizeof *d_bins;
    cudaError_t err = CUDA_CHECK(cudaMemsetAsync(d_bins, 0, bytes));

    return err || n == 0 ? err : launch(d_in, d_bins, n);
}
// BEGIN SOLUTION

#endif
// END SOLUTION
