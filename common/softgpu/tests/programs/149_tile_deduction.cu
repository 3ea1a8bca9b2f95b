/* SPDX-License-Identifier: MIT */
/* The forms in which programs name tiles and deduce their sizes. */
#include "check.h"
#include <cooperative_groups.h>

using namespace cooperative_groups;

template <int N> __device__ int by_int(thread_block_tile<N> g)
{
    return N * 10 + g.shfl_xor(1, 1);
}

template <unsigned int N> __device__ int by_unsigned(thread_block_tile<N> g)
{
    return N * 10 + g.any(1);
}

template <typename Group> __device__ int by_type(Group &g)
{
    g.sync();
    return g.size();
}

__device__ int by_base(thread_group g) { return g.size() + 1000; }

/* Passes tiles and groups to functions that deduce their sizes. */
__global__ void forms(int *out)
{
    thread_block block = this_thread_block();
    thread_block_tile<16> a = tiled_partition<16>(block);
    thread_block_tile<8, thread_block_tile<16>> b
        = tiled_partition<8>(a);
    auto c = tiled_partition<4>(b);
    thread_group d = tiled_partition(block, 8);
    if (block.thread_rank() == 0) {
        out[4] = by_base(d);
        out[5] = by_base(block);
    }
    int r[] = {by_int<16>(a), by_unsigned<8>(b), by_type(c), by_type(block)};
    if (block.thread_rank() == 5)
        for (int i = 0; i < 4; i++)
            out[i] = r[i];
}

int main()
{
    int *out = managed<int>(6);
    forms<<<1, 64>>>(out);
    RUN();
    for (int i = 0; i < 6; i++)
        printf("%d ", out[i]);
    printf("\n");
    return 0;
}
