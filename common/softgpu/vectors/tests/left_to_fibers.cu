/* SPDX-License-Identifier: MIT */
/* Kernels that the vector engine leaves to fibers, each for its own reason. */
#include <cuda_pipeline.h>
#include <stdio.h>

/* Half of the threads reach the barrier; the others have returned. */
__global__ void under_condition(int *out)
{
    if (threadIdx.x >= 16)
        return;
    __syncthreads();
    out[threadIdx.x] = 1;
}

/* Another thread changes the word that the loop waits for. */
__global__ void volatile_flag(volatile int *flags, int *turns)
{
    int n = 0;
    if (threadIdx.x + 1 < blockDim.x)
        for (; !flags[threadIdx.x + 1] && n < 1000000; n++)
            ;
    flags[threadIdx.x] = 1;
    turns[threadIdx.x] = n < 1000000;
}

/* The same, by a way through the loop. */
__global__ void volatile_way(volatile int *flags, int *turns)
{
    int n = 0;
    bool done = threadIdx.x + 1 == blockDim.x;
    while (!done) {
        if (flags[threadIdx.x + 1] && ++n % 2) {
            turns[threadIdx.x] += flags[threadIdx.x];
            done = true;
        }
        turns[threadIdx.x + 64] = n;
    }
    flags[threadIdx.x] = 1;
}

/* The copy completes at the wait, and until then the word is another one. */
__global__ void before_the_wait(const int *in, int *out)
{
    __shared__ int s[32];
    s[threadIdx.x] = -1;
    __syncthreads();
    __pipeline_memcpy_async(&s[threadIdx.x], in + threadIdx.x, sizeof(int));
    __pipeline_commit();
    out[threadIdx.x] = *(volatile int *)&s[threadIdx.x];
    __pipeline_wait_prior(0);
}

/* Lanes that wait for each other cannot wait together. */
__global__ void spin_lock(int *lock, int *count)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    count[0] += 1;
    __threadfence();
    atomicExch(lock, 0);
}

/* Each thread waits for the next one. */
__global__ void polls(int *flags, int *turns)
{
    int n = 0;
    if (threadIdx.x + 1 < blockDim.x)
        while (flags[threadIdx.x + 1] == 0) {
            __threadfence();
            n++;
        }
    flags[threadIdx.x] = 1;
    turns[threadIdx.x] = n;
}

/* The same by loads that do not stay in the cache of level 1. */
__global__ void polls_cache(int *flags, int *turns)
{
    int n = 0;
    if (threadIdx.x + 1 < blockDim.x)
        while (__ldcg(&flags[threadIdx.x + 1]) == 0)
            n++;
    __stcg(&flags[threadIdx.x], 1);
    turns[threadIdx.x] = n;
}

/* The sum depends on the order of its terms. */
__global__ void float_sums(const float *in, float *sum)
{
    for (int i = 0; i < 4; i++)
        atomicAdd(sum, in[threadIdx.x * 4 + i]);
}

/* After a barrier the threads go on in another order. */
__global__ void places(int *count, int *out)
{
    __syncthreads();
    out[threadIdx.x] = atomicAdd(count, 1);
}

/* Of two threads, the one that stores last counts. */
__global__ void overwrites(int *word, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i * threadIdx.x;
    atomicAdd(&word[1], 1);
    atomicExch(&word[0], sum);
    atomicExch(&word[0], sum + 1);
}

/* An addition and an exclusive or of two threads: in one order or the other. */
__global__ void mixes(int *word, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i * threadIdx.x;
    atomicAdd(word, sum);
    atomicXor(word, sum);
}

/* The lanes of a warp wait for each other in two branches. */
__global__ void meets(int *out)
{
    __shared__ int s[32];
    if (threadIdx.x >= 16) {
        __syncwarp();
        out[threadIdx.x] = s[threadIdx.x - 16];
    } else {
        s[threadIdx.x] = out[threadIdx.x] + 1;
        __syncwarp();
    }
}

/* The lanes that do not take the branch go on. */
__global__ void lockstep(int *out)
{
    __shared__ volatile int s[32];
    s[threadIdx.x] = out[threadIdx.x];
    if (threadIdx.x >= 4)
        s[threadIdx.x] += s[threadIdx.x - 4];
    out[threadIdx.x] = s[threadIdx.x];
}

/* A loop with little but an atomic function, whose order does not show. */
__global__ void counts(const unsigned char *bytes, int *bins)
{
    for (int i = 0; i < 4; i++)
        atomicAdd(&bins[bytes[threadIdx.x * 4 + i] % 4], 1);
}

/* Lines come in the order of the threads. */
__global__ void prints(int n)
{
    for (int i = 0; i < n; i++)
        printf("thread %d\n", (int)threadIdx.x);
}

/* A short kernel: the threads of a block are one loop. */
__global__ void short_one(int *out)
{
    out[threadIdx.x] = 1;
}

int main()
{
    int *words;
    float *numbers;
    cudaMallocManaged(&words, 4096);
    cudaMallocManaged(&numbers, 1024);
    under_condition<<<1, 32>>>(words);
    volatile_flag<<<1, 32>>>(words + 300, words + 332);
    volatile_way<<<1, 32>>>(words + 400, words + 432);
    before_the_wait<<<1, 32>>>(words, words + 130);
    spin_lock<<<1, 32>>>(words + 100, words + 101);
    float_sums<<<1, 32>>>(numbers, numbers + 200);
    places<<<1, 32>>>(words + 102, words + 120);
    counts<<<1, 32>>>((const unsigned char *)words, words + 110);
    overwrites<<<1, 32>>>(words + 160, 3);
    mixes<<<1, 32>>>(words + 162, 3);
    meets<<<1, 32>>>(words + 170);
    lockstep<<<1, 32>>>(words + 500);
    prints<<<1, 32>>>(0);
    short_one<<<1, 32>>>(words);
    polls<<<1, 32>>>(words + 180, words + 212);
    polls_cache<<<1, 32>>>(words + 180, words + 212);
    return cudaDeviceSynchronize() != cudaSuccess || words[101] != 32;
}
