/* SPDX-License-Identifier: MIT */
/** @file
 *  Vector addition, step 3: vectorized accesses, 16 bytes per load and a
 *  quarter of the instructions. */
#include "grid.h"
#include "host.h"

/** Add the four elements of two float4. */
__device__ static float4 add4(float4 x, float4 y)
{
    return make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

/** Thread t owns the float4 vectors t, t + T, ... (T threads in the grid), and
 *  element t of the last n mod 4 elements.
 *
 *  Any grid, block 256, no shared memory; each input is loaded once, with 512
 *  bytes per request of a warp (16 sectors).  All three pointers are aligned to
 *  16 bytes, as cudaMalloc guarantees.
 */
__global__ void add(const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ c, size_t n)
{
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
}

static cudaError_t launch(const float *d_a, const float *d_b, float *d_c,
                          size_t n)
{
    const unsigned threads = 256;
    unsigned blocks = 0;
    cudaError_t err = grid_stride_blocks(&blocks, n / 4, threads);

    if (err) return err;
    add<<<blocks, threads>>>(d_a, d_b, d_c, n);
    return CUDA_CHECK(cudaGetLastError());
}
