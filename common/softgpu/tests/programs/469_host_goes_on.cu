/* SPDX-License-Identifier: MIT */
/* While a kernel waits for a value that the host will store, the host asks for
 * its state, launches and waits for others, and copies: nothing of it waits for
 * the kernel.  Queries begin it, or a host function that waits. */
#include "check.h"

enum { N = 64 };

/* out = 1, when the host has stored `stop`. */
__global__ void wait_for(volatile int *stop, int *out)
{
    while (*stop == 0) { }
    *out = 1;
}

/* It works while it waits, so it is not idle. */
__global__ void work_until(volatile int *stop, unsigned *out)
{
    unsigned state = 1;
    while (*stop == 0)
        for (int i = 0; i < 1000; i++)
            state = state * 1664525u + 1013904223u;
    *out = state | 1;
}

/* Even numbers. */
__global__ void fill(int *p)
{
    p[threadIdx.x] = 2 * (int)threadIdx.x;
}

static void CUDART_CB wait_in_host(void *stop)
{
    while (*(volatile int *)stop == 0) { }
}

/* A kernel, an event and a copy of another stream. */
static void use_other(cudaStream_t other, int *d)
{
    int h[N];
    cudaEvent_t done;
    OK(cudaEventCreate(&done));
    fill<<<1, N, 0, other>>>(d);
    OK(cudaEventRecord(done, other));
    OK(cudaEventSynchronize(done));
    OK(cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, other));
    OK(cudaStreamSynchronize(other));
    OK(cudaEventDestroy(done));
    printf("%d, ", h[N - 1]);
}

/* Stop what runs in s. */
static void stop(cudaStream_t s, volatile int *flag)
{
    *flag = 1;
    OK(cudaStreamSynchronize(s));
    printf("then %s\n", cudaGetErrorName(cudaStreamQuery(s)));
    *flag = 0;
}

int main()
{
    cudaStream_t s, other;
    int *flag, *d;
    OK(cudaHostAlloc((void **)&flag, 64, cudaHostAllocMapped));
    OK(cudaMalloc((void **)&d, (N + 1) * sizeof *d));
    OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    *flag = 0;
    wait_for<<<1, 1, 0, s>>>(flag, d + N);
    printf("%s, ", cudaGetErrorName(cudaStreamQuery(s)));
    use_other(other, d);
    stop(s, flag);
    work_until<<<1, 1, 0, s>>>(flag, (unsigned *)d + N);
    printf("%s, ", cudaGetErrorName(cudaStreamQuery(s)));
    stop(s, flag);
    OK(cudaLaunchHostFunc(s, wait_in_host, flag));
    printf("%s, ", cudaGetErrorName(cudaStreamQuery(s)));
    stop(s, flag);
    OK(cudaFreeHost(flag));
    OK(cudaFree(d));
    OK(cudaStreamDestroy(s));
    OK(cudaStreamDestroy(other));
    return 0;
}
