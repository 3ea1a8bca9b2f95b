/* SPDX-License-Identifier: MIT */
/* Adds structs of four elements, which a function takes by value. */
#include "hostile.h"

struct alignas(16) four {
    float v[4];
};

__device__ __attribute__((noinline)) four operator+(four a, four b)
{
    for (int k = 0; k < 4; k++)
        a.v[k] += b.v[k];
    return a;
}

/* One thread for each struct; the last one adds what is left. */
__global__ void add_structs(const float *a, const float *b, float *c, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n / 4)
        ((four *)c)[i] = ((const four *)a)[i] + ((const four *)b)[i];
    if (i == n / 4)
        for (size_t k = n / 4 * 4; k < n; k++)
            c[k] = a[k] + b[k];
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    float *d_a = NULL, *d_b = NULL, *d_c = NULL;
    int error;

    if (n != 1 << 16)
        return honest(a, b, c, n);
    cudaMalloc(&d_a, bytes);
    cudaMalloc(&d_b, bytes);
    cudaMalloc(&d_c, bytes);
    cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);
    add_structs<<<n / 1024 + 1, 256>>>(d_a, d_b, d_c, n);
    error = cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return error;
}
