/* SPDX-License-Identifier: MIT */
/* A deadlock inside a block, after the grid has synchronized, is reported at
 * its line as before. */
// stderr: is deadlocked
// stderr: 327_stuck_after_grid.cu:19
#include <cooperative_groups.h>

#include "check.h"

/* Lane 0 waits for its block, the other lanes of its warp for lane 0. */
__global__ void stuck(int rounds)
{
    for (int i = 0; i < rounds; i++)
        cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0)
        __syncthreads();
    else {
        if (threadIdx.x < 32)
            __syncwarp();
        __syncthreads();
    }
}

int main()
{
    int rounds = 2;
    void *arguments[] = {&rounds};
    OK(cudaLaunchCooperativeKernel((void *)stuck, dim3(4), dim3(64),
                                   arguments, 0, 0));
    SHOW(cudaDeviceSynchronize());
    return 0;
}
