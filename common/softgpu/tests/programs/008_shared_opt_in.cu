/* SPDX-License-Identifier: MIT */
/* More than 48 KB after cudaFuncSetAttribute, up to the card's own limit. */
#include "check.h"

/* Fills the shared memory to its end; thread 0 returns the last byte. */
__global__ void last(unsigned char *out, int bytes)
{
    extern __shared__ unsigned char s_bytes[];
    for (int i = threadIdx.x; i < bytes; i += blockDim.x)
        s_bytes[i] = i % 251;
    __syncthreads();
    if (threadIdx.x == 0)
        *out = s_bytes[bytes - 1];
}

int main()
{
    unsigned char *out = managed<unsigned char>(1);
    int most, bytes = 96 * 1024;
    OK(cudaDeviceGetAttribute(
        &most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    EXPECT(most >= bytes);
    OK(cudaFuncSetAttribute(
        last, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    last<<<1, 128, bytes>>>(out, bytes);
    RUN();
    EXPECT(*out == (bytes - 1) % 251);
    last<<<1, 128, bytes + 16>>>(out, bytes);
    SHOW(cudaGetLastError());
    SHOW(cudaFuncSetAttribute(
        last, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1));
    SHOW(cudaGetLastError());
    printf("%d\n", *out);
    return 0;
}
