// verdict: WRONG
// expect: the sum of no element at all
/* SPDX-License-Identifier: MIT */
/* The loop of a thread ends before the last partial group of 64 elements. */
#include <math.h>

#include "grid.h"
#include "reduction.h"

enum { THREADS = 64 };

/** The result of a block, with a tree in shared memory. */
__global__ void reduce_groups(const float *__restrict__ in,
                              float *__restrict__ out, size_t n, int op)
{
    __shared__ float s_value[THREADS];
    const unsigned t = threadIdx.x;
    const size_t step = (size_t)gridDim.x * THREADS;
    float value = op == REDUCTION_SUM ? 0.0f : -INFINITY;

    for (size_t i = (size_t)blockIdx.x * THREADS; i + THREADS <= n; i += step)
        value = op == REDUCTION_SUM ? value + in[i + t]
                                    : fmaxf(value, in[i + t]);
    s_value[t] = value;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        const float other = s_value[t ^ half];

        __syncthreads();
        value = op == REDUCTION_SUM ? value + other : fmaxf(value, other);
        s_value[t] = value;
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = value;
}

int reduction(const float *d_in, float *d_out, float *d_work, size_t n,
              int op)
{
    reduce_groups<<<THREADS, THREADS>>>(d_in, d_work, n, op);
    reduce_groups<<<1, THREADS>>>(d_work, d_out, THREADS, op);
    return CUDA_CHECK(cudaGetLastError());
}
