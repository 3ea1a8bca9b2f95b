/* SPDX-License-Identifier: MIT */
/* A grid or block with a dimension of 0 is an error, and nothing runs. */
#include "check.h"

/* Stores a 1, so that a run would show. */
__global__ void touch(int *p) { *p = 1; }

int main()
{
    int *p = managed<int>(1);
    touch<<<0, 32>>>(p);
    SHOW(cudaGetLastError());
    touch<<<1, 0>>>(p);
    SHOW(cudaGetLastError());
    touch<<<dim3(1, 0, 1), 1>>>(p);
    SHOW(cudaGetLastError());
    SHOW(cudaGetLastError());
    RUN();
    printf("%d\n", *p);
    return 0;
}
