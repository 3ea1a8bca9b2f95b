/* SPDX-License-Identifier: MIT */
/** @file
 *  Vector addition, step 1: one element per thread. */
#include "grid.h"
#include "host.h"

/** Thread i owns element i; a block owns 256 consecutive elements.
 *
 *  Grid ceil(n / 256), block 256, no shared memory; each input is loaded once.
 *  The 32 floats of a warp are 128 consecutive bytes: 4 sectors per request,
 *  the minimum.
 */
__global__ void add(const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ c, size_t n)
{
    /* size_t before the product: blockIdx.x * blockDim.x has only 32 bits */
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) /* bounds check: the last block may have idle threads */
        c[i] = a[i] + b[i];
}

/* 2^31 - 1 blocks of 256 cover 2^39 elements, more than any GPU can hold. */
static cudaError_t launch(const float *d_a, const float *d_b, float *d_c,
                          size_t n)
{
    const unsigned threads = 256;

    add<<<(unsigned)ceil_div(n, threads), threads>>>(d_a, d_b, d_c, n);
    return CUDA_CHECK(cudaGetLastError());
}
