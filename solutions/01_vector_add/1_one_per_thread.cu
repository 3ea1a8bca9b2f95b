/* SPDX-License-Identifier: MIT */
/** @file
 *  Vector add, step 1: one element a thread. */
#include "grid.h"
#include "host.h"

/** Thread i owns element i; a block owns 256 neighbours.
 *
 *  Grid ceil(n / 256), block 256, no shared memory; each input is read once.
 *  A warp's 32 floats are 128 bytes in a row: 4 sectors a request, the best
 *  there is.
 */
__global__ void add(const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ c, size_t n)
{
    /* size_t before the product: blockIdx.x * blockDim.x is 32 bits wide */
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) /* the last block has threads to spare */
        c[i] = a[i] + b[i];
}

/* 2^31 - 1 blocks of 256 reach 2^39 elements: no card holds as many. */
static cudaError_t launch(const float *d_a, const float *d_b, float *d_c,
                          size_t n)
{
    const unsigned threads = 256;

    add<<<(unsigned)tiles_for(n, threads), threads>>>(d_a, d_b, d_c, n);
    return CUDA_CHECK(cudaGetLastError());
}
