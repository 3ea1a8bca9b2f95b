/* SPDX-License-Identifier: MIT */
/* Warp calls whose mask leaves the lane of a thread out, in one of two ways. */
#include <stdio.h>

/* The same mask for all threads. */
__global__ void same_mask(const int *in, int *out)
{
    int sum = in[threadIdx.x];
    for (int offset = 8; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffff, sum, offset);
    out[threadIdx.x] = sum;
}

/* A mask that differs from thread to thread: that of thread 21 is wrong. */
__global__ void own_mask(const int *in, int *out)
{
    const unsigned mask = 0xfu << (threadIdx.x & 28);
    for (int i = 0; i < 2; i++)
        out[threadIdx.x] += __shfl_xor_sync(
            in[threadIdx.x] == 21 ? mask << 8 : mask, in[threadIdx.x], 1);
}

/* The argument: 0 or 1.  The program prints the error of the launch, which the
 * runtime explains on stderr. */
int main(int count, char **arguments)
{
    int *in, *out;
    cudaMallocManaged(&in, 32 * sizeof *in);
    cudaMalloc(&out, 32 * sizeof *out);
    for (int i = 0; i < 32; i++)
        in[i] = i;
    if (count > 1 && *arguments[1] == '1')
        own_mask<<<1, 32>>>(in, out);
    else
        same_mask<<<1, 32>>>(in, out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
