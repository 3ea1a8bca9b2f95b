/* SPDX-License-Identifier: MIT */
/* Launches of one kernel in blocks that gangs take, and in blocks that they do
 * not: 1 thread, 7 x 5, 40 x 2. */
#include <stdio.h>

enum { N = 1000, TERMS = 9 };

/* out[i] = in[i] + ... + in[i + TERMS - 1], with in[j] = 0 from j = n on */
__global__ void window(const float *in, float *out, int n)
{
    const int threads = blockDim.x * blockDim.y;
    const int thread = threadIdx.y * blockDim.x + threadIdx.x;
    const int i = blockIdx.x * threads + thread;
    float sum = 0;
    if (i >= n)
        return;
    for (int j = i; j < n && j < i + TERMS; j++)
        sum += in[j];
    out[i] = sum;
}

static void run(const float *in, float *out, dim3 block)
{
    const int threads = block.x * block.y;
    double sum = 0;
    cudaMemset(out, 0xff, N * sizeof *out);
    window<<<(N + threads - 1) / threads, block>>>(in, out, N);
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++)
        sum += out[i] * (double)(i % 7);
    printf("%d x %d: %.1f, last %.2f\n", block.x, block.y, sum, out[N - 1]);
}

int main()
{
    float *in, *out;
    cudaMallocManaged(&in, N * sizeof *in);
    cudaMallocManaged(&out, N * sizeof *out);
    for (int i = 0; i < N; i++)
        in[i] = i % 13 * 0.25f;
    run(in, out, dim3(1));
    run(in, out, dim3(7, 5));
    run(in, out, dim3(40, 2));
    run(in, out, dim3(16, 4));
    run(in, out, dim3(128));
}
