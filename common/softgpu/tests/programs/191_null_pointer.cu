/* SPDX-License-Identifier: MIT */
/* A load through a null pointer. */
// plain: the sanitizer stops it first
// stderr: read_null
#include "check.h"

/* Loads through its first argument. */
__global__ void read_null(const int *a, int *out) { *out = a[threadIdx.x]; }

int main()
{
    int *out = managed<int>(1);
    read_null<<<1, 1>>>(nullptr, out);
    SHOW(cudaDeviceSynchronize());
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    return 0;
}
