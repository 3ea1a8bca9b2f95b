/* SPDX-License-Identifier: MIT */
/** @file
 *  Histogram, step 2: each block counts for itself in shared memory. */
#include "host.h"

enum { THREADS = 256 }; /* a block: as many as bins, so each owns one too */

/** Thread t owns bytes t, t + T, ... (T the grid's threads), and bin t.
 *
 *  Any grid, block 256, 1,024 bytes of shared memory.  Each byte is read once;
 *  global atomics are 256 a block, however long the input.  The barriers
 *  separate clearing the bins, counting, and adding them up.  Lanes with equal
 *  bytes wait for each other: 32 turns when all are equal.
 */
__global__ void count_bytes(const unsigned char *__restrict__ in,
                            unsigned *bins, size_t n)
{
    __shared__ unsigned s_count[HISTOGRAM_BINS];
    size_t step = (size_t)gridDim.x * THREADS;

    s_count[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n;
         i += step)
        atomicAdd(&s_count[in[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], s_count[threadIdx.x]);
}

static cudaError_t launch(const unsigned char *d_in, unsigned *d_bins,
                          size_t n)
{
    const size_t least = 32; /* bytes a thread, lest the bins cost more */
    unsigned blocks = 0;
    cudaError_t err = grid_stride_blocks(&blocks, n / least, THREADS);

    if (err) return err;
    count_bytes<<<blocks, THREADS>>>(d_in, d_bins, n);
    return CUDA_CHECK(cudaGetLastError());
}
