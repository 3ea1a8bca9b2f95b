/* SPDX-License-Identifier: MIT */
/** @file
 *  Reduction, step 4: each thread combines many elements by itself before it
 *  talks to others; many.h has the loop. */
#include "many.h"

/** A thread owns every T-th quad (T the grid's threads), a block leaves one
 *  value.
 *
 *  Any grid, block 256, 32 bytes of shared memory, one barrier.  Each element
 *  is read once, 16 bytes a lane; the shuffles and the barrier now cost once
 *  for many elements.
 */
__global__ void reduce_grid(const float *__restrict__ in,
                            float *__restrict__ out, size_t n, int op)
{
    float value = combine_block(combine_share(in, n, op), op);

    if (threadIdx.x == 0) out[blockIdx.x] = value;
}

int reduction(const float *d_in, float *d_out, float *d_work, size_t n,
              int op)
{
    unsigned blocks = 0;
    cudaError_t err = blocks_for(&blocks, n);

    if (err) return err;
    reduce_grid<<<blocks, THREADS>>>(d_in, d_work, n, op);
    reduce_grid<<<1, THREADS>>>(d_work, d_out, blocks, op);
    return CUDA_CHECK(cudaGetLastError());
}
