/* SPDX-License-Identifier: MIT */
/* A module: kernels with and without a mangled name, variables, a barrier,
 * shared memory, a warp function. */

__device__ int counter = 5;
__constant__ float factors[4] = {1, 2, 3, 4};

/* Scale n elements by factors; the block adds its threads to the counter. */
extern "C" __global__ void scale(float *to, int n)
{
    __shared__ int threads;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        threads = 0;
    __syncthreads();
    atomicAdd(&threads, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(&counter, threads);
    if (i < n)
        to[i] *= factors[i % 4];
}

/* The sum over each warp; mangled. */
__global__ void warp_sum(float *to)
{
    float x = to[threadIdx.x];
    for (int d = 16; d; d /= 2)
        x += __shfl_xor_sync(~0u, x, d);
    to[threadIdx.x] = x;
}

/* A store far outside. */
extern "C" __global__ void stray(int *to)
{
    to[1 << 28] = 1;
}
