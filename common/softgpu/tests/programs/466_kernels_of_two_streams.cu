/* SPDX-License-Identifier: MIT */
/* Kernels of several streams wait for each other, and the first one is launched
 * before those that it waits for: one flag; a token that goes round eight of
 * them; a chain of blocks on both sides; a flag that a copy sets behind another
 * command.  On a card all of them fit. */
#include "check.h"

enum { RING = 8, ROUNDS = 3, CHAIN = 6 };

/* out = in + 1, when the flag is set. */
__global__ void consume(volatile int *flag, const int *in, int *out)
{
    if (threadIdx.x == 0)
        while (*flag == 0) { }
    __syncthreads();
    __threadfence();
    out[threadIdx.x] = in[threadIdx.x] + 1;
}

/* out = 10 times the index; then the flag is set. */
__global__ void produce(int *flag, int *out)
{
    out[threadIdx.x] = 10 * (int)threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicExch(flag, 1);
}

/* Wait for the token `me` of each round, and pass it on. */
__global__ void pass_on(volatile int *token, int me)
{
    for (int round = 0; round < ROUNDS; round++) {
        if (threadIdx.x == 0) {
            while (*token != round * RING + me) { }
            *token = round * RING + me + 1;
        }
        __syncthreads();
    }
}

/* Block b of one kernel waits for block b of the other, which waits for block
 * b - 1 of the first. */
__global__ void zip(volatile int *step, int me)
{
    const int mine = 2 * (int)blockIdx.x + me;
    while (*step != mine) { }
    *step = mine + 1;
}

static int flag_of_another(cudaStream_t *s, int *d)
{
    int h[32];
    OK(cudaMemset(d, 0, 256));
    OK(cudaDeviceSynchronize());
    consume<<<1, 32, 0, s[0]>>>(d, d + 8, d + 40);
    produce<<<1, 32, 0, s[1]>>>(d, d + 8);
    RUN();
    OK(cudaMemcpy(h, d + 40, sizeof h, cudaMemcpyDeviceToHost));
    return h[31];
}

static int value_of(const int *d)
{
    int h;
    RUN();
    OK(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
    return h;
}

static int ring(cudaStream_t *s, int *d)
{
    OK(cudaMemset(d, 0, sizeof *d));
    OK(cudaDeviceSynchronize());
    for (int i = RING - 1; i >= 0; i--)
        pass_on<<<1, 32, 0, s[i]>>>(d, i);
    return value_of(d);
}

static int chain(cudaStream_t *s, int *d)
{
    OK(cudaMemset(d, 0, sizeof *d));
    OK(cudaDeviceSynchronize());
    zip<<<CHAIN, 1, 0, s[0]>>>(d, 1);
    zip<<<CHAIN, 1, 0, s[1]>>>(d, 0);
    return value_of(d);
}

/* The copy comes behind a prefetch and an event of its stream. */
static int flag_of_a_copy(cudaStream_t *s, int *d)
{
    static const int one = 1;
    cudaEvent_t event;
    int *managed, h[32];
    OK(cudaEventCreate(&event));
    OK(cudaMallocManaged((void **)&managed, sizeof *managed));
    OK(cudaMemset(d, 0, 256));
    OK(cudaDeviceSynchronize());
    consume<<<1, 32, 0, s[0]>>>(d, d + 8, d + 40);
    OK(cudaMemPrefetchAsync(managed, sizeof *managed, 0, s[1]));
    OK(cudaEventRecord(event, s[1]));
    OK(cudaMemcpyAsync(d, &one, sizeof one, cudaMemcpyHostToDevice, s[1]));
    RUN();
    OK(cudaMemcpy(h, d + 40, sizeof h, cudaMemcpyDeviceToHost));
    OK(cudaEventDestroy(event));
    OK(cudaFree(managed));
    return h[31];
}

int main()
{
    cudaStream_t s[RING];
    int *d;
    for (int i = 0; i < RING; i++)
        OK(cudaStreamCreate(&s[i]));
    OK(cudaMalloc((void **)&d, 1024));
    printf("flag %d\n", flag_of_another(s, d));
    printf("ring %d\n", ring(s, d));
    printf("chain %d\n", chain(s, d));
    printf("copy %d\n", flag_of_a_copy(s, d));
    OK(cudaFree(d));
    for (int i = 0; i < RING; i++)
        OK(cudaStreamDestroy(s[i]));
    return 0;
}
/* nvcc refuses CUDA 12's cudaMemPrefetchAsync(), since CUDA 13. */
