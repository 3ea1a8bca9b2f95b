/* SPDX-License-Identifier: MIT */
/* What a barrier costs: nothing else happens. */
#include "bench.h"

/* Each thread counts the barriers it passed. */
__global__ void barrier(float *out)
{
    float passed = 0;
    for (int i = 0; i < BARRIERS; i++) {
        __syncthreads(); /* the subject */
        passed += 1;
    }
    out[blockIdx.x * BLOCK + threadIdx.x] = passed;
}

void soft_barrier(const struct work *w)
{
    barrier<<<BARRIER_BLOCKS, BLOCK>>>(w->out);
}
