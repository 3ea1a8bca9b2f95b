/* SPDX-License-Identifier: MIT */
/* memcpy_async by a group into shared memory, in two stages. */
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

/* Copies the next batch while it stores this one in reverse. */
__global__ void copy(const int *in, int *out, int batches)
{
    __shared__ int s_data[2][64];
    auto block = cg::this_thread_block();
    int i = block.thread_rank();
    cg::memcpy_async(block, s_data[0], in, sizeof s_data[0]);
    for (int b = 0; b < batches; b++) {
        if (b + 1 < batches) {
            cg::memcpy_async(block, s_data[(b + 1) % 2], in + 64 * (b + 1),
                             sizeof s_data[0]);
            cg::wait_prior<1>(block);
        } else {
            cg::wait(block);
        }
        out[b * 64 + i] = s_data[b % 2][63 - i];
        block.sync();
    }
}

int main()
{
    int batches = 5, n = 64 * batches, *in = managed<int>(n);
    int *out = managed<int>(n);
    for (int i = 0; i < n; i++)
        in[i] = i * i;
    copy<<<1, 64>>>(in, out, batches);
    RUN();
    for (int i = 0; i < n; i++) {
        int j = i / 64 * 64 + 63 - i % 64;
        EXPECT(out[i] == j * j);
    }
    printf("%d %d\n", out[0], out[n - 1]);
    return 0;
}
