/* SPDX-License-Identifier: MIT */
/* cudaLaunchKernelEx: the configuration as a struct; a kernel that may begin
 * before the one it depends on has ended. */
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

/* Waits for the kernel before it. */
__global__ void next(int *a)
{
    cudaGridDependencySynchronize();
    a[threadIdx.x] += 100;
    cudaTriggerProgrammaticLaunchCompletion();
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
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = dim3(1);
    config.blockDim = dim3(8);
    config.attrs = &early;
    config.numAttrs = 1;
    OK(cudaLaunchKernelEx(&config, next, a));
    RUN();
    for (int i = 0; i < 8; i++)
        printf("%d ", a[i]);
    printf("\n");
    OK(cudaStreamDestroy(stream));
    return 0;
}
