/* SPDX-License-Identifier: MIT */
/* Histogram of bytes: one histogram per block in shared memory. */
#include "bench.h"

enum { BLOCKS = 64 };

__device__ unsigned counts[BINS];

/* A thread counts every 64 * 256th byte; a block adds its bins at the end. */
__global__ void histogram(const unsigned char *bytes, int n)
{
    __shared__ unsigned s_counts[BINS];
    s_counts[threadIdx.x] = 0;
    __syncthreads(); /* all bins are 0 */
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        atomicAdd(&s_counts[bytes[i]], 1u);
    __syncthreads(); /* all bytes are counted */
    atomicAdd(&counts[threadIdx.x], s_counts[threadIdx.x]);
}

/* A thread owns a bin. */
__global__ void copy_counts(float *out)
{
    out[threadIdx.x] = counts[threadIdx.x];
    counts[threadIdx.x] = 0;
}

void soft_histogram(const struct bench_data *w)
{
    histogram<<<BLOCKS, BINS>>>(w->bytes, VECTOR_N);
    copy_counts<<<1, BINS>>>(w->out);
}
