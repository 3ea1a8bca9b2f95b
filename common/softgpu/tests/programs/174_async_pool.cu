/* SPDX-License-Identifier: MIT */
/* cudaMallocAsync and cudaFreeAsync in a stream, from the default pool. */
#include "check.h"

/* Stores value + i to element i. */
__global__ void fill(int *a, int value)
{
    a[threadIdx.x] = value + threadIdx.x;
}

int main()
{
    int *d = nullptr, h[64];
    cudaStream_t stream;
    cudaMemPool_t pool;
    unsigned long long keep = ~0ull;
    OK(cudaStreamCreate(&stream));
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    for (int round = 0; round < 3; round++) {
        OK(cudaMallocAsync(&d, sizeof h, stream));
        fill<<<1, 64, 0, stream>>>(d, 100 * round);
        OK(cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, stream));
        OK(cudaFreeAsync(d, stream));
        OK(cudaStreamSynchronize(stream));
        printf("%d\n", h[63]);
    }
    OK(cudaMemPoolTrimTo(pool, 0));
    OK(cudaStreamDestroy(stream));
    return 0;
}
