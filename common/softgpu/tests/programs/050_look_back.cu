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

enum { blocks = 200 };

/* A look-back through words of 64 bits, which carry a state and a sum: a poll
 * finds a word, and the next poll of the same word a later one. */
__global__ void packed_sums(unsigned long long *states, int *next, int *out)
{
    const volatile unsigned long long *polled = states;
    int sum = 0;
    if (threadIdx.x != 0)
        return;
    const int block = atomicAdd(next, 1);
    atomicExch(&states[block], (unsigned long long)aggregate << 32 | 1);
    for (int b = block - 1; b >= 0; b--) {
        unsigned long long s;
        while (!(s = polled[b]))
            continue;
        while (b == block - 1 && s >> 32 == aggregate)
            s = polled[b];
        sum += (int)s;
        if (s >> 32 == prefix)
            break;
    }
    atomicExch(&states[block], (unsigned long long)prefix << 32 | (sum + 1));
    out[block] = sum + 1;
}

/* Several times, since OS threads meet by chance. */
static void run_packed_sums()
{
    auto *states = managed<unsigned long long>(blocks);
    int *out = managed<int>(blocks), *next = managed<int>(1);
    for (int round = 0; round < 5; round++) {
        memset(states, 0, blocks * sizeof *states);
        *next = 0;
        packed_sums<<<blocks, 32>>>(states, next, out);
        RUN();
    }
    printf("%d %d\n", out[0], out[blocks - 1]);
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
    run_packed_sums();
    return 0;
}
