/* SPDX-License-Identifier: MIT */
#include <cstdio>

/* A counter that is volatile, but not atomic. */
__global__ void count(int *total)
{
#if DEFECT
    *(volatile int *)total = *(volatile int *)total + 1;
#else
    atomicAdd(total, 1);
#endif
}

int main()
{
    int *total, got = -1;

    cudaMalloc(&total, sizeof *total);
    cudaMemset(total, 0, sizeof *total);
    count<<<16, 32>>>(total);
    cudaMemcpy(&got, total, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(total);
    puts(got == 16 * 32 ? "right" : "wrong");
    return 0;
}
