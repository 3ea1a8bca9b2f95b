/* SPDX-License-Identifier: MIT */
/* Reversing through shared memory needs every thread to arrive first. */
#include "check.h"

/* A block reverses its segment of a in shared memory. */
__global__ void reverse(int *a)
{
    __shared__ int s_a[1000];
    int i = threadIdx.x, n = blockDim.x;
    s_a[i] = a[blockIdx.x * n + i];
    __syncthreads();
    a[blockIdx.x * n + i] = s_a[n - 1 - i];
}

int main()
{
    int n = 1000, *a = managed<int>(3 * n);
    for (int i = 0; i < 3 * n; i++)
        a[i] = i;
    reverse<<<3, n>>>(a);
    RUN();
    for (int i = 0; i < 3 * n; i++)
        EXPECT(a[i] == i / n * n + n - 1 - i % n);
    printf("%d %d\n", a[0], a[2000]);
    return 0;
}
