/* SPDX-License-Identifier: MIT */
/* binary_partition, labeled_partition and tiles of tiles at run time. */
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

/* Stores size, and a value or a rank, of three kinds of groups. */
__global__ void parts(int *binary, int *labeled, int *dynamic)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    int i = threadIdx.x;
    auto half = cg::binary_partition(tile, i % 4 == 1);
    binary[i] = half.size() * 100 + half.shfl(i, half.size() - 1);
    auto same = cg::labeled_partition(tile, i % 5);
    labeled[i] = same.size() * 100 + same.thread_rank();
    cg::thread_group small = cg::tiled_partition(tile, 4);
    small.sync();
    dynamic[i] = small.size() * 100 + small.thread_rank();
}

int main()
{
    int *binary = managed<int>(32), *labeled = managed<int>(32);
    int *dynamic = managed<int>(32);
    parts<<<1, 32>>>(binary, labeled, dynamic);
    RUN();
    for (int i = 0; i < 32; i++) {
        EXPECT(binary[i] == (i % 4 == 1 ? 829 : 2431));
        EXPECT(labeled[i] == (i % 5 < 2 ? 700 : 600) + i / 5);
        EXPECT(dynamic[i] == 400 + i % 4);
    }
    printf("%d %d %d\n", binary[0], labeled[31], dynamic[31]);
    return 0;
}
