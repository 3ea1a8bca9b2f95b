/* SPDX-License-Identifier: MIT */
/* Tiles of several warps: sync, reduce and shfl. */
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

/* Reverses values in tiles of two warps, then reduces over them. */
__global__ void wide(int *out)
{
    __shared__ cg::block_tile_memory<256> s_memory;
    __shared__ int s_a[256];
    auto block = cg::this_thread_block(s_memory);
    auto tile = cg::tiled_partition<64>(block);
    int i = threadIdx.x, rank = tile.thread_rank();
    int first = i - rank;
    for (int round = 0; round < 3; round++) {
        s_a[i] = i + round;
        tile.sync();
        out[i] = s_a[first + 63 - rank];
        tile.sync();
    }
    int sum = cg::reduce(tile, i, cg::plus<int>());
    int at = tile.shfl(i, 40);
    out[256 + i] = sum * 1000 + at + tile.any(i == 70) * 500;
}

/* An inclusive scan in tiles of one warp.  The last tile of a block may be
 * smaller. */
__global__ void scan(int *a)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int sum = a[threadIdx.x];
    for (unsigned gap = 1; gap < 32; gap *= 2) {
        int below = tile.shfl_up(sum, gap);
        if (tile.thread_rank() >= gap) sum += below;
    }
    a[threadIdx.x] = sum;
}

int main()
{
    int *out = managed<int>(512);
    wide<<<1, 256>>>(out);
    RUN();
    for (int i = 0; i < 256; i++) {
        int first = i / 64 * 64;
        EXPECT(out[i] == first + 63 - i % 64 + 2);
        EXPECT(out[256 + i] == (64 * first + 2016) * 1000 + first + 40
               + (first == 64) * 500);
    }
    printf("%d %d\n", out[0], out[256 + 64]);
    for (int i = 0; i < 256; i++)
        out[i] = 1;
    scan<<<1, 256>>>(out);
    RUN();
    scan<<<1, 120>>>(out + 256);
    RUN();
    EXPECT(out[31] == 32 && out[255] == 32);
    return 0;
}
