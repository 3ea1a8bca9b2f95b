/* SPDX-License-Identifier: MIT */
/* cg::reduce with every operator, a functor, doubles and coalesced groups. */
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

struct longer {
    __device__ float2 operator()(const float2 &a, const float2 &b) const
    {
        return b.x > a.x ? b : a;
    }
};

/* Each operator over tiles of 16; a count over coalesced threads. */
__global__ void reduce(int *out, double *d, float2 *f)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int i = threadIdx.x, r[6];
    r[0] = cg::reduce(tile, i, cg::plus<int>());
    r[1] = cg::reduce(tile, 7 * i % 16, cg::less<int>());
    r[2] = cg::reduce(tile, i * i % 23, cg::greater<int>());
    r[3] = cg::reduce(tile, i | 0x100, cg::bit_and<int>());
    r[4] = cg::reduce(tile, 1 << i % 16, cg::bit_or<int>());
    r[5] = cg::reduce(tile, i * 3, cg::bit_xor<int>());
    double sum = cg::reduce(tile, i * 0.5, cg::plus<double>());
    float2 best = cg::reduce(tile, make_float2(i * 5 % 16, i), longer());
    if (tile.thread_rank() == 11) {
        for (int k = 0; k < 6; k++)
            out[i / 16 * 6 + k] = r[k];
        d[i / 16] = sum;
        f[i / 16] = best;
    }
    if (i % 3 == 2) {
        int count = cg::reduce(cg::coalesced_threads(), 1, cg::plus<int>());
        atomicAdd(&out[12], count > 0);
    }
}

int main()
{
    int *out = managed<int>(13);
    double *d = managed<double>(2);
    float2 *f = managed<float2>(2);
    reduce<<<1, 32>>>(out, d, f);
    RUN();
    for (int i = 0; i < 12; i++)
        printf("%d ", out[i]);
    printf("\n%g %g %g %g %d\n", d[0], d[1], f[0].y, f[1].x, out[12]);
    return 0;
}
