/* SPDX-License-Identifier: MIT */
/** @file
 *  GEMM on tensor cores, step 2: the warps of a block share tiles of A and B in
 *  shared memory, and a warp uses each fragment twice.  The kernel is in
 *  staged.h. */
#include "staged.h"

template <typename T>
static cudaError_t launch(const T *d_a, const T *d_b, float *d_c,
                          struct shape s)
{
    return launch_staged(d_a, d_b, d_c, s);
}
