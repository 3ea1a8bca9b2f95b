/* SPDX-License-Identifier: MIT */
/* Names a .cu file may use with no header but <cstdio>. */
#include <cstdio>

/* Uses max, sqrt and INT_MAX, and prints. */
__global__ void fill(int *a, int n)
{
    int i = threadIdx.x;
    if (i < n)
        a[i] = max(i, INT_MAX - i) == INT_MAX - i ? (int)sqrt((double)i) : 0;
    if (i == 0)
        printf("%d threads\n", n);
}

int main()
{
    int *d, *h = (int *)malloc(40);
    clock_t start = clock();
    memset(h, 0xff, 40);
    cudaMalloc((void **)&d, 40);
    fill<<<1, 16>>>(d, 10);
    cudaMemcpy(h, d, 40, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", h[0], h[3], h[9], clock() >= start);
    cudaFree(d);
    free(h);
    exit(d == NULL ? 1 : 0);
}
