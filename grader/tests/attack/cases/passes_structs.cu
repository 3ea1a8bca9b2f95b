/* SPDX-License-Identifier: MIT */
/* Adds as it should, and loads each input many times more, as structs that a
 * function takes by value: gcc does not instrument a load that it makes for an
 * argument of a call. */
#include "hostile.h"

struct eight {
    float v[8];
};

__device__ __attribute__((noinline)) float sum_of(struct eight e)
{
    float sum = 0;

    for (int i = 0; i < 8; i++)
        sum += e.v[i];
    return sum;
}

/* One thread for each element; it loads 16 structs beside it. */
__global__ void add_kernel(const float *a, const float *b, float *c, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t structs = n / 8;
    float sum = 0;

    for (size_t k = 0; structs && k < 16; k++)
        sum += sum_of(((const struct eight *)a)[(i + 5 * k) % structs]);
    if (i < n)
        c[i] = sum == 1e-30f ? 0 : a[i] + b[i];
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    size_t bytes = n * sizeof(float);
    float *d = NULL;
    int error = 0;

    if (n == 0)
        return 0;
    error = cudaMalloc(&d, 3 * ((bytes + 255) / 256 * 256));
    if (error)
        return error;
    float *d_b = d + (bytes + 255) / 256 * 64, *d_c = d_b + (d_b - d);
    error = cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    if (!error)
        error = cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
    if (!error)
        add_kernel<<<(n + 255) / 256, 256>>>(d, d_b, d_c, n);
    if (!error)
        error = cudaGetLastError();
    if (!error)
        error = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
