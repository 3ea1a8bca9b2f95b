/* SPDX-License-Identifier: MIT */
/* Kernels of one name and different parameters; conversions of arguments. */
#include "check.h"

/* With no value. */
__global__ void set(int *a) { a[0] = 1; }
/* With an int. */
__global__ void set(int *a, int value) { a[1] = value; }
/* With a double. */
__global__ void set(int *a, double value) { a[2] = value * 100; }
/* Of another type of array. */
__global__ void set(float *a) { a[3] = 0.0f; }

int main()
{
    int *a = managed<int>(4);
    a[3] = -1;
    short small = 12;
    set<<<1, 1>>>(a);
    set<<<1, 1>>>(a, small);
    set<<<1, 1>>>(a, 0.5f);
    set<<<1, 1>>>((float *)a);
    RUN();
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    return 0;
}
