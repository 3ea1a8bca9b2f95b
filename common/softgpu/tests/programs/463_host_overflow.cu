/* SPDX-License-Identifier: MIT */
/* A program that checks squares which overflow: nvcc's host compiler wraps them
 * in 32 bits, as its device code does, in a loop, too. */
// plain: the sanitizers report what overflows
// once: it is about host code
#include "check.h"

/* x = x * x. */
__global__ void square(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= x[i];
}

int main()
{
    const int n = 100000;
    int *h = new int[n], *d, wrong = 0, first = -1;

    for (int i = 0; i < n; i++)
        h[i] = i;
    OK(cudaMalloc(&d, n * sizeof *d));
    OK(cudaMemcpy(d, h, n * sizeof *d, cudaMemcpyHostToDevice));
    square<<<(n + 255) / 256, 256>>>(d, n);
    OK(cudaMemcpy(h, d, n * sizeof *d, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        if (h[i] != i * i) {
            wrong++;
            first = first < 0 ? i : first;
        }
    for (int i = 0; i < n; i += 1)
        if (h[i] != i * i) {
            printf("element %d\n", i);
            break;
        }
    printf("%d of %d wrong, first %d; 65537 squared is %d\n", wrong, n, first,
           h[65537]);
    cudaFree(d);
    delete[] h;
    return 0;
}
