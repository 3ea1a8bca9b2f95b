/* SPDX-License-Identifier: MIT */
/* A kernel template specialized for one type, and explicitly instantiated. */
#include "check.h"

/* The general case stores 1. */
template <typename T> __global__ void kind(int *out) { *out = 1; }
template <> __global__ void kind<float>(int *out) { *out = 2; }
template __global__ void kind<double>(int *);

int main()
{
    int *out = managed<int>(3);
    kind<int><<<1, 1>>>(out);
    kind<float><<<1, 1>>>(out + 1);
    kind<double><<<1, 1>>>(out + 2);
    RUN();
    printf("%d %d %d\n", out[0], out[1], out[2]);
    return 0;
}
