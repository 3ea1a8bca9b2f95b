/* SPDX-License-Identifier: MIT */
/* Plain pointers, explicit copies, a partial last block. */
#include "check.h"

/* One element per thread, with a bounds check. */
__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main()
{
    const int n = 1000;
    float h_a[n], h_b[n], h_c[n + 1];
    float *d_a, *d_b, *d_c;
    for (int i = 0; i < n; i++) {
        h_a[i] = i;
        h_b[i] = 2 * i + 0.5f;
    }
    OK(cudaMalloc(&d_a, sizeof h_a));
    OK(cudaMalloc(&d_b, sizeof h_b));
    OK(cudaMalloc(&d_c, sizeof h_c));
    OK(cudaMemset(d_c, 0, sizeof h_c));
    OK(cudaMemcpy(d_a, h_a, sizeof h_a, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(d_b, h_b, sizeof h_b, cudaMemcpyHostToDevice));
    add<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
    RUN();
    OK(cudaMemcpy(h_c, d_c, sizeof h_c, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(h_c[i] == 3 * i + 0.5f);
    printf("%g %g, past the end %g\n", h_c[1], h_c[n - 1], h_c[n]);
    OK(cudaFree(d_a));
    OK(cudaFree(d_b));
    OK(cudaFree(d_c));
    return 0;
}
