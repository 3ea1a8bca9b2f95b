/* SPDX-License-Identifier: MIT */
/* The values a kernel reads in blockDim and gridDim; unset dimensions are 1. */
#include "check.h"

/* One thread prints the dimensions and the warp size. */
__global__ void show()
{
    if (threadIdx.x + threadIdx.y + blockIdx.x + blockIdx.z == 0)
        printf("grid %u %u %u block %u %u %u warp %d\n", gridDim.x, gridDim.y,
               gridDim.z, blockDim.x, blockDim.y, blockDim.z, warpSize);
}

int main()
{
    show<<<dim3(5, 1, 7), dim3(8, 4)>>>();
    RUN();
    show<<<1, 3>>>();
    RUN();
    dim3 d(9);
    printf("dim3(9) is %u %u %u\n", d.x, d.y, d.z);
    return 0;
}
