/* SPDX-License-Identifier: MIT */
/* The attributes of a kernel. */
#include "check.h"

__constant__ int c_numbers[10];

/* Has shared memory and a bound that depend on N, and a constant. */
template <int N> __global__ void __launch_bounds__(N) shared(int *a)
{
    __shared__ int s_a[N];
    __shared__ double s_d;
    s_a[threadIdx.x] = c_numbers[threadIdx.x % 10];
    s_d = 1;
    __syncthreads();
    *a = s_a[0] + s_d;
}

/* Has no attribute of note. */
__global__ void nothing() {}

int main()
{
    cudaFuncAttributes f;
    OK(cudaFuncGetAttributes(&f, shared<64>));
    printf("%zu %d\n", f.sharedSizeBytes, f.maxThreadsPerBlock);
    OK(cudaFuncGetAttributes(&f, (const void *)nothing));
    printf("%zu %d\n", f.sharedSizeBytes, f.maxThreadsPerBlock);
    EXPECT(f.maxDynamicSharedSizeBytes == 48 * 1024);
    OK(cudaFuncSetAttribute(
        nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
    OK(cudaFuncSetAttribute(
        nothing, cudaFuncAttributePreferredSharedMemoryCarveout,
        cudaSharedmemCarveoutMaxShared));
    OK(cudaFuncSetCacheConfig(nothing, cudaFuncCachePreferShared));
    OK(cudaFuncGetAttributes(&f, nothing));
    printf("%d %d\n", f.maxDynamicSharedSizeBytes, f.preferredShmemCarveout);
    int host;
    SHOW(cudaFuncGetAttributes(&f, (const void *)&host));
    return 0;
}
