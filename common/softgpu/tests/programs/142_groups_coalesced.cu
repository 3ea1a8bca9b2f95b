/* SPDX-License-Identifier: MIT */
/* coalesced_threads in a branch: the popular aggregated atomic. */
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int aggregated_add(int *counter)
{
    cg::coalesced_group active = cg::coalesced_threads();
    int before = 0;
    if (active.thread_rank() == 0)
        before = atomicAdd(counter, active.size());
    return active.shfl(before, 0) + active.thread_rank();
}

/* Keeps multiples of 3; their places come from one atomic per group. */
__global__ void filter(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3 == 0)
        out[aggregated_add(count)] = in[i];
}

int main()
{
    int n = 1000, *in = managed<int>(n), *out = managed<int>(n);
    int *count = managed<int>(1), seen[1000] = {};
    for (int i = 0; i < n; i++)
        in[i] = i;
    filter<<<8, 128>>>(in, out, count, n);
    RUN();
    for (int i = 0; i < *count; i++)
        seen[out[i]]++;
    for (int i = 0; i < n; i++)
        EXPECT(seen[i] == (i % 3 == 0));
    printf("%d %d\n", *count, total(out, n));
    return 0;
}
