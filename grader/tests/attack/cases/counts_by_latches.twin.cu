/* SPDX-License-Identifier: MIT */
/* A histogram with a copy of the counters for each lane, and a barrier in
 * memory. */
#include <cuda/barrier>
#include <stdint.h>

#include "grid.h"
#include "histogram.h"

enum { THREADS = 512, LANES = 32 }; /* a block, a warp */

/** The counters of a block: bin b of lane l is at [b][l], in bank l. */
typedef unsigned lane_bins[HISTOGRAM_BINS][LANES];

/** Count one byte for this lane.  Atomic: other warps have lanes with the same
 *  number. */
__device__ static inline void count_byte(lane_bins s_count, unsigned value)
{
    atomicAdd(&s_count[value][threadIdx.x % LANES], 1u);
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
 *  bin.
 *
 *  Any grid, block 512, 32,768 bytes of shared memory.  Each byte is loaded
 *  once, 512 bytes per warp.  The 32 counters of a warp are in 32 banks: one
 *  wavefront for any data.  The barriers separate clearing, counting and
 *  adding.  Each lane starts to add at another copy, to avoid bank conflicts.
 */
__global__ void count_bytes(const unsigned char *__restrict__ in,
                            unsigned *bins, size_t n)
{
    __shared__ lane_bins s_count;
    __shared__ cuda::barrier<cuda::thread_scope_block> s_barrier;
    unsigned bin = threadIdx.x, sum = 0;

    if (threadIdx.x == 0) init(&s_barrier, THREADS);
    for (unsigned b = threadIdx.x / LANES; b < HISTOGRAM_BINS;
         b += THREADS / LANES)
        s_count[b][threadIdx.x % LANES] = 0;
    __syncthreads();
    count_thread_bytes(s_count, in, n);
    s_barrier.arrive_and_wait();
    if (bin >= HISTOGRAM_BINS) return;
    for (unsigned k = 0; k < LANES; k++)
        sum += s_count[bin][(bin + k) % LANES];
    if (sum > 0) atomicAdd(&bins[bin], sum);
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
