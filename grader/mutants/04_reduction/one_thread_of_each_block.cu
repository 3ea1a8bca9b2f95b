// verdict: SCORE
// expect: 65 82 right
// One thread of each block adds all of its elements.
/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include "check.h"
#include "reduction.h"

enum { CHUNK = 256 }; /* elements of a block */

/** Thread 0 of a block combines CHUNK elements; the others have nothing to do.
 *  Grid ceil(n / CHUNK), at least 1; no shared memory. */
__global__ void combine(const float *in, float *out, size_t n, int op)
{
    const size_t first = (size_t)blockIdx.x * CHUNK;
    float value = op == REDUCTION_SUM ? 0 : -INFINITY;

    if (threadIdx.x > 0) return;
    for (size_t i = first; i < n && i < first + CHUNK; i++)
        value = op == REDUCTION_SUM ? value + in[i] : fmaxf(value, in[i]);
    out[blockIdx.x] = value;
}

int reduction(const float *d_in, float *d_out, float *d_work, size_t n, int op)
{
    float *d_parts[] = {d_work, d_work + (n + CHUNK - 1) / CHUNK};

    for (int pass = 0;; pass++) {
        const size_t blocks = n > CHUNK ? (n + CHUNK - 1) / CHUNK : 1;
        float *d_to = blocks > 1 ? d_parts[pass % 2] : d_out;

        combine<<<(unsigned)blocks, 32>>>(d_in, d_to, n, op);
        const cudaError_t err = CUDA_CHECK(cudaGetLastError());
        if (err || blocks == 1) return err;
        d_in = d_to;
        n = blocks;
    }
}
