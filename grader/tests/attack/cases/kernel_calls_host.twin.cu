/* SPDX-License-Identifier: MIT */
/* A kernel calls what CUDA has in device code: memcpy and printf. */
#include "hostile.h"

/* One thread calls functions that device code has. */
__global__ void calling_kernel(float *c, size_t n)
{
    float pair[2];

    memcpy(pair, c, sizeof pair);
    if (pair[0] != pair[0] && pair[1] > sqrtf(pair[1]) && n == 1)
        printf("%g\n", pair[1]);
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    float *d = NULL;
    int error = n ? cudaMalloc(&d, 8) : 0;

    if (d) {
        cudaMemset(d, 0, 8);
        calling_kernel<<<1, 1>>>(d, n);
        error = cudaGetLastError();
        cudaFree(d);
    }
    return error ? error : honest(a, b, c, n);
}
