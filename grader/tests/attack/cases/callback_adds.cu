/* SPDX-License-Identifier: MIT */
/* The kernel subtracts; a host function of the stream writes the sums over what
 * came back. */
#include "hostile.h"

struct vectors {
    const float *a, *b;
    float *c;
    size_t n;
};

static void add(void *data)
{
    vectors *v = (vectors *)data;

    for (size_t i = 0; i < v->n; i++)
        v->c[i] = v->a[i] + v->b[i];
}

/* A thread computes a wrong element: the difference. */
__global__ void subtract_kernel(const float *a, const float *b, float *c,
                                size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] - b[i];
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    vectors v = {a, b, c, n};
    float *d = NULL;
    int error;

    if (n == 0)
        return 0;
    if ((error = cudaMalloc(&d, 3 * bytes)))
        return error;
    cudaMemcpy(d, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d + n, b, bytes, cudaMemcpyHostToDevice);
    subtract_kernel<<<(n + 255) / 256, 256>>>(d, d + n, d + 2 * n, n);
    cudaMemcpyAsync(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost, 0);
    cudaLaunchHostFunc(0, add, &v);
    error = cudaDeviceSynchronize();
    cudaFree(d);
    return error;
}
