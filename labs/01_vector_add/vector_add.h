/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 01, the contract: add two vectors in host memory. */
#ifndef VECTOR_ADD_H
#define VECTOR_ADD_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Add two vectors on the GPU: c[i] = a[i] + b[i] for all i < n.
 *
 *  The caller does not use CUDA: this function allocates device memory, copies
 *  the inputs to the device, launches the kernel, copies the result back, and
 *  frees all memory that it has allocated, also after an error.
 *
 *  @param[in]  a  host, n floats, aligned as a float; unchanged
 *  @param[in]  b  host, n floats, aligned as a float; unchanged
 *  @param[out] c  host, n floats, all written; overlaps neither a nor b;
 *                 undefined after an error
 *  @param      n  elements, also more than 2^31; with 0 there is no launch and
 *                 the pointers are not used, so all three may be NULL
 *  @return  cudaSuccess, or the cudaError_t of the first CUDA call that failed
 *
 *  Each sum is one float addition with one rounding: all bits of the result
 *  are defined, also for infinities and NaNs.  The call is synchronous: it
 *  returns when c is complete.
 *  Budget: 3 * ceil(n / 8) sectors of 32 bytes in one launch, no races.
 */
int vector_add(const float *a, const float *b, float *c, size_t n);

#ifdef __cplusplus
}
#endif

#endif
