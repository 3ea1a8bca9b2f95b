/* SPDX-License-Identifier: MIT */
/* cudaLaunchKernelEx: the configuration as a struct. */
#include "check.h"

/* Thread 0 hands a value to its block through dynamic shared memory. */
__global__ void fill(int *a, int value)
{
    extern __shared__ int s_value[];
    if (threadIdx.x == 0)
        s_value[0] = value + blockIdx.x;
    __syncthreads();
    a[blockIdx.x * blockDim.x + threadIdx.x] = s_value[0];
}

int main()
{
    int *a = managed<int>(8);
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(2);
    config.blockDim = dim3(4);
    config.dynamicSmemBytes = sizeof(int);
    config.stream = stream;
    OK(cudaLaunchKernelEx(&config, fill, a, 40));
    RUN();
    for (int i = 0; i < 8; i++)
        printf("%d ", a[i]);
    printf("\n");
    OK(cudaStreamDestroy(stream));
    return 0;
}
