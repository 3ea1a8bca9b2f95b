// verdict: SCORE
// expect: 85 100 right
// Shared memory is used again after a barrier of the grid.
#include <cooperative_groups.h>
#include <math.h>

#include "grid.h"
#include "reduction.h"

enum { THREADS = 256, WARPS = THREADS / 32 };

__device__ static float combine(float a, float b, int op)
{
    return op == REDUCTION_SUM ? a + b : fmaxf(a, b);
}

/** The block's result, in all threads. */
__device__ static float block_reduce(float value, int op)
{
    __shared__ float s_warp[WARPS];

    for (int lanes = 16; lanes > 0; lanes /= 2)
        value = combine(value, __shfl_xor_sync(~0u, value, lanes), op);
    if (threadIdx.x % 32 == 0) s_warp[threadIdx.x / 32] = value;
    __syncthreads();
    value = s_warp[threadIdx.x % WARPS];
    for (int lanes = WARPS / 2; lanes > 0; lanes /= 2)
        value = combine(value, __shfl_xor_sync(~0u, value, lanes), op);
    return value;
}

/** Any cooperative grid; work has a float for each block. */
__global__ void reduce_all(const float *in, float *out, float *work, size_t n,
                           int op)
{
    const float identity = op == REDUCTION_SUM ? 0 : -INFINITY;
    const size_t step = (size_t)gridDim.x * THREADS;
    float value = identity;

    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n;
         i += step)
        value = combine(value, in[i], op);
    value = block_reduce(value, op);
    if (threadIdx.x == 0) work[blockIdx.x] = value;
    cooperative_groups::this_grid().sync();
    if (blockIdx.x > 0) return;
    value = identity;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += THREADS)
        value = combine(value, work[i], op);
    value = block_reduce(value, op);
    if (threadIdx.x == 0) *out = value;
}

int reduction(const float *d_in, float *d_out, float *d_work, size_t n, int op)
{
    void *arguments[] = {&d_in, &d_out, &d_work, &n, &op};
    size_t blocks = ceil_div(n, 16 * THREADS);
    int device = 0, sms = 1;
    cudaError_t err = CUDA_CHECK(cudaGetDevice(&device));

    if (!err)
        err = CUDA_CHECK(cudaDeviceGetAttribute(
            &sms, cudaDevAttrMultiProcessorCount, device));
    if (err) return err;
    if (blocks == 0) blocks = 1;
    if (blocks > (size_t)sms) blocks = sms;
    return CUDA_CHECK(cudaLaunchCooperativeKernel(
        (const void *)reduce_all, dim3((unsigned)blocks), dim3(THREADS),
        arguments, 0, 0));
}
