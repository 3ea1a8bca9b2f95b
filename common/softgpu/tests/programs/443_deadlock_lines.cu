// SPDX-License-Identifier: MIT
// A deadlock after a barrier of the grid names each line with its threads, also
// where the same call stands in several branches.
// stderr: is deadlocked: 1 thread waits at
// stderr: 443_deadlock_lines.cu:16, 31 threads wait at
// stderr: 443_deadlock_lines.cu:18, 32 threads wait at
// stderr: 443_deadlock_lines.cu:21
#include <cooperative_groups.h>
#include <cstdio>

/** Lane 0 waits for the block, the other lanes of its warp wait for lane 0. */
__global__ void wait_for_each_other()
{
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0) {
        __syncthreads();
    } else if (threadIdx.x < 32) {
        __syncwarp();
        __syncthreads();
    } else {
        __syncthreads();
    }
}

int main()
{
    cudaLaunchCooperativeKernel((void *)wait_for_each_other, dim3(2), dim3(64),
                                nullptr, 0, 0);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
