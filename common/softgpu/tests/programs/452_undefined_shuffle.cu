/* SPDX-License-Identifier: MIT */
/* A variable that only the leader of a warp sets is given to a shuffle by all
 * lanes, and only the leader's value is used: common in code that aggregates
 * atomic functions.  C++ leaves the other lanes' values undefined; a compiler
 * that concludes that every lane is the leader adds 32 times. */
#include "check.h"

__device__ int next_index(int *count)
{
    const unsigned active = __activemask();
    const int lane = threadIdx.x % 32, leader = __ffs(active) - 1;
    int first;
    if (lane == leader)
        first = atomicAdd(count, __popc(active));
    first = __shfl_sync(active, first, leader);
    return first + __popc(active & ((1u << lane) - 1));
}

/* Keep the multiples of three. */
__global__ void filter(int *count, int *kept, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 3 == 0)
        kept[next_index(count)] = i;
}

/* The first lane's sum for all, by a function that gets it undefined. */
__device__ __noinline__ float from_first(float x)
{
    return __shfl_sync(~0u, x, 0);
}
/* In each warp the first lane alone has a sum. */
__global__ void broadcast(float *sums, int *calls)
{
    float sum;
    if (threadIdx.x % 32 == 0) {
        sum = threadIdx.x + 0.5f;
        atomicAdd(calls, 1);
    }
    sums[threadIdx.x] = from_first(sum);
}

int main()
{
    enum { N = 1000 };
    int *count = managed<int>(2), *kept = managed<int>(N);
    float *sums = managed<float>(64);
    filter<<<4, 256>>>(count, kept, N);
    broadcast<<<1, 64>>>(sums, count + 1);
    RUN();
    long sum = 0;
    for (int i = 0; i < count[0] && i < N; i++)
        sum += kept[i];
    printf("%d %ld\n", count[0], sum);
    printf("%g %g %d\n", sums[31], sums[32], count[1]);
    return 0;
}
