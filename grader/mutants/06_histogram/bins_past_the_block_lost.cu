// verdict: WRONG
// expect: 0 from bin 192 on
/* SPDX-License-Identifier: MIT */
/* A block of 192 threads adds 192 of 256 bins. */
#include "grid.h"
#include "histogram.h"

enum { THREADS = 192, CHUNK = 4096 };

/** A block counts chunks of 4,096 bytes in shared memory. */
__global__ void count_chunks(const unsigned char *__restrict__ in,
                             unsigned *bins, size_t n)
{
    __shared__ unsigned s_count[HISTOGRAM_BINS];
    const size_t step = (size_t)gridDim.x * CHUNK;

    for (unsigned b = threadIdx.x; b < HISTOGRAM_BINS; b += THREADS)
        s_count[b] = 0;
    __syncthreads();
    for (size_t c = (size_t)blockIdx.x * CHUNK; c < n; c += step) {
        for (size_t i = c + threadIdx.x; i < n && i < c + CHUNK; i += THREADS)
            atomicAdd(&s_count[in[i]], 1u);
        __syncthreads();
        atomicAdd(&bins[threadIdx.x], s_count[threadIdx.x]);
        for (unsigned b = threadIdx.x; b < HISTOGRAM_BINS; b += THREADS)
            s_count[b] = 0;
        __syncthreads();
    }
}

int histogram(const unsigned char *d_in, unsigned *d_bins, size_t n)
{
    const size_t bytes = HISTOGRAM_BINS * sizeof *d_bins;
    const size_t blocks = n / 65536 + 1;
    cudaError_t err = CUDA_CHECK(cudaMemsetAsync(d_bins, 0, bytes));

    if (err || n == 0) return err;
    count_chunks<<<(unsigned)blocks, THREADS>>>(d_in, d_bins, n);
    return CUDA_CHECK(cudaGetLastError());
}
