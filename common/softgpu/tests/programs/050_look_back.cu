/* SPDX-License-Identifier: MIT */
/* A decoupled look-back: one pass scan, blocks wait for earlier blocks. */
#include "check.h"

enum { threads = 64, aggregate = 1, prefix = 2 };

struct status {
    int flag, aggregate, prefix;
};

__device__ int look_back(volatile status *all, int tile)
{
    int before = 0;
    for (int t = tile - 1; t >= 0;) {
        int flag = all[t].flag;
        __threadfence();
        if (flag == prefix)
            return before + all[t].prefix;
        if (flag == aggregate)
            before += all[t--].aggregate;
    }
    return before;
}

/* Scans one tile, taken by ticket; its prefix comes from the tiles before. */
__global__ void scan(int *a, volatile status *all, int *next_tile)
{
    __shared__ int s_a[threads], s_before, s_tile;
    int i = threadIdx.x;
    if (i == 0)
        s_tile = atomicAdd(next_tile, 1);
    __syncthreads();
    int tile = s_tile;
    s_a[i] = a[tile * threads + i];
    for (int d = 1; d < threads; d *= 2) {
        __syncthreads();
        int below = i >= d ? s_a[i - d] : 0;
        __syncthreads();
        s_a[i] += below;
    }
    __syncthreads();
    if (i == threads - 1) {
        all[tile].aggregate = s_a[i];
        __threadfence();
        all[tile].flag = aggregate;
        s_before = look_back(all, tile);
        all[tile].prefix = s_before + s_a[i];
        __threadfence();
        all[tile].flag = prefix;
    }
    __syncthreads();
    a[tile * threads + i] = s_before + s_a[i];
}

int main()
{
    int tiles = 40, n = tiles * threads, *a = managed<int>(n), sum = 0;
    int *next_tile = managed<int>(1);
    status *all = managed<status>(tiles);
    for (int i = 0; i < n; i++)
        a[i] = i % 11 - 3;
    scan<<<tiles, threads>>>(a, all, next_tile);
    RUN();
    for (int i = 0; i < n; i++) {
        sum += i % 11 - 3;
        EXPECT(a[i] == sum);
    }
    printf("%d\n", a[n - 1]);
    return 0;
}
