/* SPDX-License-Identifier: MIT */
/** @file
 *  Reduction, step 4: thread coarsening.  Each thread reduces many elements by
 *  itself first; thread_reduce.h has the loop. */
#include "thread_reduce.h"

/** A thread owns every T-th float4 (T threads in the grid); a block writes one
 *  value.
 *
 *  Any grid, block 256, 32 bytes of shared memory, one barrier.  Each element
 *  is loaded once, 16 bytes per lane; the cost of the shuffles and of the
 *  barrier is shared by many elements.
 */
__global__ void reduce_grid(const float *__restrict__ in,
                            float *__restrict__ out, size_t n, int op)
{
    float value = block_reduce(thread_reduce(in, n, op), op);

    if (threadIdx.x == 0) out[blockIdx.x] = value;
}

int reduction(const float *d_in, float *d_out, float *d_work, size_t n,
              int op)
{
    unsigned blocks = 0;
    cudaError_t err = blocks_for_reduction(&blocks, n);

    if (err) return err;
    reduce_grid<<<blocks, THREADS>>>(d_in, d_work, n, op);
    reduce_grid<<<1, THREADS>>>(d_work, d_out, blocks, op);
    return CUDA_CHECK(cudaGetLastError());
}
