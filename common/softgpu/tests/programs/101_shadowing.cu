/* SPDX-License-Identifier: MIT */
/* A kernel's variables may be called like the built-ins' parts or like other
 * kernels; a parameter may hide a global. */
#include "check.h"

__device__ int x = 5;
__device__ int n = 9;

/* Has a parameter, variables and a type named as built-ins are. */
__global__ void grid(int *block, int n)
{
    int x = threadIdx.x, y = n + ::n + ::x;
    {
        int x = 100;
        y += x;
    }
    struct dim3 threads = blockDim;
    block[x] = y + threads.x;
}

int main()
{
    int *thread = managed<int>(2), block = 2;
    grid<<<1, block>>>(thread, 1000);
    RUN();
    printf("%d %d\n", thread[0], thread[1]);
    return 0;
}
