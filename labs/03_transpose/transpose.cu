/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 03: transpose a matrix on the GPU.  The contract is in transpose.h. */
#include "check.h"
#include "transpose.h"

/** One thread, one element: out[c][r] = in[r][c].  Device pointers; that
 *  they do not overlap is what `__restrict__` promises. */
__global__ void transpose_any(const float *__restrict__ in,
                              float *__restrict__ out, int rows, int cols)
{
    /* TODO 1: this thread's row and column, from a 2-D grid; lanes of a
     * warp (threadIdx.x) should lie side by side in memory */
    /* TODO 2: move one element; indices in size_t */
}

int transpose(const float *d_in, float *d_out, int rows, int cols)
{
    /* TODO 3: nothing to launch for an empty matrix */
    /* TODO 4: block and grid; gridDim.y ends at 65,535; launch */
    return cudaErrorNotSupported; /* TODO 5: CUDA_CHECK(cudaGetLastError()) */
}
