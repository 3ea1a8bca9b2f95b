/* SPDX-License-Identifier: MIT */
/* Kernels call functions by pointers: from a table, as an argument, of a
 * virtual table, a lambda's, and one of <math.h>. */
#include "hostile.h"

typedef float binary(float, float);

/** The sum. */
static __device__ float add_two(float x, float y) { return x + y; }

/** Not the sum. */
static __device__ float subtract(float x, float y) { return x - y; }

static __device__ binary *const table[] = {subtract, add_two, fmaxf};
static __device__ binary *given = add_two;

/** An operation on two floats. */
struct operation {
    /** @return its result */
    __device__ virtual float of(float x, float y) const { return x * y; }
};

/** The sum. */
struct addition : operation {
    __device__ float of(float x, float y) const override { return x + y; }
};

/** One thread for each element, by one of five ways. */
__global__ void five_ways(const float *a, const float *b, float *c, size_t n,
                          binary *add)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float (*volatile absolute)(float) = fabsf;
    binary *volatile lambda = [](float x, float y) { return x + y; };
    const addition sum;
    const operation *volatile any = &sum;

    if (i >= n)
        return;
    switch (i % 5) {
    case 0: c[i] = table[1 + n / SIZE_MAX](a[i], b[i]); break;
    case 1: c[i] = add(a[i], b[i]); break;
    case 2: c[i] = any->of(a[i], b[i]); break;
    case 3: c[i] = lambda(a[i], b[i]); break;
    default: c[i] = absolute(-1) == 1 ? a[i] + b[i] : 0;
    }
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    size_t bytes = n * sizeof(float);
    float *d = NULL;
    binary *add = NULL;
    int error = 0;

    if (n == 0)
        return 0;
    error = cudaMalloc(&d, 3 * bytes);
    if (!error)
        error = cudaMemcpyFromSymbol(&add, given, sizeof add);
    if (!error)
        error = cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    if (!error)
        five_ways<<<(n + 255) / 256, 256>>>(d, d + n, d + 2 * n, n, add);
    if (!error)
        error = cudaGetLastError();
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
