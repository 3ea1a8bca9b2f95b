/* SPDX-License-Identifier: MIT */
/* How deep kernels may wait for kernels: cudaLimitDevRuntimeSyncDepth, which is
 * 2 levels of grids unless the program sets it.  Deeper ones may launch, and
 * get an error when they wait. nvcc refuses this from 12.0 on. */
#include "check.h"

__device__ cudaError_t results[8];

/* A chain of grids; each waits for the next one. */
__global__ void chain(int depth, int last)
{
    if (depth < last)
        chain<<<1, 1>>>(depth + 1, last);
    results[depth] = cudaDeviceSynchronize();
    if (results[depth] != cudaGetLastError())
        printf("another last error\n");
}

/* Print the result of each level. */
static void run(int last)
{
    cudaError_t host[8];
    size_t limit;
    chain<<<1, 1>>>(0, last);
    RUN();
    OK(cudaMemcpyFromSymbol(host, results, sizeof host));
    OK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimeSyncDepth));
    printf("limit %zu:", limit);
    for (int i = 0; i <= last; i++)
        printf(" %s", cudaGetErrorName(host[i]));
    printf("\n");
}

int main()
{
    run(3);
    OK(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4));
    run(3);
    OK(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 1));
    run(1);
    printf("%s\n", cudaGetErrorName(
                       cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 25)));
    return 0;
}
