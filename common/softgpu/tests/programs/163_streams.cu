/* SPDX-License-Identifier: MIT */
/* Commands of a stream run in order; streams wait for each other by events. */
#include "check.h"

/* A step whose result depends on the order of the launches. */
__global__ void add(int *a, int by)
{
    a[threadIdx.x] = a[threadIdx.x] * 2 + by;
}

int main()
{
    const int n = 64;
    int *h, *d;
    cudaStream_t first, second;
    cudaEvent_t ready;
    OK(cudaStreamCreate(&first));
    OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    OK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    OK(cudaMallocHost(&h, n * sizeof(int)));
    OK(cudaMalloc(&d, n * sizeof(int)));
    for (int i = 0; i < n; i++)
        h[i] = i;
    OK(cudaMemcpyAsync(d, h, n * sizeof(int), cudaMemcpyHostToDevice, first));
    add<<<1, n, 0, first>>>(d, 1);
    OK(cudaEventRecord(ready, first));
    OK(cudaStreamWaitEvent(second, ready, 0));
    add<<<1, n, 0, second>>>(d, 5);
    OK(cudaMemcpyAsync(h, d, n * sizeof(int), cudaMemcpyDeviceToHost, second));
    OK(cudaStreamSynchronize(second));
    for (int i = 0; i < n; i++)
        EXPECT(h[i] == 4 * i + 7);
    SHOW(cudaStreamQuery(first));
    SHOW(cudaEventQuery(ready));
    printf("%d\n", h[63]);
    OK(cudaEventDestroy(ready));
    OK(cudaStreamDestroy(first));
    OK(cudaStreamDestroy(second));
    OK(cudaFree(d));
    return 0;
}
