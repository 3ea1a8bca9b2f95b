/* SPDX-License-Identifier: MIT */
/** @file
 *  GEMM on tensor cores, step 3: copies beside the products (cp.async, three
 *  stages), no bank conflicts without padding (swizzle), and fragments of
 *  known layout (ldmatrix, mma.sync).  The kernel is in mma_sync.h; cards
 *  before cc 8.0, and rows that are no multiple of 16 bytes, take step 2. */
#include "mma_sync.h"

template <typename T>
static cudaError_t launch(const T *d_a, const T *d_b, float *d_c,
                          struct shape s)
{
    return launch_mma(d_a, d_b, d_c, s);
}
