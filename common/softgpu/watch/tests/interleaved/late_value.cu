/* SPDX-License-Identifier: MIT */
#include <cstdio>

enum { BLOCKS = 48 };

struct slot {
    int has_sum, has_prefix, sum, prefix;
};

__device__ int load(int *p) { return atomicAdd(p, 0); }

/* Defect: the flag is stored before its value.  All accesses are atomic, so it
 * is no data race. */
__device__ void publish(int *value, int number, int *flag)
{
    if (DEFECT)
        atomicExch(flag, 1);
    else
        atomicExch(value, number);
    __threadfence();
    if (DEFECT)
        atomicExch(value, number);
    else
        atomicExch(flag, 1);
}

/* A look-back.  That has_prefix is not set yet, though has_sum is, is no
 * defect: the sum is read then. */
__global__ void scan(slot *slots, int *out)
{
    const int b = blockIdx.x;
    int before = 0;

    publish(&slots[b].sum, b + 1, &slots[b].has_sum);
    for (int k = b - 1; k >= 0; k--) {
        slot *s = &slots[k];

        while (!load(&s->has_sum)) {}
        __threadfence();
        if (!DEFECT && load(&s->has_prefix)) {
            __threadfence();
            before += load(&s->prefix);
            break;
        }
        before += load(&s->sum);
    }
    publish(&slots[b].prefix, before + b + 1, &slots[b].has_prefix);
    out[b] = before;
}

int main()
{
    slot *slots;
    int *out;

    cudaMalloc(&slots, BLOCKS * sizeof *slots);
    cudaMemset(slots, 0, BLOCKS * sizeof *slots);
    cudaMalloc(&out, BLOCKS * sizeof *out);
    scan<<<BLOCKS, 1>>>(slots, out);
    cudaDeviceSynchronize();
    cudaFree(slots);
    cudaFree(out);
    puts("right"); /* only the finding tells */
    return 0;
}
