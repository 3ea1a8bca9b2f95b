/* SPDX-License-Identifier: MIT */
/* A fault in an asynchronous copy is found at the wait; the report names the
 * line that issued the copy. */
// stderr: 158_copy_fault.cu:18
// stderr: 158_copy_fault.cu:30
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

/* Thread 5 copies from far outside the array. */
__global__ void one(const int *in, int *out)
{
    __shared__ int s_a[32];
    int i = threadIdx.x;
    long far = i == 5 ? 1L << 30 : 0;

    __pipeline_memcpy_async(&s_a[i], &in[i + far], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[i] = s_a[i];
}

/* The block copies from far outside the array. */
__global__ void all(const int *in, int *out)
{
    __shared__ int s_a[32];
    auto block = cooperative_groups::this_thread_block();

    cooperative_groups::memcpy_async(block, s_a, in + (1L << 30), sizeof s_a);
    cooperative_groups::wait(block);
    out[threadIdx.x] = s_a[threadIdx.x];
}

int main()
{
    int *d;
    OK(cudaMalloc(&d, 256));
    one<<<1, 32>>>(d, d + 32);
    SHOW(cudaDeviceSynchronize());
    OK(cudaDeviceReset());
    OK(cudaMalloc(&d, 256));
    all<<<1, 32>>>(d, d + 32);
    SHOW(cudaDeviceSynchronize());
    return 0;
}
