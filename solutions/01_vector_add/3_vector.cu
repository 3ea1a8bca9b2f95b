/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Vector add, step 3: 16 bytes a load, a quarter of the instructions. */
#include "grid.h"
// HANDOUT
// /** @file
//  *  Lab 01: add two vectors on the GPU.  The contract is in vector_add.h. */
// END SOLUTION
#include "host.h"

// BEGIN SOLUTION
/** Add four lanes. */
__device__ static float4 add4(float4 x, float4 y)
{
    return make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

/** Thread t owns quads t, t + T, ... (T the grid's threads), and of the last
 *  n mod 4 elements the one numbered t.
 *
 *  Any grid, block 256, no shared memory; each input is read once, 512 bytes
 *  a warp and request (16 sectors).  All three pointers are 16-byte aligned,
 *  as cudaMalloc gives them.
 */
// HANDOUT
// /** One thread, one element: c[i] = a[i] + b[i].  Device pointers; that they
//  *  do not overlap is what `__restrict__` promises. */
// END SOLUTION
__global__ void add(const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ c, size_t n)
{
// BEGIN SOLUTION
    const float4 *a4 = (const float4 *)a, *b4 = (const float4 *)b;
    float4 *c4 = (float4 *)c;
    size_t t = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (size_t i = t; i < n / 4; i += step)
        c4[i] = add4(a4[i], b4[i]);
    if (t < n % 4) { /* the tail: up to three elements */
        size_t i = n - n % 4 + t;
        c[i] = a[i] + b[i];
    }
// HANDOUT
//     /* TODO 3: compute this thread's i from blockIdx, blockDim, threadIdx,
//      * in size_t; do nothing when it lies past the end. */
// END SOLUTION
}

static cudaError_t launch(const float *d_a, const float *d_b, float *d_c,
                          size_t n)
{
    const unsigned threads = 256;
// BEGIN SOLUTION
    unsigned blocks = 0;
    cudaError_t err = grid_stride_blocks(&blocks, n / 4, threads);

    if (err) return err;
    add<<<blocks, threads>>>(d_a, d_b, d_c, n);
    return CUDA_CHECK(cudaGetLastError());
// HANDOUT
//     /* TODO 4: launch add with enough blocks; ask cudaGetLastError() */
//     return cudaErrorNotSupported;
// END SOLUTION
}
