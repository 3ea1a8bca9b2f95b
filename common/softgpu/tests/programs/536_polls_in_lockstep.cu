/* SPDX-License-Identifier: MIT */
/* Loops that poll and hold a call of all lanes, or of all threads of the block:
 * the threads that they wait for run, too. */
#include <cstdio>

/* Warp 1 polls a volatile array that thread 0 sets: by a vote. */
__global__ void vote(int *out)
{
    __shared__ volatile int flags[2];

    if (threadIdx.x == 0)
        flags[0] = flags[1] = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        flags[0] = 1;
    if (threadIdx.x >= 32) {
        while (!__all_sync(~0u, flags[0]))
            ;
        atomicAdd(out, 1);
    }
}

/* The same with __syncwarp. */
__global__ void sync_warp(int *out)
{
    __shared__ volatile int flags[2];

    if (threadIdx.x == 0)
        flags[0] = flags[1] = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        flags[0] = 1;
    if (threadIdx.x >= 32) {
        bool seen;

        do {
            seen = flags[0];
            __syncwarp();
        } while (!seen);
        atomicAdd(out, 1);
    }
}

/* Blocks take turns, the last one first: thread 0 polls, and a barrier with a
 * vote tells the others. */
__global__ void turns(int *turn, int *out)
{
    const int mine = gridDim.x - 1 - blockIdx.x;
    int seen = -1;

    while (__syncthreads_and(seen != mine))
        if (threadIdx.x == 0)
            seen = atomicAdd(turn, 0);
    __threadfence();
    if (threadIdx.x == 0)
        *out = 3 * *out + mine;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(turn, 1);
}

int main()
{
    int *words, host[4];

    cudaMalloc(&words, sizeof host);
    cudaMemset(words, 0, sizeof host);
    vote<<<1, 64>>>(words);
    sync_warp<<<1, 64>>>(words + 1);
    turns<<<8, 64>>>(words + 2, words + 3);
    cudaMemcpy(host, words, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d lanes, %d turns, %d\n", host[0], host[1], host[2], host[3]);
    cudaFree(words);
    return 0;
}
