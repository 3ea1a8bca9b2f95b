// verdict: SCORE
// expect: 65 84 right
/* SPDX-License-Identifier: MIT */
/** @file
 *  Right, with one launch and few barriers, but a single block reads
 *  everything, on one multiprocessor. */
#include <float.h>
#include <math.h>

#include "check.h"
#include "reduction.h"

enum { THREADS = 512 };

/** A thread owns elements t, t + 512, ...; shared memory holds one double for
 *  each thread.  The barriers separate the rounds of the tree. */
__global__ void reduce(const float *in, float *out, size_t n, int op)
{
    __shared__ double s_value[THREADS];
    const unsigned t = threadIdx.x;
    double value = op == REDUCTION_SUM ? 0 : -INFINITY;

    for (size_t i = t; i < n; i += THREADS)
        value = op == REDUCTION_SUM ? value + in[i]
                                    : fmax(value, (double)in[i]);
    s_value[t] = value;
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            s_value[t] = op == REDUCTION_SUM
                             ? s_value[t] + s_value[t + half]
                             : fmax(s_value[t], s_value[t + half]);
    }
    if (t == 0) *out = (float)s_value[0];
}

int reduction(const float *d_in, float *d_out, float *d_work, size_t n, int op)
{
    (void)d_work;
    reduce<<<1, THREADS>>>(d_in, d_out, n, op);
    return CUDA_CHECK(cudaGetLastError());
}
