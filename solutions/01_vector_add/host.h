/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  The host's half of every step of lab 01: memory, copies, clean-up.
 *
 *  The steps differ in their kernel alone: each defines its `launch`.
 */
#ifndef VECTOR_ADD_HOST_H
#define VECTOR_ADD_HOST_H

// END SOLUTION
#include "check.h"
#include "vector_add.h"

/** Launch the kernel: d_c = d_a + d_b, device pointers, n > 0 floats each.
 *  @return cudaSuccess or the launch's error */
static cudaError_t launch(const float *d_a, const float *d_b, float *d_c,
                          size_t n);

/* Each line runs only while all before it went well; cudaFree(NULL) is
 * harmless, so one way out serves every failure. */
int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const cudaMemcpyKind up = cudaMemcpyHostToDevice;
    const cudaMemcpyKind down = cudaMemcpyDeviceToHost;
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    size_t bytes = n * sizeof(float);
    cudaError_t err = cudaSuccess;

    if (n == 0) return cudaSuccess;
    if (!err) err = CUDA_CHECK(cudaMalloc(&d_a, bytes));
// BEGIN SOLUTION
    if (!err) err = CUDA_CHECK(cudaMalloc(&d_b, bytes));
    if (!err) err = CUDA_CHECK(cudaMalloc(&d_c, bytes));
    if (!err) err = CUDA_CHECK(cudaMemcpy(d_a, a, bytes, up));
    if (!err) err = CUDA_CHECK(cudaMemcpy(d_b, b, bytes, up));
// HANDOUT
//     /* TODO 1: device memory for b and c as well */
//     /* TODO 2: copy a and b up into it */
// END SOLUTION
    if (!err) err = launch(d_a, d_b, d_c, n);
// BEGIN SOLUTION
    /* this copy waits for the kernel, so it reports the kernel's errors too */
    if (!err) err = CUDA_CHECK(cudaMemcpy(c, d_c, bytes, down));
// HANDOUT
//     /* TODO 5: copy the sum down to c; this waits for the kernel */
// END SOLUTION
    cudaFree(d_a);
// BEGIN SOLUTION
    cudaFree(d_b);
    cudaFree(d_c);
// HANDOUT
//     /* TODO 6: free the other two */
// END SOLUTION
    return err;
}
// BEGIN SOLUTION

#endif
// END SOLUTION
