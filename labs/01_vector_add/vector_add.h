/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 01, the contract: add two vectors that lie in host memory. */
#ifndef VECTOR_ADD_H
#define VECTOR_ADD_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Add two vectors on the GPU: c[i] = a[i] + b[i] for every i below n.
 *
 *  The caller knows nothing of the GPU: this function allocates device
 *  memory, copies, launches, copies back, and frees all it allocated, when it
 *  fails too.
 *
 *  @param[in]  a  host, n floats, any alignment a float may have; unchanged
 *  @param[in]  b  host, n floats, likewise; unchanged
 *  @param[out] c  host, n floats, all written; overlaps neither a nor b;
 *                 its contents are not to be used when the call failed
 *  @param      n  elements, more than 2^31 too; 0 launches nothing and
 *                 touches no pointer, so all three may be NULL
 *  @return  cudaSuccess, or the first cudaError_t that a CUDA call gave
 *
 *  Each sum is one float addition, rounded once: the result is exact to the
 *  bit, infinities and NaNs included.  Blocks, until it has ended.
 *  Budget: 3 * ceil(n / 8) sectors of 32 bytes in one launch, no races.
 */
int vector_add(const float *a, const float *b, float *c, size_t n);

#ifdef __cplusplus
}
#endif

#endif
