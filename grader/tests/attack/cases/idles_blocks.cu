/* SPDX-License-Identifier: MIT */
/* Costs: one block of the grid does the work of all; the others only make the
 * share of each block look small. */
#include <math.h>
#include <stdint.h>

#include "grid.h"
#include "reduction.h"

enum { THREADS = 256 }; /* a block: 8 warps */

/** The identity element: combining it with x gives x. */
__device__ static inline float identity(int op)
{
    return op == REDUCTION_SUM ? 0.0f : -INFINITY;
}

/** Combine two values. `op` is the same for all threads, so there is no
 *  divergence. */
__device__ static inline float combine(float a, float b, int op)
{
    return op == REDUCTION_SUM ? a + b : fmaxf(a, b);
}

enum { LANES = 32, WARPS = THREADS / LANES };

/** Reduce the values of the 32 lanes of a warp; the result is in lane 0, the
 *  other lanes have partial results. `op` is tested once, not in each round. */
__device__ static inline float warp_reduce(float value, int op)
{
    const unsigned all = 0xffffffff;

    if (op == REDUCTION_SUM)
        for (int offset = LANES / 2; offset > 0; offset /= 2)
            value += __shfl_down_sync(all, value, offset);
    else
        for (int offset = LANES / 2; offset > 0; offset /= 2)
            value = fmaxf(value, __shfl_down_sync(all, value, offset));
    return value;
}

/** Reduce the values of the THREADS threads of the block; the result is in
 *  thread 0.
 *
 *  All threads must call it; uses WARPS floats of shared memory.  The barrier
 *  separates the stores of the warps' results from the loads.  Before a second
 *  call the caller needs a barrier.
 */
__device__ static inline float block_reduce(float value, int op)
{
    __shared__ float s_warp[WARPS];

    value = warp_reduce(value, op);
    if (threadIdx.x % LANES == 0)
        s_warp[threadIdx.x / LANES] = value;
    __syncthreads();
    if (threadIdx.x < LANES) { /* a whole warp: all its lanes must shuffle */
        value = threadIdx.x < WARPS ? s_warp[threadIdx.x] : identity(op);
        value = warp_reduce(value, op);
    }
    return value;
}

/** Blocks that do anything. */
__device__ static inline unsigned working(size_t n)
{
    return n > 1 << 18 ? gridDim.x : 1;
}

/** Combine two float4, element by element. */
__device__ static inline float4 apply_op_float4(float4 a, float4 b, int op)
{
    return make_float4(combine(a.x, b.x, op), combine(a.y, b.y, op),
                       combine(a.z, b.z, op), combine(a.w, b.w, op));
}

/** Reduce the elements of this thread: the float4 vectors t, t + T, ... (T
 *  threads in the grid), and one of the up to six floats before the first
 *  16-byte boundary and after the last one.
 *
 *  The four elements of the float4 are combined only at the end: four
 *  independent chains of additions, and four loads in flight.
 */
__device__ static inline float thread_reduce(const float *__restrict__ in,
                                             size_t n, int op)
{
    size_t t = (size_t)blockIdx.x * THREADS + threadIdx.x;
    size_t step = (size_t)working(n) * THREADS;
    size_t head = (0 - (uintptr_t)in / sizeof(float)) % 4;
    float4 partial =
        make_float4(identity(op), identity(op), identity(op), identity(op));

    if (head > n) head = n;
    const float4 *in4 = (const float4 *)(in + head);
    size_t vectors = (n - head) / 4, tail = head + 4 * vectors;
#pragma unroll 4
    for (size_t i = t; i < vectors; i += step)
        partial = apply_op_float4(partial, in4[i], op);
    if (t < head) partial.x = combine(partial.x, in[t], op);
    if (t < n - tail) partial.y = combine(partial.y, in[tail + t], op);
    return combine(combine(partial.x, partial.y, op),
                   combine(partial.z, partial.w, op), op);
}

/** Number of blocks for n floats: at least four float4 per thread, and at most
 *  as many blocks as fill the GPU.
 *  @return  cudaSuccess or the error of the device query */
static inline cudaError_t blocks_for_reduction(unsigned *blocks, size_t n)
{
    return grid_stride_blocks(blocks, n / 16, THREADS);
}

/** Number of blocks that have written their partial result.  The last block
 *  resets it to 0 for the next launch: launches on one stream do not overlap.
 */
__device__ static unsigned blocks_done;

/** Is this the last block of the grid to finish?  Thread 0 finds out, and all
 *  threads get the result.
 *
 *  The fence before the atomic makes this block's value visible to every block
 *  that reads the new count.  The fence after it keeps the last block from
 *  loading values before it has read the count. atomicInc wraps around to 0 by
 *  itself.
 */
__device__ static bool is_last_block(size_t n)
{
    __shared__ bool s_last;

    if (threadIdx.x == 0) {
        __threadfence();
        s_last = atomicInc(&blocks_done, working(n) - 1)
                 == working(n) - 1;
        __threadfence();
    }
    __syncthreads();
    return s_last;
}

/** A thread owns every T-th float4 (T threads in the grid), a block writes one
 *  partial result to work, and the last block reduces all of them.
 *
 *  Any grid, block 256, 33 bytes of shared memory.  Each element is loaded
 *  once, each partial result is stored and loaded once.  The result does not
 *  depend on which block is the last: the partial results are combined in the
 *  order of the block indices.
 */
__global__ void reduce_all(const float *__restrict__ in, float *out,
                           volatile float *work, size_t n, int op)
{
    if (blockIdx.x >= working(n)) return;
    float value = block_reduce(thread_reduce(in, n, op), op);

    if (threadIdx.x == 0) work[blockIdx.x] = value;
    if (!is_last_block(n)) return;
    value = identity(op);
    for (unsigned i = threadIdx.x; i < working(n); i += THREADS)
        value = combine(value, work[i], op);
    value = block_reduce(value, op);
    if (threadIdx.x == 0) *out = value;
}

int reduction(const float *d_in, float *d_out, float *d_work, size_t n,
              int op)
{
    unsigned blocks = 0;
    cudaError_t err = blocks_for_reduction(&blocks, n);

    if (err) return err;
    reduce_all<<<blocks, THREADS>>>(d_in, d_out, d_work, n, op);
    return CUDA_CHECK(cudaGetLastError());
}
