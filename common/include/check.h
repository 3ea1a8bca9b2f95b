/* SPDX-License-Identifier: MIT */
/** @file
 *  Error checks for lab code.
 *
 *  Every CUDA call returns an error code.  A code that no statement reads
 *  hides the first failure.  CUDA_CHECK reads it, prints place, call and error
 *  on stderr, and returns it:
 *
 *      cudaError_t err = CUDA_CHECK(cudaMalloc(&d_a, bytes));
 *      if (!err) err = CUDA_CHECK(cudaMalloc(&d_b, bytes));
 *
 *  A kernel launch returns nothing: write CUDA_CHECK(cudaGetLastError()) after
 *  it.  No function here exits: only the caller knows what it has to free. */
#ifndef CHECK_H
#define CHECK_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

/** Evaluate a CUDA call; report an error with the call's text and place.
 *  @return the call's cudaError_t; cudaSuccess is 0 */
#define CUDA_CHECK(call) check_cuda((call), #call, __FILE__, __LINE__)

/** Print one line on stderr unless `err` is cudaSuccess: `vector_add.cu:31:
 *  cudaMalloc(&d_a, bytes): out of memory`.
 *
 *  @param err   the error code
 *  @param call  the call as written
 *  @param file  its source file; folders are left out of the message
 *  @param line  its line
 *  @return `err` */
static inline cudaError_t check_cuda(cudaError_t err, const char *call,
                                     const char *file, int line)
{
    if (err != cudaSuccess) {
        const char *slash = strrchr(file, '/');
        fprintf(stderr, "%s:%d: %s: %s\n", slash ? slash + 1 : file, line,
                call, cudaGetErrorString(err));
    }
    return err;
}

#endif
