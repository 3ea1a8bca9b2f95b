/* SPDX-License-Identifier: MIT */
/* Variables of the device that are members of a class or were declared in a
 * namespace, defined outside it; and a parameter that stays where it is.
 * nvcc refuses memory qualifiers of members, which clang accepts. */
#include "check.h"

struct counter {
    static __device__ int calls;
    static __constant__ float weights[2];
    static int launches;
};
__device__ int counter::calls = 5;
__constant__ float counter::weights[2];
int counter::launches = 0;

namespace limits {
extern __device__ int lowest;
}
__device__ int limits::lowest = 100;

struct range {
    int first, count;
};

__global__ void visit(const __grid_constant__ range r, float *out);

/* Counts in a member, takes a minimum in a namespace's variable. */
__global__ void visit(const __grid_constant__ range r, float *out)
{
    int i = threadIdx.x;
    if (i >= r.count)
        return;
    atomicAdd(&counter::calls, 1);
    atomicMin(&limits::lowest, r.first + i);
    out[i] = counter::weights[i % 2] * (r.first + i);
}

int main()
{
    const float weights[] = { 1, 10 };
    float *out = managed<float>(4);
    int calls, lowest;
    OK(cudaMemcpyToSymbol(counter::weights, weights, sizeof weights));
    visit<<<1, 32>>>(range{ 7, 4 }, out);
    counter::launches++;
    RUN();
    OK(cudaMemcpyFromSymbol(&calls, counter::calls, sizeof calls));
    OK(cudaMemcpyFromSymbol(&lowest, limits::lowest, sizeof lowest));
    printf("%d %d %d\n", calls, lowest, counter::launches);
    printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);
    OK(cudaFree(out));
}
