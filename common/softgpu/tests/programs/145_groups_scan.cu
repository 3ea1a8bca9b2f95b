/* SPDX-License-Identifier: MIT */
/* inclusive_scan and exclusive_scan over tiles and coalesced groups. */
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

/* Three scans over a tile of 32, one over its odd lanes. */
__global__ void scan(int *in, int *ex, int *top, int *odd)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int i = threadIdx.x;
    in[i] = cg::inclusive_scan(tile, i % 4);
    ex[i] = cg::exclusive_scan(tile, i % 4, cg::plus<int>());
    top[i] = cg::inclusive_scan(tile, i * 7 % 32, cg::greater<int>());
    if (i % 2)
        odd[i] = cg::inclusive_scan(cg::coalesced_threads(), 1);
}

int main()
{
    int *in = managed<int>(32), *ex = managed<int>(32);
    int *top = managed<int>(32), *odd = managed<int>(32);
    scan<<<1, 32>>>(in, ex, top, odd);
    RUN();
    int sum = 0, most = 0;
    for (int i = 0; i < 32; i++) {
        EXPECT(ex[i] == sum);
        sum += i % 4;
        most = i * 7 % 32 > most ? i * 7 % 32 : most;
        EXPECT(in[i] == sum && top[i] == most);
        EXPECT(odd[i] == (i % 2 ? (i + 1) / 2 : 0));
    }
    printf("%d %d %d %d\n", in[31], ex[31], top[6], odd[31]);
    return 0;
}
