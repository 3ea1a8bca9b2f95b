/* SPDX-License-Identifier: MIT */
/* Symbols copied on a stream, in order with its kernels. */
#include "check.h"

__constant__ int c_value;
__device__ int d_result;

/* Adds a product with the constant of its place in the stream. */
__global__ void compute(int by) { d_result += c_value * by; }

int main()
{
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    int *h;
    OK(cudaMallocHost(&h, 3 * sizeof(int)));
    h[0] = 7;
    h[1] = 100;
    OK(cudaMemcpyToSymbolAsync(c_value, h, sizeof(int), 0,
                               cudaMemcpyHostToDevice, stream));
    compute<<<1, 1, 0, stream>>>(2);
    OK(cudaMemcpyToSymbolAsync(c_value, h + 1, sizeof(int), 0,
                               cudaMemcpyHostToDevice, stream));
    compute<<<1, 1, 0, stream>>>(3);
    OK(cudaMemcpyFromSymbolAsync(h + 2, d_result, sizeof(int), 0,
                                 cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    printf("%d\n", h[2]);
    OK(cudaMemcpyToSymbolAsync(d_result, h, sizeof(int)));
    OK(cudaMemcpyFromSymbolAsync(h + 2, d_result, sizeof(int)));
    OK(cudaDeviceSynchronize());
    printf("%d\n", h[2]);
    OK(cudaFreeHost(h));
    OK(cudaStreamDestroy(stream));
    return 0;
}
