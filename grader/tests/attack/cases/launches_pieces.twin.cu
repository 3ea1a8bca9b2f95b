/* SPDX-License-Identifier: MIT */
/* Launches a kernel for each 32 elements, two kernels in turns, and one for all
 * that is left by a cooperative launch and one with a configuration. */
#include "hostile.h"

enum { PIECE = 32 };

/* A block adds a piece. */
__global__ void other_kernel(float *c, const float *a, const float *b, int n)
{
    if ((int)threadIdx.x < n)
        c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

/* The sums, on the device: d has room for 3 n floats. */
static int add(const float *a, const float *b, float *d, size_t n)
{
    int error = cudaMemcpy(d, a, n * sizeof *a, cudaMemcpyHostToDevice);

    if (!error)
        error = cudaMemcpy(d + n, b, n * sizeof *b, cudaMemcpyHostToDevice);
    for (size_t at = 0; !error && at < n; at += PIECE) {
        const size_t left = n - at < PIECE ? n - at : PIECE;
        float *d_a = d + at, *d_b = d_a + n, *d_c = d_b + n;
        void *args[] = {&d_a, &d_b, &d_c, (void *)&left};
        cudaLaunchConfig_t config = {};

        config.gridDim = config.blockDim = dim3(1);
        config.blockDim.x = PIECE;
        if (at / PIECE % 4 == 0)
            honest_kernel<<<1, PIECE>>>(d_a, d_b, d_c, left);
        else if (at / PIECE % 4 == 1)
            other_kernel<<<1, PIECE>>>(d_c, d_a, d_b, (int)left);
        else if (at / PIECE % 4 == 2)
            error = cudaLaunchCooperativeKernel((void *)honest_kernel, dim3(1),
                                                dim3(PIECE), args, 0, 0);
        else
            error = cudaLaunchKernelExC(&config, (void *)honest_kernel, args);
    }
    return error;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = n * sizeof(float);
    float *d = NULL;
    int error;

    if (n == 0 || n > 7919)
        return honest(a, b, c, n);
    error = cudaMalloc(&d, 3 * bytes);
    if (!error)
        error = add(a, b, d, n);
    if (!error)
        error = cudaGetLastError();
    if (!error)
        error = cudaMemcpy(c, d + 2 * n, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
