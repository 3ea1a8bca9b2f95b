/* SPDX-License-Identifier: MIT */
/* A loop of one block whose threads take an element in turn, and a counter that
 * one of them increments, for pieces of each length. */
#include <cstdio>

__device__ unsigned pieces;

/* One block adds a piece. */
__global__ void add_piece(const float *a, const float *b, float *c, size_t n)
{
    if (threadIdx.x == 0) pieces++;
    for (size_t i = threadIdx.x; i < n; i += blockDim.x) c[i] = a[i] + b[i];
}

int main()
{
    enum { N = 100 };
    float h[N], *d;
    unsigned count;

    for (int i = 0; i < N; i++) h[i] = (float)i;
    cudaMalloc(&d, 3 * sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(d + N, h, sizeof h, cudaMemcpyHostToDevice);
    for (size_t n = 1; n <= N; n++)
        add_piece<<<1, 32>>>(d, d + N, d + 2 * N, n);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaMemcpy(h, d + 2 * N, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&count, pieces, sizeof count);
    printf("%u pieces; %g %g %g\n", count, h[0], h[1], h[N - 1]);
    cudaFree(d);
}
