/* SPDX-License-Identifier: MIT */
/* A 16-byte load from an address that is not a multiple of 16. */
// plain: the sanitizer stops it first
// stderr: misaligned
#include "check.h"

/* Reads a float4 4 bytes after an aligned address. */
__global__ void load(const char *p, float4 *out)
{
    *out = *(const float4 *)(p + 4);
}

int main()
{
    char *p = managed<char>(64);
    float4 *out = managed<float4>(1);
    load<<<1, 1>>>(p, out);
    SHOW(cudaDeviceSynchronize());
    return 0;
}
