/* SPDX-License-Identifier: MIT */
/* Kernels declared before and in other forms than they are defined. */
#include "check.h"

__global__ void early(int *a, int by);
extern "C" __global__ void c_name(int *);
template <typename T> __global__ void generic(T *a);
void __global__ swapped(int *a);

int main()
{
    int *a = managed<int>(4);
    early<<<1, 1>>>(a, 5);
    c_name<<<1, 1>>>(a);
    generic<<<1, 1>>>(a);
    swapped<<<1, 1>>>(a);
    RUN();
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    return 0;
}

/* Launched above its definition. */
__global__ void early(int *a, int by) { a[0] = by; }
/* Has C linkage. */
extern "C" __global__ void c_name(int *a) { a[1] = 6; }
/* A template declared before it is defined. */
template <typename T> __global__ void generic(T *a) { a[2] = 7; }
/* With the return type first. */
void __global__ swapped(int *a) { a[3] = 8; }
