/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 01: add two vectors on the GPU.  The contract is in vector_add.h. */
#include "check.h"
#include "vector_add.h"

/** Launch the kernel: d_c = d_a + d_b, device pointers, n > 0 floats each.
 *  @return  cudaSuccess or the error of the launch */
static cudaError_t launch(const float *d_a, const float *d_b, float *d_c,
                          size_t n);

/* A line runs only if all calls before it succeeded. cudaFree(NULL) does
 * nothing, so one exit path is enough for all errors. */
int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const cudaMemcpyKind up = cudaMemcpyHostToDevice;
    const cudaMemcpyKind down = cudaMemcpyDeviceToHost;
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    size_t bytes = n * sizeof(float);
    cudaError_t err = cudaSuccess;

    if (n == 0) return cudaSuccess;
    if (!err) err = CUDA_CHECK(cudaMalloc(&d_a, bytes));
    /* TODO 1: device memory for b and c as well */
    /* TODO 2: copy a and b to the device */
    if (!err) err = launch(d_a, d_b, d_c, n);
    /* TODO 5: copy the sum back to c; this waits for the kernel */
    cudaFree(d_a);
    /* TODO 6: free the other two */
    return err;
}

/** One element per thread: c[i] = a[i] + b[i].  Device pointers;
 *  `__restrict__` promises that they do not overlap. */
__global__ void add(const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ c, size_t n)
{
    /* TODO 3: compute this thread's i from blockIdx, blockDim, threadIdx,
     * in size_t; check the bound n. */
}

static cudaError_t launch(const float *d_a, const float *d_b, float *d_c,
                          size_t n)
{
    const unsigned threads = 256;
    /* TODO 4: launch add with enough blocks; check cudaGetLastError() */
    return cudaErrorNotSupported;
}
