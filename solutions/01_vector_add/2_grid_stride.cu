/* SPDX-License-Identifier: MIT */
/** @file
 *  Vector addition, step 2: a fixed grid with a grid-stride loop. */
#include "grid.h"
#include "host.h"

/** Thread t owns elements t, t + T, t + 2T, ... where T is the number of
 *  threads in the grid.
 *
 *  Any grid, block 256, no shared memory; each input is loaded once.  In each
 *  iteration the grid covers T consecutive elements, so the accesses of a warp
 *  are still coalesced (128 bytes).  The loop saves the start of a thread, its
 *  index computation and its bounds check for each element.
 */
__global__ void add(const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ c, size_t n)
{
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += step)
        c[i] = a[i] + b[i];
}

static cudaError_t launch(const float *d_a, const float *d_b, float *d_c,
                          size_t n)
{
    const unsigned threads = 256;
    unsigned blocks = 0;
    cudaError_t err = grid_stride_blocks(&blocks, n, threads);

    if (err) return err;
    add<<<blocks, threads>>>(d_a, d_b, d_c, n);
    return CUDA_CHECK(cudaGetLastError());
}
