// verdict: WRONG
// expect: the sum in float of only 256 threads, each of which adds 3907
// hint: Let more blocks share them
// test: precise
// A single block reads everything, and each thread adds in float.
#include <math.h>

#include "check.h"
#include "reduction.h"

enum { THREADS = 256 };

/* One block adds everything, in float. */
__global__ void reduce(const float *in, float *out, size_t n, int op)
{
    __shared__ float s_value[THREADS];
    const unsigned t = threadIdx.x;
    float value = op == REDUCTION_SUM ? 0 : -INFINITY;

    for (size_t i = t; i < n; i += THREADS)
        value = op == REDUCTION_SUM ? value + in[i] : fmaxf(value, in[i]);
    s_value[t] = value;
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            s_value[t] = op == REDUCTION_SUM
                             ? s_value[t] + s_value[t + half]
                             : fmaxf(s_value[t], s_value[t + half]);
    }
    if (t == 0) *out = s_value[0];
}

int reduction(const float *d_in, float *d_out, float *d_work, size_t n, int op)
{
    (void)d_work;
    reduce<<<1, THREADS>>>(d_in, d_out, n, op);
    return CUDA_CHECK(cudaGetLastError());
}
