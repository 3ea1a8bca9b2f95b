/* SPDX-License-Identifier: MIT */
/* A whole-grid sum: three phases with two grid barriers. */
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* Sums of blocks, their sum by one thread, then each block stores it. */
__global__ void sum(const int *a, int n, int *partial, int *out)
{
    extern __shared__ int s_sum[];
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    int mine = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size())
        mine += a[i];
    s_sum[threadIdx.x] = mine;
    cg::sync(block);
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if ((int)threadIdx.x < half)
            s_sum[threadIdx.x] += s_sum[threadIdx.x + half];
        block.sync();
    }
    if (block.thread_rank() == 0)
        partial[grid.block_rank()] = s_sum[0];
    cg::sync(grid);
    if (grid.thread_rank() == grid.size() - 1)
        for (int b = 0; b < (int)grid.num_blocks(); b++)
            *out += partial[b];
    grid.sync();
    if (threadIdx.x == 0)
        partial[blockIdx.x] = *out;
}

int main()
{
    int n = 5000, blocks = 5, *a = managed<int>(n), *out = managed<int>(1);
    int *partial = managed<int>(blocks);
    for (int i = 0; i < n; i++)
        a[i] = i % 10;
    void *args[] = {&a, &n, &partial, &out};
    OK(cudaLaunchCooperativeKernel((void *)sum, blocks, 64, args,
                                   64 * sizeof(int), nullptr));
    RUN();
    printf("%d %d %d\n", *out, partial[0], partial[4]);
    return 0;
}
