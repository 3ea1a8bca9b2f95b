/* SPDX-License-Identifier: MIT */
/* Functions that a kernel calls without naming them: member initializers and
 * default member initializers that read threadIdx, or meet at a barrier.
 * Parameters with the names of CUDA's types hide only these. */
#include "check.h"

/* Another name for threadIdx.x. */
__device__ int mine() { return threadIdx.x; }

/* The value that the opposite thread of the block stored. */
__device__ int exchange(int *s)
{
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    return s[blockDim.x - 1 - threadIdx.x];
}

struct Listed {
    int t;
    __device__ Listed() : t(mine()) {}
};

struct Braced {
    int t;
    __device__ Braced() : t{mine()} {}
};

struct Default {
    int t = mine();
};

struct Direct {
    int u = 0, t{(int)threadIdx.x};
};

struct Outer {
    struct Inner {
        int t = threadIdx.x;
    } inner;
};

struct Met {
    int t;
    __device__ Met(int *s) : t(exchange(s)) {}
};

/* A call in the list of a constructor. */
__global__ void listed(int *o) { Listed a; o[threadIdx.x] = a.t; }
/* The same in braces. */
__global__ void braced(int *o) { Braced a; o[threadIdx.x] = a.t; }
/* A call in a default initializer. */
__global__ void by_default(int *o) { Default a; o[threadIdx.x] = a.t; }
/* A default initializer in braces. */
__global__ void direct(int *o) { Direct a; o[threadIdx.x] = a.t + a.u; }
/* The default initializer of a member of a member. */
__global__ void nested(int *o) { Outer a; o[threadIdx.x] = a.inner.t; }
/* A constructor that meets at a barrier. */
__global__ void met(int *o)
{
    __shared__ int s[64];
    Met a(s);
    o[threadIdx.x] = 63 - a.t;
}

/* A parameter may have the name of a type of CUDA. */
__global__ void named(int *o, int dim3, int uint3)
{
    o[threadIdx.x] = threadIdx.x * (uint3 - dim3);
}

/* Run a kernel that stores each thread's index. */
static void run(const char *name, void (*kernel)(int *))
{
    int *d = managed<int>(64), right = 0;
    cudaMemset(d, 0xff, 64 * sizeof *d);
    kernel<<<1, 64>>>(d);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        right += d[i] == i;
    printf("%s %d\n", name, right);
    OK(cudaFree(d));
}

int main()
{
    run("listed", listed);
    run("braced", braced);
    run("default", by_default);
    run("direct", direct);
    run("nested", nested);
    run("met", met);
    int *d = managed<int>(64);
    named<<<1, 64>>>(d, 2, 3);
    OK(cudaDeviceSynchronize());
    printf("named %d\n", d[63]);
    return 0;
}
