/* SPDX-License-Identifier: MIT */
/* Loops that poll where no `volatile` stands in the loop: blocks, then threads
 * of one block, wait for each other in a chain, the first for the last. */
#include "check.h"

enum { COUNT = 48 };

typedef volatile int word;
struct flag {
    volatile int raised;
};
template <typename T> struct place {
    T *at;
    __device__ T get() const { return *(volatile T *)at; }
    __device__ void wait() const
    {
        int turns = 0;
        while (get() == 0) { turns++; }
    }
};
__device__ int load(const int *p) { return *(const volatile int *)p; }

__device__ void in_while(int *p, int n) { while (load(p) == 0) { n++; } }
__device__ void in_for(int *p, int n)
{
    flag *f = (flag *)p;
    for (int i = 0; f->raised == 0; i++) { n += i; }
}
__device__ void in_do(int *p, int n)
{
    word *w = p;
    int seen;
    do { seen = *w; n++; } while (seen == 0);
}
__device__ void declared(int *p, int n)
{
    word *w = p;
    while (int none = *w == 0) { n += none; }
}
__device__ void by_goto(int *p, int n)
{
    word *w = p;
again:
    n++;
    if (*w == 0)
        goto again;
}
__device__ void in_class(int *p, int) { place<int>{p}.wait(); }
__device__ void fenced(int *p, int n)
{
    while (*p == 0) { __threadfence(); n++; }
}
__device__ void cached(int *p, int n) { while (__ldcg(p) == 0) { n++; } }

/** Thread or block i waits until i + 1 has raised its flag, then raises i's. */
template <void (*wait)(int *, int)> __global__ void chain(int *flags)
{
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i + 1 < COUNT)
        wait(&flags[i + 1], 0);
    *(word *)&flags[i] = 1;
}

template <void (*wait)(int *, int)> static void run(const char *name)
{
    int *flags;
    OK(cudaMalloc(&flags, COUNT * sizeof *flags));
    OK(cudaMemset(flags, 0, COUNT * sizeof *flags));
    chain<wait><<<COUNT, 1>>>(flags);
    OK(cudaMemset(flags, 0, COUNT * sizeof *flags));
    chain<wait><<<1, COUNT>>>(flags);
    OK(cudaDeviceSynchronize());
    OK(cudaFree(flags));
    printf("%s\n", name);
}

int main()
{
    run<in_while>("while");
    run<in_for>("for");
    run<in_do>("do");
    run<declared>("a declaration");
    run<by_goto>("goto");
    run<in_class>("a class");
    run<fenced>("a fence");
    run<cached>("a load past the L1 cache");
    return 0;
}
