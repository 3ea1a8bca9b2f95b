/* SPDX-License-Identifier: MIT */
/* The block as a group: ranks, indices and sync. */
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int rotate(const cg::thread_group &g, int *scratch, int value)
{
    scratch[g.thread_rank()] = value;
    g.sync();
    int next = scratch[(g.thread_rank() + 1) % g.size()];
    g.sync();
    return next;
}

/* Compares the group's numbers with the built-ins', then rotates values. */
__global__ void block(int *out)
{
    __shared__ int s_scratch[24];
    cg::thread_block b = cg::this_thread_block();
    int linear = threadIdx.x + 4 * (threadIdx.y + 3 * threadIdx.z);
    bool good = b.size() == 24 && b.num_threads() == 24
                && (int)b.thread_rank() == linear
                && b.group_index().y == blockIdx.y
                && b.thread_index().z == threadIdx.z
                && b.dim_threads().y == 3 && b.group_dim().z == 2;
    int value = rotate(b, s_scratch, linear * 10);
    cg::sync(b);
    out[blockIdx.y * 24 + linear] = good ? value : -1;
}

int main()
{
    int *out = managed<int>(48);
    block<<<dim3(1, 2), dim3(4, 3, 2)>>>(out);
    RUN();
    for (int i = 0; i < 48; i++)
        EXPECT(out[i] == (i % 24 + 1) % 24 * 10);
    printf("%d %d\n", out[22], out[47]);
    return 0;
}
