/* SPDX-License-Identifier: MIT */
/* A kernel that calls a device function of a library; g++ links it. */
#include <cstdio>

#include "part.h"

/** One thread. */
__global__ void kernel(int *out) { *out = part(12); }

int main()
{
    int *d_out, out = 0;
    cudaMalloc(&d_out, sizeof out);
    kernel<<<1, 1>>>(d_out);
    cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    printf("%d\n", out);
    return out != 144;
}
