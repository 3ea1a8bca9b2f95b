/* SPDX-License-Identifier: MIT */
/* Inline PTX: a block's 16 barriers (some warps meet; some arrive and others
 * wait for them), and matches and reductions of a warp. */
#include "check.h"

__device__ void sync(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" : : "r"(id), "r"(threads) : "memory");
}

__device__ void arrive(int id, int threads)
{
    asm volatile("bar.arrive %0, %1;" : : "r"(id), "r"(threads) : "memory");
}

/* Two halves of the block, each with a barrier of its own and with another
 * number of rounds: __syncthreads() would mix them. */
__global__ void halves(int *out)
{
    __shared__ int s[128];
    const int half = threadIdx.x / 64, t = threadIdx.x % 64;
    int *mine = s + 64 * half;
    mine[t] = t;
    for (int i = 0; i < 3 + 4 * half; i++) {
        sync(1 + half, 64);
        const int next = mine[(t + 1) % 64];
        sync(1 + half, 64);
        mine[t] = next;
    }
    asm volatile("bar.sync 7;" ::: "memory"); /* all of the block */
    out[threadIdx.x] = s[127 - threadIdx.x];
}

/* Warp 0 produces, warps 1 and 2 consume: "full" and "empty" of two slots.
 * The last warp has 8 threads and counts as 32. */
__global__ void pipeline(int *out, int rounds)
{
    __shared__ int slots[2][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
        const int slot = i % 2, full = 1 + slot, empty = 3 + slot;
        if (warp == 0) {
            if (i >= 2)
                sync(empty, 96);
            slots[slot][lane] = 100 * i + lane;
            arrive(full, 96);
        } else {
            sync(full, 96);
            sum += slots[slot][31 - lane] * warp;
            if (i + 2 < rounds)
                arrive(empty, 96);
        }
    }
    out[threadIdx.x] = sum;
}

/* A thread that has returned is waited for no more. */
__global__ void some_return(int *out)
{
    __shared__ int s;
    if (threadIdx.x >= 64)
        return;
    if (threadIdx.x == 63)
        s = 5;
    asm volatile("barrier.sync.aligned 2;" ::: "memory");
    out[threadIdx.x] = s;
}

/* Instructions that all lanes execute together; lane 7 stores the results. */
__global__ void warp(unsigned *out)
{
    const unsigned lane = threadIdx.x, value = lane / 3;
    const unsigned long long wide = 1ull << 40 | (lane & 1);
    unsigned any, all, same;
    int is_same, least;
    asm("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(any) : "r"(value));
    asm("match.any.sync.b64 %0, %1, %2;" : "=r"(all) : "l"(wide), "r"(~0u));
    asm("{ .reg .pred p;\n"
        "match.all.sync.b32 %0|p, %2, 0xffffffff;\n"
        "selp.s32 %1, 1, 0, p; }" : "=r"(same), "=r"(is_same) : "r"(any != 0));
    asm("redux.sync.min.s32 %0, %1, %2;"
        : "=r"(least) : "r"(5 - (int)lane), "r"(~0u));
    unsigned sum, bits;
    asm("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(lane));
    asm("redux.sync.xor.b32 %0, %1, 0xffffffff;" : "=r"(bits) : "r"(lane * 5));
    const unsigned values[] = { any, all, same, (unsigned)is_same,
                                (unsigned)least, sum, bits };
    for (int i = 0; i < 7; i++)
        if (lane == 7)
            out[i] = values[i];
}

int main()
{
    int *out = managed<int>(128);
    halves<<<2, 128>>>(out);
    RUN();
    printf("%d %d %d %d\n", out[0], out[63], out[64], out[127]);
    pipeline<<<1, 72>>>(out, 5);
    RUN();
    printf("%d %d %d %d\n", out[0], out[32], out[64], out[71]);
    some_return<<<1, 96>>>(out);
    RUN();
    printf("%d %d\n", out[0], out[63]);
    warp<<<1, 32>>>((unsigned *)out);
    RUN();
    printf("%x %x %x %d %d %d %d\n", out[0], out[1], out[2], out[3], out[4],
           out[5], out[6]);
    OK(cudaFree(out));
}
/* nvcc refuses a bool as an operand `r'. */
