// verdict: WRONG
// expect: n = 16777217, all 0 but the first and the last one
// test: large
// hint: Does one block combine all partial results
/* SPDX-License-Identifier: MIT */
/* A partial result for each 32,768 elements; a single block combines as many as
 * it has threads. */
#include <math.h>
#include "grid.h"
#include "reduction.h"

enum { BLOCK = 512 };


/* The identity element. */
__device__ static float id(int op)
{
    return op == REDUCTION_SUM ? 0.0f : -INFINITY;
}

/* Combine two values. */
__device__ static float app(float a, float b, int op)
{
    return op == REDUCTION_SUM ? a + b : fmaxf(a, b);
}

/* A tree over the values of a block, for all of its threads. */
__device__ static float tree(float v, int op)
{
    __shared__ float s[BLOCK];
    int t = threadIdx.x;
    s[t] = v;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (t < half) s[t] = app(s[t], s[t + half], op);
        __syncthreads();
    }
    return s[0];
}

/** A block reduces a run of elements. */
__global__ void first(const float *in, float *part, size_t n, int op)
{
    float acc[2] = {id(op), id(op)};
    size_t per = (n + gridDim.x - 1) / gridDim.x;
    size_t begin = blockIdx.x * per, end = begin + per < n ? begin + per : n;
    size_t i = begin + threadIdx.x;
    for (; i + BLOCK < end; i += 2 * BLOCK) {
        acc[0] = app(acc[0], in[i], op);
        acc[1] = app(acc[1], in[i + BLOCK], op);
    }
    if (i < end) acc[0] = app(acc[0], in[i], op);
    float v = tree(app(acc[0], acc[1], op), op);
    if (threadIdx.x == 0) part[blockIdx.x] = v;
}

/** One block combines the first partial results. */
__global__ void second(const float *part, float *out, int parts, int op)
{
    float v = threadIdx.x < parts ? part[threadIdx.x] : id(op);
    v = tree(v, op);
    if (threadIdx.x == 0) *out = v;
}

int reduction(const float *d_in, float *d_out, float *d_work, size_t n,
              int op)
{
    size_t blocks = ceil_div(n, 64 * BLOCK);
    if (blocks == 0) blocks = 1;
    first<<<(unsigned)blocks, BLOCK>>>(d_in, d_work, n, op);
    cudaError_t err = CUDA_CHECK(cudaGetLastError());
    if (err) return err;
    second<<<1, BLOCK>>>(d_work, d_out, (int)blocks, op);
    return CUDA_CHECK(cudaGetLastError());
}
