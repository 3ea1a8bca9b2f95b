/* SPDX-License-Identifier: MIT */
/* A kernel waits for its children in a function that it calls through a pointer
 * or a virtual function: nothing in its own text says so, and its blocks may
 * run on several OS threads. nvcc refuses this from 12.0 on. */
#include "check.h"

enum { BLOCK = 32, BLOCKS = 40 };

/* Adds to each element, with a barrier between reading and writing. */
__global__ void add(int *a, int by)
{
    const int before = a[(threadIdx.x + 1) % BLOCK];
    __syncthreads();
    a[(threadIdx.x + 1) % BLOCK] = before + by;
}

/* Launches twice on a block's part, and waits each time. */
__device__ void add_twice(int *a)
{
    for (int i = 1; i <= 2; i++) {
        add<<<1, BLOCK>>>(a, i * 10);
        cudaDeviceSynchronize();
        a[0] += i; /* with the child's result */
    }
}

struct step {
    __device__ virtual void run(int *a) const = 0;
};

struct twice : step {
    __device__ void run(int *a) const override { add_twice(a); }
};

typedef void (*function)(int *);

__device__ void finish(int *mine)
{
    __syncthreads();
    mine[threadIdx.x] += blockIdx.x * 1000 + threadIdx.x * 100;
}

/* One thread of each block calls; all add afterwards. */
__global__ void call_pointer(int *a)
{
    int *mine = a + blockIdx.x * BLOCK;
    const function f = blockIdx.x < BLOCKS ? add_twice : nullptr;
    if (threadIdx.x == 3)
        f(mine);
    finish(mine);
}

/* The same by a virtual function. */
__global__ void call_virtual(int *a)
{
    int *mine = a + blockIdx.x * BLOCK;
    twice object;
    const step &s = object;
    if (threadIdx.x == BLOCK - 1)
        s.run(mine);
    finish(mine);
}

int main()
{
    int *a = managed<int>(BLOCKS * BLOCK), wrong = 0;
    for (int is_virtual = 0; is_virtual < 2; is_virtual++) {
        OK(cudaMemset(a, 0, BLOCKS * BLOCK * sizeof *a));
        if (is_virtual)
            call_virtual<<<BLOCKS, BLOCK>>>(a);
        else
            call_pointer<<<BLOCKS, BLOCK>>>(a);
        RUN();
        for (int i = 0; i < BLOCKS * BLOCK; i++)
            wrong += a[i] != i / BLOCK * 1000 + i % BLOCK * 100 + 30
                             + (i % BLOCK == 0) * 3;
        printf("%d wrong\n", wrong);
    }
    return 0;
}
