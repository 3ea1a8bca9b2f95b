/* SPDX-License-Identifier: MIT */
/** @file
 *  Reduction, step 5: the last block to finish reduces the partial results of
 *  all blocks, so one launch is enough. */
#include "thread_reduce.h"
#include "reduction_op.h"

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
__device__ static bool is_last_block(void)
{
    __shared__ bool s_last;

    if (threadIdx.x == 0) {
        __threadfence();
        s_last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
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
    float value = block_reduce(thread_reduce(in, n, op), op);

    if (threadIdx.x == 0) work[blockIdx.x] = value;
    if (!is_last_block()) return;
    value = identity(op);
    for (unsigned i = threadIdx.x; i < gridDim.x; i += THREADS)
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
