/* SPDX-License-Identifier: MIT */
/* Memory calls that must fail, and how. */
#include "check.h"

int main()
{
    char *d, h[16] = {};
    OK(cudaMalloc(&d, 16));
    SHOW(cudaFree(d + 1));
    SHOW(cudaMalloc(&d, (size_t)1 << 60));
    OK(cudaGetLastError() == cudaErrorMemoryAllocation ? cudaSuccess
                                                       : cudaErrorUnknown);
    OK(cudaMalloc(&d, 16));
    SHOW(cudaMemcpy(d, h, 16, (cudaMemcpyKind)77));
    SHOW(cudaFreeHost(h));
    OK(cudaFree(d));
    SHOW(cudaFree(d));
    SHOW(cudaMalloc((void **)nullptr, 16));
    (void)cudaGetLastError();
    char *none = h;
    SHOW(cudaMalloc(&none, 0));
    printf("%d\n", none == nullptr);
    return 0;
}
