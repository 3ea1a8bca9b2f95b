/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Reduction, step 5: the last block to finish combines all blocks' values,
 *  so that one launch does. */
#include "many.h"
// HANDOUT
// /** @file
//  *  Lab 04: the sum or the largest of a vector on the GPU.  The contract is in
//  *  reduction.h. */
// END SOLUTION
#include "combine.h"

// BEGIN SOLUTION
/** Blocks that have left their value.  The last one sets it back to 0 for the
 *  next launch: launches on one stream never run beside each other. */
__device__ static unsigned blocks_done;

/** Is this the last block of the grid to come here?  Thread 0 asks, all get
 *  the answer.
 *
 *  The fence before the count makes this block's value visible to whoever
 *  sees the count; the one after it keeps the last block from reading values
 *  earlier than the count.  atomicInc wraps to 0 by itself.
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

/** A thread owns every T-th quad (T the grid's threads), a block leaves one
 *  value in work, and the last block makes one of them all.
 *
 *  Any grid, block 256, 33 bytes of shared memory.  Each element is read once,
 *  each block's value written and read once.  Which block is the last does
 *  not matter: it combines the values in the order of their blocks.
 */
__global__ void reduce_all(const float *__restrict__ in, float *out,
                           volatile float *work, size_t n, int op)
{
    float value = combine_block(combine_share(in, n, op), op);

    if (threadIdx.x == 0) work[blockIdx.x] = value;
    if (!is_last_block()) return;
    value = neutral(op);
    for (unsigned i = threadIdx.x; i < gridDim.x; i += THREADS)
        value = combine(value, work[i], op);
    value = combine_block(value, op);
    if (threadIdx.x == 0) *out = value;
}

// HANDOUT
// /** A block combines THREADS elements of in into out[blockIdx.x].  Device
//  *  pointers; that they do not overlap is what `__restrict__` promises. */
// __global__ void reduce_block(const float *__restrict__ in,
//                              float *__restrict__ out, size_t n, int op)
// {
//     __shared__ float s_value[THREADS];
//     /* TODO 1: this thread's element; past the end what changes nothing */
//     /* TODO 2: a tree: in each round half of the threads left combine two
//      * values each; a barrier between the rounds, for all threads */
//     /* TODO 3: thread 0 writes what is left */
// }
//
// END SOLUTION
int reduction(const float *d_in, float *d_out, float *d_work, size_t n,
              int op)
{
// BEGIN SOLUTION
    unsigned blocks = 0;
    cudaError_t err = blocks_for(&blocks, n);

    if (err) return err;
    reduce_all<<<blocks, THREADS>>>(d_in, d_out, d_work, n, op);
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 4: a pass leaves one value a block in d_work; further passes over
//      * those, until a single block writes d_out; without elements as well */
//     return cudaErrorNotSupported;
// END SOLUTION
}
