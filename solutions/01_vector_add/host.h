/* SPDX-License-Identifier: MIT */
/** @file
 *  The host code of all steps of lab 01: memory, copies, cleanup.
 *
 *  The steps differ only in their kernel: each defines its `launch`.
 */
#ifndef VECTOR_ADD_HOST_H
#define VECTOR_ADD_HOST_H

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
    if (!err) err = CUDA_CHECK(cudaMalloc(&d_b, bytes));
    if (!err) err = CUDA_CHECK(cudaMalloc(&d_c, bytes));
    if (!err) err = CUDA_CHECK(cudaMemcpy(d_a, a, bytes, up));
    if (!err) err = CUDA_CHECK(cudaMemcpy(d_b, b, bytes, up));
    if (!err) err = launch(d_a, d_b, d_c, n);
    /* this copy waits for the kernel, so it also returns the kernel's errors */
    if (!err) err = CUDA_CHECK(cudaMemcpy(c, d_c, bytes, down));
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return err;
}

#endif
