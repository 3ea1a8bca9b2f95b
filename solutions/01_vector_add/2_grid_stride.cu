/* SPDX-License-Identifier: MIT */
/** @file
 *  Vector add, step 2: a fixed grid whose threads stride through the vector. */
#include "grid.h"
#include "host.h"

/** Thread t owns elements t, t + T, t + 2T, ... where T is the grid's threads.
 *
 *  Any grid, block 256, no shared memory; each input is read once.  In every
 *  turn the grid covers T neighbours, so a warp still reads 128 bytes in a
 *  row; what it saves is starting a thread, its index and its guard anew for
 *  each element.
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
