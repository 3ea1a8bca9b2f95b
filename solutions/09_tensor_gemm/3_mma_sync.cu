/* SPDX-License-Identifier: MIT */
/** @file
 *  GEMM on tensor cores, step 3: asynchronous copies that overlap the
 *  multiplication (cp.async, three stages), no bank conflicts without padding
 *  (swizzle), and fragments of known layout (ldmatrix, mma.sync).  The kernel
 *  is in mma_sync.h.  Step 2 runs on GPUs below compute capability 8.0, and if
 *  the row length is not a multiple of 16 bytes. */
#include "mma_sync.h"

template <typename T>
static cudaError_t launch(const T *d_a, const T *d_b, float *d_c,
                          struct shape s)
{
    return launch_mma(d_a, d_b, d_c, s);
}
