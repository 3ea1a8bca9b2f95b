/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 01: add two vectors on the GPU.  The contract is in vector_add.h. */
#include "check.h"
#include "vector_add.h"

/** One thread, one element: c[i] = a[i] + b[i].  Device pointers. */
__global__ void add(const float *a, const float *b, float *c, size_t n)
{
    /* TODO 1: compute this thread's i from blockIdx, blockDim, threadIdx,
     * in size_t; do nothing when it lies past the end. */
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    float *d_a = NULL;
    size_t bytes = n * sizeof(float);
    cudaError_t err = cudaSuccess;

    if (n == 0) return cudaSuccess;
    if (!err) err = CUDA_CHECK(cudaMalloc(&d_a, bytes));
    /* TODO 2: device memory for b and c as well; copy a and b into it */
    /* TODO 3: launch add with enough blocks; ask cudaGetLastError() */
    /* TODO 4: copy the sum back to c, and free all three */
    cudaFree(d_a);
    return err ? err : cudaErrorNotSupported; /* TODO 5: return err */
}
