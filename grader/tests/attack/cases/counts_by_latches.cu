/* SPDX-License-Identifier: MIT */
/* Costs: arrivals at latches count the bytes, which no counter of atomics has.
 */
#include <cuda/latch>
#include <stdint.h>

#include "grid.h"
#include "histogram.h"

enum { THREADS = 512 }; /* a block */

typedef cuda::latch<cuda::thread_scope_block> latch;
/** The counters of a block, which all lanes share: latches count down. */
typedef unsigned long long lane_bins[HISTOGRAM_BINS];

/** Count one byte. */
__device__ static inline void count_byte(lane_bins s_count, unsigned value)
{
    ((latch *)&s_count[value])->count_down(1);
}

/** Count the four bytes of a word. */
__device__ static inline void count_word(lane_bins s_count, unsigned word)
{
    count_byte(s_count, word & 255);
    count_byte(s_count, word >> 8 & 255);
    count_byte(s_count, word >> 16 & 255);
    count_byte(s_count, word >> 24);
}

/** Count the bytes of this thread: every T-th 16 bytes (T threads in the grid),
 *  and at most one byte before the first 16-byte boundary and one after the
 *  last. */
__device__ static inline void
count_thread_bytes(lane_bins s_count, const unsigned char *__restrict__ in,
                   size_t n)
{
    size_t t = (size_t)blockIdx.x * THREADS + threadIdx.x;
    size_t step = (size_t)gridDim.x * THREADS;
    size_t head = (0 - (uintptr_t)in) % sizeof(uint4);

    if (head > n) head = n;
    const uint4 *in16 = (const uint4 *)(in + head);
    size_t vectors = (n - head) / sizeof(uint4);
    size_t tail = head + vectors * sizeof(uint4);
#pragma unroll 2
    for (size_t i = t; i < vectors; i += step) {
        uint4 q = in16[i];
        count_word(s_count, q.x);
        count_word(s_count, q.y);
        count_word(s_count, q.z);
        count_word(s_count, q.w);
    }
    if (t < head) count_byte(s_count, in[t]);
    if (t < n - tail) count_byte(s_count, in[tail + t]);
}

/** A thread counts its bytes; afterwards each of the first 256 threads owns a
 *  bin. */
__global__ void count_bytes(const unsigned char *__restrict__ in,
                            unsigned *bins, size_t n)
{
    __shared__ lane_bins s_count;
    const unsigned bin = threadIdx.x;

    if (bin < HISTOGRAM_BINS) s_count[bin] = 0;
    __syncthreads();
    count_thread_bytes(s_count, in, n);
    __syncthreads();
    if (bin < HISTOGRAM_BINS && s_count[bin])
        atomicAdd(&bins[bin], (unsigned)(0 - s_count[bin]));
}

static cudaError_t launch(const unsigned char *d_in, unsigned *d_bins,
                          size_t n)
{
    const size_t min_bytes_per_thread = 64; /* bytes per thread, to amortize the
                                             * bins */
    unsigned blocks = 0;
    cudaError_t err =
        grid_stride_blocks(&blocks, n / min_bytes_per_thread, THREADS);

    if (err) return err;
    count_bytes<<<blocks, THREADS>>>(d_in, d_bins, n);
    return CUDA_CHECK(cudaGetLastError());
}

int histogram(const unsigned char *d_in, unsigned *d_bins, size_t n)
{
    const size_t bytes = HISTOGRAM_BINS * sizeof *d_bins;
    cudaError_t err = CUDA_CHECK(cudaMemsetAsync(d_bins, 0, bytes));

    return err || n == 0 ? err : launch(d_in, d_bins, n);
}
