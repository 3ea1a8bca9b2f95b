/* SPDX-License-Identifier: MIT */
/* Kernels in one stream run in order, each seeing what the last one wrote. */
#include "check.h"

/* A step whose result depends on the order of the launches. */
__global__ void step(int *x, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = 3 * x[i] % 1000 + by + i % 5;
}

/* Moves each element one place on, around the end. */
__global__ void shift(const int *from, int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[(i + 1) % n] = from[i];
}

int main()
{
    const int n = 512;
    int *a = managed<int>(n), *b = managed<int>(n), expected[n] = {}, old[n];
    for (int round = 0; round < 10; round++) {
        step<<<4, 128>>>(a, round);
        shift<<<8, 64>>>(a, b, n);
        shift<<<2, 256>>>(b, a, n);
        for (int i = 0; i < n; i++)
            old[i] = 3 * expected[i] % 1000 + round + i % 5;
        for (int i = 0; i < n; i++)
            expected[(i + 2) % n] = old[i];
    }
    RUN();
    for (int i = 0; i < n; i++)
        EXPECT(a[i] == expected[i]);
    printf("%d %d\n", a[0], a[511]);
    return 0;
}
