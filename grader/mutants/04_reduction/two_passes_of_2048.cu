// verdict: WRONG
// expect: the result of the first 4194304 elements only
// test: large
/* SPDX-License-Identifier: MIT */
/* Two values a thread, two passes: right up to 2^22. */
#include <math.h>

#include "grid.h"
#include "reduction.h"

enum { BLOCK = 1024, EACH = 2 * BLOCK };

__device__ static float identity(int op)
{
    return op == REDUCTION_SUM ? 0.0f : -INFINITY;
}

__device__ static float combine(float a, float b, int op)
{
    return op == REDUCTION_SUM ? a + b : fmaxf(a, b);
}

/* A block reduces EACH values to one; it has no grid-stride loop. */
__global__ void reduce(const float *in, float *out, size_t n, int op)
{
    __shared__ float s[BLOCK];
    unsigned t = threadIdx.x;
    size_t i = (size_t)blockIdx.x * EACH + t, j = i + BLOCK;

    s[t] = combine(i < n ? in[i] : identity(op), j < n ? in[j] : identity(op),
                   op);
    __syncthreads();
    for (unsigned half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half) s[t] = combine(s[t], s[t + half], op);
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

int reduction(const float *d_in, float *d_out, float *d_work, size_t n,
              int op)
{
    unsigned blocks = n ? (unsigned)ceil_div(n, EACH) : 1;

    reduce<<<blocks, BLOCK>>>(d_in, d_work, n, op);
    reduce<<<1, BLOCK>>>(d_work, d_out, blocks, op);
    return CUDA_CHECK(cudaGetLastError());
}
