/* SPDX-License-Identifier: MIT */
/** @file
 *  Error checks for lab code.
 *
 *  Every CUDA call returns a code, and a code that nobody reads hides the
 *  first thing that went wrong.  CUDA_CHECK reads it, says where and what on
 *  stderr, and hands it on:
 *
 *      cudaError_t err = CUDA_CHECK(cudaMalloc(&d_a, bytes));
 *      if (!err) err = CUDA_CHECK(cudaMalloc(&d_b, bytes));
 *
 *  A launch returns nothing: CUDA_CHECK(cudaGetLastError()) after it asks.
 *  Nothing here exits: only the caller knows what is still to be freed.
 */
#ifndef CHECK_H
#define CHECK_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

/** Run a CUDA call and report its failure with its text and place.
 *  @return the call's cudaError_t, cudaSuccess being 0 */
#define CUDA_CHECK(call) check_cuda((call), #call, __FILE__, __LINE__)

/** What CUDA_CHECK calls: one line on stderr unless `err` is cudaSuccess,
 *  `vector_add.cu:31: cudaMalloc(&d_a, bytes): out of memory`.
 *
 *  @param err   the code
 *  @param call  the call as written
 *  @param file  its file; folders are left out of the message
 *  @param line  its line
 *  @return `err`
 */
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
