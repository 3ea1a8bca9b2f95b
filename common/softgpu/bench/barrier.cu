/* SPDX-License-Identifier: MIT */
/* The cost of a barrier: the kernel does nothing else. */
#include "bench.h"

/* Each thread counts the barriers it passed. */
__global__ void barrier(float *out)
{
    float passed = 0;
    for (int i = 0; i < BARRIERS; i++) {
        __syncthreads(); /* the measured operation */
        passed += 1;
    }
    out[blockIdx.x * BLOCK + threadIdx.x] = passed;
}

void soft_barrier(const struct bench_data *w)
{
    barrier<<<BARRIER_BLOCKS, BLOCK>>>(w->out);
}
