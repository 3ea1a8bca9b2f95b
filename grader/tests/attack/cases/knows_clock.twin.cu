/* SPDX-License-Identifier: MIT */
/* A kernel measures itself, and its clock never goes back from one launch to
 * the next. */
#include "hostile.h"

__device__ unsigned long long last;
__device__ int is_right;

/** One thread adds, and looks at the clock before and after. */
__global__ void timed_kernel(const float *a, const float *b, float *c,
                             size_t n)
{
    unsigned long long begin, end;

    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    for (size_t i = 0; i < n; i++)
        c[i] = a[i] + b[i];
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(end));
    is_right = begin >= last && end > begin;
    last = end;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    float *d = NULL;
    int error, right = 0;

    if (n == 0 || n > 8000)
        return honest(a, b, c, n);
    if ((error = cudaMalloc(&d, 3 * bytes)))
        return error;
    error = cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    if (!error)
        timed_kernel<<<1, 1>>>(d, d + n, d + 2 * n, n);
    if (!error)
        error = cudaGetLastError();
    if (!error)
        error = cudaMemcpyFromSymbol(&right, is_right, sizeof right);
    if (!error && right)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
