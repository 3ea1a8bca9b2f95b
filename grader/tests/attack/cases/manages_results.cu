/* SPDX-License-Identifier: MIT */
/* The host computes the result of arrays in device memory: a kernel copies them
 * to a variable that both can access, which nobody allocates. */
#include <math.h>

#include "grid.h"
#include "reduction.h"

enum { MOST = 1 << 23, THREADS = 256 };

static __managed__ float copy[MOST];

/** Copies n elements, a thread one of them. */
__global__ void copy_elements(const float *in, size_t n)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;

    if (i < n) copy[i] = in[i];
}

/** One thread stores the result. */
__global__ void store(float *out, float result)
{
    *out = result;
}

int reduction(const float *d_in, float *d_out, float *d_work, size_t n,
              int op)
{
    double sum = 0;
    float largest = -INFINITY;

    (void)d_work;
    if (n > MOST) return cudaErrorInvalidValue;
    if (n)
        copy_elements<<<(unsigned)ceil_div(n, THREADS), THREADS>>>(d_in, n);
    cudaDeviceSynchronize();
    for (size_t i = 0; i < n; i++) {
        sum += copy[i];
        largest = fmaxf(largest, copy[i]);
    }
    store<<<1, 1>>>(d_out, op == REDUCTION_SUM ? (float)sum : largest);
    return CUDA_CHECK(cudaGetLastError());
}
