/* SPDX-License-Identifier: MIT */
/* No device code: C++'s compiler compiles and links it. */
#include <cuda_runtime.h>

#include <cstdio>

int main()
{
    cudaDeviceProp about;
    if (cudaGetDeviceProperties(&about, 0))
        return 1;
    printf("compute capability %d.%d\n", about.major, about.minor);
    return about.major < 1;
}
