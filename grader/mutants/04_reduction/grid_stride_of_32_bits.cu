// verdict: WRONG
// expect: an index of 32 bits starts again at 0
// test: large
/* SPDX-License-Identifier: MIT */
/* A grid-stride loop whose index never reaches more than 2^32 elements. */
#include <math.h>

#include "grid.h"
#include "reduction.h"

enum { THREADS = 256 };
__device__ static inline float identity(int op) { return op == REDUCTION_SUM ? 0.0f : -INFINITY; }
__device__ static inline float combine(float a, float b, int op)
{
    return op == REDUCTION_SUM ? a + b : fmaxf(a, b);
}

__device__ static float warp_all(float v, int op)
{
    for (int d = 16; d; d /= 2) v = combine(v, __shfl_xor_sync(0xffffffffu, v, d), op);
    return v;
}
__device__ static float block_all(float v, int op)
{
    __shared__ float s[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    v = warp_all(v, op);
    if (lane == 0) s[warp] = v;
    __syncthreads();
    v = lane < blockDim.x / 32 ? s[lane] : identity(op);
    return warp_all(v, op);
}

__device__ static unsigned done;
/** A thread reduces every T-th element, with i of 32 bits; the last block
 *  reduces the blocks' results. */
__global__ void reduce_all(const float *in, float *out, volatile float *work, size_t n, int op)
{
    __shared__ bool s_last;
    float v = identity(op);
    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        v = combine(v, in[i], op);
    v = block_all(v, op);
    if (threadIdx.x == 0) {
        work[blockIdx.x] = v;
        __threadfence();
        s_last = atomicAdd(&done, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!s_last) return;
    v = identity(op);
    for (unsigned i = threadIdx.x; i < gridDim.x; i += THREADS) v = combine(v, work[i], op);
    v = block_all(v, op);
    if (threadIdx.x == 0) { *out = v; done = 0; }
}
int reduction(const float *d_in, float *d_out, float *d_work, size_t n, int op)
{
    unsigned blocks;
    cudaError_t e = grid_stride_blocks(&blocks, n / 16 + 1, THREADS);
    if (e) return e;
    if (blocks > n / 128 + 64) blocks = (unsigned)(n / 128 + 64);
    reduce_all<<<blocks, THREADS>>>(d_in, d_out, d_work, n, op);
    return cudaGetLastError();
}
