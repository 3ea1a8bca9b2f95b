/* SPDX-License-Identifier: MIT */
/* Two devices: each with its own variables; copies between them. */
// env: SOFTGPU_DEVICES=2
#include "check.h"

__device__ int which;

/* Appends the number of its device as a digit. */
__global__ void work(int *a) { a[threadIdx.x] = a[threadIdx.x] * 10 + which; }

int main()
{
    int count, *d[2], h[4] = {1, 2, 3, 4}, value, can = 0;
    OK(cudaGetDeviceCount(&count));
    printf("%d devices\n", count);
    for (int i = 0; i < 2; i++) {
        OK(cudaSetDevice(i));
        OK(cudaMalloc(&d[i], sizeof h));
        value = i + 7;
        OK(cudaMemcpyToSymbol(which, &value, sizeof value));
    }
    OK(cudaDeviceCanAccessPeer(&can, 0, 1));
    OK(cudaSetDevice(0));
    OK(cudaDeviceEnablePeerAccess(1, 0));
    SHOW(cudaDeviceEnablePeerAccess(1, 0));
    (void)cudaGetLastError();
    OK(cudaMemcpy(d[0], h, sizeof h, cudaMemcpyHostToDevice));
    work<<<1, 4>>>(d[0]);
    OK(cudaMemcpyPeer(d[1], 1, d[0], 0, sizeof h));
    OK(cudaSetDevice(1));
    work<<<1, 4>>>(d[1]);
    OK(cudaMemcpyPeerAsync(d[0], 0, d[1], 1, sizeof h));
    OK(cudaDeviceSynchronize());
    OK(cudaSetDevice(0));
    work<<<1, 4>>>(d[0]);
    OK(cudaMemcpy(h, d[0], sizeof h, cudaMemcpyDeviceToHost));
    printf("%d %d, peer %d\n", h[0], h[3], can);
    cudaPointerAttributes where;
    OK(cudaPointerGetAttributes(&where, d[1]));
    printf("on %d\n", where.device);
    return 0;
}
