// verdict: WRONG
// expect: the partial results of the first 256 of 1024 blocks
// test: large
/* SPDX-License-Identifier: MIT */
/* The second pass loads one partial result for each of its threads; there are
 * up to 1,024 of them. */
#include <math.h>

#include "grid.h"
#include "reduction.h"

enum { THREADS = 256, MOST_BLOCKS = 1024, ELEMENTS_PER_THREAD = 4 };

__device__ static float identity(int op)
{
    return op == REDUCTION_SUM ? 0.0f : -INFINITY;
}

__device__ static float combine(float a, float b, int op)
{
    return op == REDUCTION_SUM ? a + b : fmaxf(a, b);
}

/* The result of the block, in thread 0. */
__device__ static float reduce_block(float value, int op)
{
    __shared__ float s[THREADS];

    s[threadIdx.x] = value;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            s[threadIdx.x] = combine(s[threadIdx.x], s[threadIdx.x + half], op);
        __syncthreads();
    }
    return s[0];
}

/* One result for each block. */
__global__ void first_pass(const float *in, float *out, size_t n, int op)
{
    float value = identity(op);

    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n;
         i += (size_t)gridDim.x * THREADS)
        value = combine(value, in[i], op);
    value = reduce_block(value, op);
    if (threadIdx.x == 0) out[blockIdx.x] = value;
}

/* One block; right for no more results than it has threads. */
__global__ void second_pass(const float *in, float *out, unsigned blocks,
                            int op)
{
    float value = threadIdx.x < blocks ? in[threadIdx.x] : identity(op);

    value = reduce_block(value, op);
    if (threadIdx.x == 0) *out = value;
}

int reduction(const float *d_in, float *d_out, float *d_work, size_t n,
              int op)
{
    const size_t needed = ceil_div(n, ELEMENTS_PER_THREAD * THREADS);
    const unsigned blocks = needed < 1             ? 1
                            : needed > MOST_BLOCKS ? MOST_BLOCKS
                                                   : (unsigned)needed;

    first_pass<<<blocks, THREADS>>>(d_in, d_work, n, op);
    second_pass<<<1, THREADS>>>(d_work, d_out, blocks, op);
    return CUDA_CHECK(cudaGetLastError());
}
