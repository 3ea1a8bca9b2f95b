/* SPDX-License-Identifier: MIT */
/* The barrier is in a device function two calls down. */
#include "check.h"

__device__ void meet(int *shared, int value)
{
    __syncthreads();
    shared[threadIdx.x] = value;
    __syncthreads();
}

__device__ int neighbor(int *shared, int value)
{
    meet(shared, value);
    return shared[(threadIdx.x + 1) % blockDim.x];
}

/* Takes the neighbor's value, as often as told. */
__global__ void rotate(int *a, int times)
{
    __shared__ int s_a[96];
    int value = a[threadIdx.x];
    for (int i = 0; i < times; i++)
        value = neighbor(s_a, value);
    a[threadIdx.x] = value;
}

int main()
{
    int n = 96, *a = managed<int>(n);
    for (int i = 0; i < n; i++)
        a[i] = i * i;
    rotate<<<1, n>>>(a, 13);
    RUN();
    for (int i = 0; i < n; i++)
        EXPECT(a[i] == (i + 13) % n * ((i + 13) % n));
    printf("%d %d\n", a[0], a[95]);
    return 0;
}
