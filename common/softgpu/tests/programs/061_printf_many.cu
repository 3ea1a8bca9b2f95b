/* SPDX-License-Identifier: MIT */
/* Output of many threads appears in whole lines by the next synchronization. */
// sort: yes
#include <cstdio>

/* Each thread prints a line. */
__global__ void lines(int kernel)
{
    printf("kernel %d block %d thread %d: %s\n", kernel, blockIdx.x,
           threadIdx.x, threadIdx.x % 2 ? "odd" : "even");
}

int main()
{
    lines<<<2, 3>>>(1);
    cudaDeviceSynchronize();
    lines<<<1, 2>>>(2);
    cudaDeviceSynchronize();
    return 0;
}
