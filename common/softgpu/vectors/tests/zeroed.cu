/* SPDX-License-Identifier: MIT */
/* Sums that are 0 before a loop that may have no iteration.  Prints them. */
#include <stdio.h>

enum { THREADS = 64, SUMS = 8 };

/* A thread adds SUMS columns of n rows. */
__global__ void add_rows(const float *in, float *out, int n)
{
    __shared__ float s_row[THREADS];
    const int t = threadIdx.x;
    float sum[SUMS] = {};

    for (int row = 0; row < n; row++) {
        s_row[t] = in[row * THREADS + t];
        __syncthreads();
        for (int i = 0; i < SUMS; i++)
            sum[i] += s_row[(t + i * 8) % THREADS];
        __syncthreads();
    }
    for (int i = 0; i < SUMS; i++) out[i * THREADS + t] = sum[i];
}

int main(void)
{
    enum { ROWS = 3 };
    float *in, *out;

    cudaMallocManaged(&in, ROWS * THREADS * sizeof *in);
    cudaMallocManaged(&out, SUMS * THREADS * sizeof *out);
    for (int i = 0; i < ROWS * THREADS; i++) in[i] = (float)(i * 79 % 101);
    for (int n = 0; n <= ROWS; n++) {
        add_rows<<<1, THREADS>>>(in, out, n);
        if (cudaDeviceSynchronize() != cudaSuccess) puts("an error");
        for (int i = 0; i < SUMS * THREADS; i += 37) printf("%g ", out[i]);
        puts("");
    }
    return 0;
}
