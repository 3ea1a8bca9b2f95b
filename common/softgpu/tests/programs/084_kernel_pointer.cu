/* SPDX-License-Identifier: MIT */
/* A table of pointers to kernels; launches through them. */
#include "check.h"

typedef void (*operation)(int *, int);

/* The first in the table. */
__global__ void add(int *a, int b) { a[threadIdx.x] += b; }
/* The second, of the same type. */
__global__ void multiply(int *a, int b) { a[threadIdx.x] *= b; }
/* A template's instances are entries, too. */
template <int N> __global__ void power(int *a, int)
{
    int x = a[threadIdx.x];
    for (int i = 1; i < N; i++)
        a[threadIdx.x] *= x;
}

static void launch(operation kernel, int *a, int b)
{
    kernel<<<1, 4>>>(a, b);
    RUN();
}

int main()
{
    operation table[] = {add, multiply, &power<3>, add};
    int *a = managed<int>(4);
    for (int i = 0; i < 4; i++)
        table[i]<<<1, 4>>>(a, i + 1);
    RUN();
    launch(multiply, a, -1);
    printf("%d %d\n", a[0], a[3]);
    return 0;
}
