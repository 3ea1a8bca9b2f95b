/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Histogram, step 3: a copy of the bins for each lane of a warp, so that no
 *  two lanes ever meet, whatever they count; and 16 bytes a load. */
#include <stdint.h>

// HANDOUT
// /** @file
//  *  Lab 06: count byte values on the GPU.  The contract is in histogram.h. */
// END SOLUTION
#include "host.h"

// BEGIN SOLUTION
enum { THREADS = 512, LANES = 32 }; /* a block, a warp */

/** A block's counters: bin b of lane l lies at [b][l], in bank l. */
typedef unsigned lane_bins[HISTOGRAM_BINS][LANES];

/** Count one byte for this lane.  Other warps have lanes of that number. */
__device__ static inline void count(lane_bins s_count, unsigned value)
{
    atomicAdd(&s_count[value][threadIdx.x % LANES], 1u);
}

/** Count the four bytes of a word. */
__device__ static inline void count_word(lane_bins s_count, unsigned word)
{
    count(s_count, word & 255);
    count(s_count, word >> 8 & 255);
    count(s_count, word >> 16 & 255);
    count(s_count, word >> 24);
}

/** Count this thread's share: every T-th 16 bytes (T the grid's threads), and
 *  at most one byte before the first multiple of 16 and one after the last. */
__device__ static inline void count_share(lane_bins s_count,
                                          const unsigned char *__restrict__ in,
                                          size_t n)
{
    size_t t = (size_t)blockIdx.x * THREADS + threadIdx.x;
    size_t step = (size_t)gridDim.x * THREADS;
    size_t head = (0 - (uintptr_t)in) % sizeof(uint4);

    if (head > n) head = n;
    const uint4 *in16 = (const uint4 *)(in + head);
    size_t quads = (n - head) / sizeof(uint4);
    size_t tail = head + quads * sizeof(uint4);
#pragma unroll 2
    for (size_t i = t; i < quads; i += step) {
        uint4 q = in16[i];
        count_word(s_count, q.x);
        count_word(s_count, q.y);
        count_word(s_count, q.z);
        count_word(s_count, q.w);
    }
    if (t < head) count(s_count, in[t]);
    if (t < n - tail) count(s_count, in[tail + t]);
}

/** A thread counts its share; the first 256 then own a bin each.
 *
 *  Any grid, block 512, 32,768 bytes of shared memory.  Each byte is read
 *  once, 512 bytes a warp.  A warp's 32 counters lie in 32 banks: one turn for
 *  any bytes.  The barriers separate clearing, counting and adding up, which
 *  begins with another copy in each lane, for the banks' sake.
 */
__global__ void count_bytes(const unsigned char *__restrict__ in,
                            unsigned *bins, size_t n)
{
    __shared__ lane_bins s_count;
    unsigned bin = threadIdx.x, sum = 0;

    for (unsigned b = threadIdx.x / LANES; b < HISTOGRAM_BINS;
         b += THREADS / LANES)
        s_count[b][threadIdx.x % LANES] = 0;
    __syncthreads();
    count_share(s_count, in, n);
    __syncthreads();
    if (bin >= HISTOGRAM_BINS) return;
    for (unsigned k = 0; k < LANES; k++)
        sum += s_count[bin][(bin + k) % LANES];
    if (sum > 0) atomicAdd(&bins[bin], sum);
}

// HANDOUT
// /** One thread, one byte: one more in the bin of its value.  Device pointers.
//  */
// __global__ void count_bytes(const unsigned char *__restrict__ in,
//                             unsigned *bins, size_t n)
// {
//     /* TODO 1: this thread's byte; nothing past the end */
//     /* TODO 2: other threads count at the same time: atomicAdd */
// }
//
// END SOLUTION
static cudaError_t launch(const unsigned char *d_in, unsigned *d_bins,
                          size_t n)
{
// BEGIN SOLUTION
    const size_t least = 64; /* bytes a thread, lest the bins cost more */
    unsigned blocks = 0;
    cudaError_t err = grid_stride_blocks(&blocks, n / least, THREADS);

    if (err) return err;
    count_bytes<<<blocks, THREADS>>>(d_in, d_bins, n);
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 3: enough blocks for n bytes; launch; ask cudaGetLastError() */
//     return cudaErrorNotSupported;
// END SOLUTION
}
