/* SPDX-License-Identifier: MIT */
/* Costs: a barrier in each round of the tree, of an object that is set anew for
 * each round, so that all of its phases have one number. */
#include <cuda/barrier>
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

typedef cuda::barrier<cuda::thread_scope_block> barrier;

/** A block reduces THREADS elements to one, with a barrier between the rounds:
 *  one of three, of which another one is prepared meanwhile. */
__global__ void reduce_block(const float *__restrict__ in,
                             float *__restrict__ out, size_t n, int op)
{
    __shared__ float s_value[THREADS];
    const unsigned t = threadIdx.x;
    const size_t i = (size_t)blockIdx.x * THREADS + t;
    __shared__ barrier s_round[3];
    unsigned round = 0;

    s_value[t] = i < n ? in[i] : identity(op);
    if (t < 3) init(&s_round[t], THREADS);
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2, round++) {
        if (t == 0 && round > 1) init(&s_round[(round + 1) % 3], THREADS);
        s_round[round % 3].arrive_and_wait();
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
