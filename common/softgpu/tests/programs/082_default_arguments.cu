/* SPDX-License-Identifier: MIT */
/* Default arguments of a kernel, some given and some not. */
#include "check.h"

/* Stores one value made of its three arguments. */
__global__ void put(int *a, int at = 2, double value = 7.9, bool twice = false)
{
    a[at] = (int)value * (twice ? 2 : 1);
}

int main()
{
    int *a = managed<int>(4);
    put<<<1, 1>>>(a);
    put<<<1, 1>>>(a, 0);
    put<<<1, 1>>>(a, 1, 3);
    put<<<1, 1>>>(a, 3, 5.5, true);
    RUN();
    printf("%d %d %d %d\n", a[0], a[1], a[2], a[3]);
    return 0;
}
