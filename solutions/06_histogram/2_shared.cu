/* SPDX-License-Identifier: MIT */
/** @file
 *  Histogram, step 2: privatization, one copy of the counters per block in
 *  shared memory. */
#include "host.h"

enum { THREADS = 256 }; /* a block: one thread per bin */

/** Thread t owns bytes t, t + T, ... (T threads in the grid), and bin t.
 *
 *  Any grid, block 256, 1,024 bytes of shared memory.  Each byte is loaded
 *  once; there are 256 global atomics per block for any input size.  The
 *  barriers separate clearing the bins, counting, and adding them to the global
 *  bins.  Atomics of lanes with equal bytes are serialized: 32 updates if all
 *  bytes are equal.
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
    const size_t min_bytes_per_thread = 32; /* bytes per thread, to amortize the
                                             * 256 atomics */
    unsigned blocks = 0;
    cudaError_t err =
        grid_stride_blocks(&blocks, n / min_bytes_per_thread, THREADS);

    if (err) return err;
    count_bytes<<<blocks, THREADS>>>(d_in, d_bins, n);
    return CUDA_CHECK(cudaGetLastError());
}
