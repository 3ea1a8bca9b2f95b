/* SPDX-License-Identifier: MIT */
/** @file
 *  The host's half of every step of lab 01: memory, copies, clean-up.
 *
 *  The steps differ in their kernel alone; they pass its launch in here.
 */
#ifndef VECTOR_ADD_HOST_H
#define VECTOR_ADD_HOST_H

#include "check.h"
#include "vector_add.h"

/** A step's launch: d_c = d_a + d_b, device pointers, n > 0 floats each.
 *  @return cudaSuccess or the launch's error */
typedef cudaError_t launch_fn(const float *d_a, const float *d_b, float *d_c,
                              size_t n);

/** Do what vector_add.h promises with the kernel that `launch` starts.
 *  Each line runs only while all before it went well; cudaFree(NULL) is
 *  harmless, so one way out serves every failure.
 *  @return cudaSuccess or the first error */
static cudaError_t add_with(launch_fn *launch, const float *a, const float *b,
                            float *c, size_t n)
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
    /* this copy waits for the kernel, so it reports the kernel's errors too */
    if (!err) err = CUDA_CHECK(cudaMemcpy(c, d_c, bytes, down));
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return err;
}

#endif
