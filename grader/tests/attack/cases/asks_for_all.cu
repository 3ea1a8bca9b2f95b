/* SPDX-License-Identifier: MIT */
/* Sizes and counts at the limits of their types. */
#include "hostile.h"

static void act(void)
{
    const size_t huge[] = {~(size_t)0, (size_t)1 << 63, ((size_t)1 << 63) - 1,
                           (size_t)1 << 47, (size_t)1 << 40};
    char *p = NULL, host[64];
    size_t pitch;

    for (size_t n : huge) {
        cudaMalloc(&p, n);
        cudaMallocHost(&p, n);
        cudaMallocManaged(&p, n);
        cudaHostAlloc(&p, n, cudaHostAllocMapped);
        cudaMallocPitch(&p, &pitch, n, n);
        cudaHostRegister(host, n, 0);
        cudaMemcpy(host, host + 1, 0, cudaMemcpyHostToHost);
        cudaMemset(p, 0, n);
        cudaMemPrefetchAsync(host, n, 0, 0);
        cudaFuncSetAttribute(honest_kernel,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             (int)n);
        honest_kernel<<<dim3(~0u, ~0u, ~0u), dim3(~0u, ~0u, ~0u), n>>>(
            NULL, NULL, NULL, n);
        cudaGetLastError();
        cudaHostUnregister(host);
    }
    cudaFuncSetAttribute(honest_kernel,
                         cudaFuncAttributeMaxDynamicSharedMemorySize, 0);
    cudaGetLastError();
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    if (attacked(n))
        act();
    return honest(a, b, c, n);
}
