/* SPDX-License-Identifier: MIT */
/* Tiles of 1 to 32 threads: ranks and shuffles stay within the tile. */
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <int N>
__device__ int tile_sum(cg::thread_block_tile<N> tile, int value)
{
    for (int i = tile.size() / 2; i > 0; i /= 2)
        value += tile.shfl_down(value, i);
    return tile.shfl(value, 0);
}

/* Compares each of the tile's results with that computed from i. */
template <unsigned N> __global__ void tiles(int *out)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<N>(block);
    int i = block.thread_rank(), sum = tile_sum<N>(tile, i);
    bool good = tile.thread_rank() == i % N && tile.size() == N
                && tile.meta_group_rank() == i / N
                && tile.meta_group_size() == 64 / N
                && tile.shfl_xor(i, N / 2) == (N == 1 ? i : (i ^ (int)N / 2))
                && tile.shfl_up(i, 1) == (i % N ? i - 1 : i)
                && tile.ballot(i % 2) == (0xaaaaaaaau & (~0u >> (32 - N)))
                && tile.any(i == 63) == (i / N == 63 / N)
                && tile.all(i < 32) == (N > 32 ? 0 : i < 32);
    out[i] = good ? sum : -1;
}

template <unsigned N> static void check(int *out)
{
    tiles<N><<<1, 64>>>(out);
    RUN();
    for (unsigned i = 0; i < 64; i++)
        EXPECT(out[i] == int(N * (i / N * N) + N * (N - 1) / 2));
    printf("%u: %d\n", N, out[63]);
}

int main()
{
    int *out = managed<int>(64);
    check<2>(out);
    check<4>(out);
    check<8>(out);
    check<16>(out);
    check<32>(out);
    return 0;
}
