// verdict: WRONG
// expect: n = 16800001
// test: one_value
/* SPDX-License-Identifier: MIT */
/* A float counts up to 2^24. */
#include "grid.h"
#include "histogram.h"

/* Sets a bin per thread to 0. */
__global__ void clear(float *bins)
{
    bins[threadIdx.x] = 0;
}

/* Counts in floats, in a block's own bins first. */
__global__ void count_byte(const unsigned char *in, float *bins, size_t n)
{
    __shared__ float s_count[HISTOGRAM_BINS];
    size_t step = (size_t)gridDim.x * HISTOGRAM_BINS;

    s_count[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * HISTOGRAM_BINS + threadIdx.x; i < n;
         i += step)
        atomicAdd(&s_count[in[i]], 1.0f);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], s_count[threadIdx.x]);
}

/* Converts the floats to integers in place. */
__global__ void to_whole(unsigned *bins)
{
    bins[threadIdx.x] = (unsigned)((const float *)bins)[threadIdx.x];
}

int histogram(const unsigned char *d_in, unsigned *d_bins, size_t n)
{
    clear<<<1, HISTOGRAM_BINS>>>((float *)d_bins);
    count_byte<<<16, HISTOGRAM_BINS>>>(d_in, (float *)d_bins, n);
    to_whole<<<1, HISTOGRAM_BINS>>>(d_bins);
    return CUDA_CHECK(cudaGetLastError());
}
