/* SPDX-License-Identifier: MIT */
/* A program that ends without waiting: the kernel's output may be missing,
 * but nothing crashes. */
#include "check.h"

/* May not run to its end. */
__global__ void work(int *a) { a[threadIdx.x] = 1; }

int main()
{
    int *a;
    OK(cudaMalloc(&a, 4096));
    work<<<1, 1024>>>(a);
    SHOW(cudaGetLastError());
    return 0;
}
