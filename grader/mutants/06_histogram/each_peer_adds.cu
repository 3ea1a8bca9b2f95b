// verdict: WRONG
// expect: the sum of c * c over the warps
// test: edges
// hint: Of the lanes with equal values one adds their number
/* SPDX-License-Identifier: MIT */
/* Each lane, not only the first of a value, adds the number of equal lanes. */
#include "grid.h"
#include "histogram.h"

/** A thread owns a byte. */
__global__ void count_bytes(const unsigned char *in, unsigned *bins, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n) return;
    const unsigned lanes = __activemask();
    const unsigned equal = __match_any_sync(lanes, in[i]);
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
