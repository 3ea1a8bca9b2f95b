/* SPDX-License-Identifier: MIT */
/* One warp produces, one consumes, through cuda::barrier pairs. */
#include "check.h"
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

/* Warp 0 fills two buffers in turn, warp 1 empties them. */
__global__ void relay(const int *in, int *out, int batches)
{
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ block_barrier filled[2], emptied[2];
    __shared__ int s_a[2][32];
    int i = threadIdx.x % 32;
    if (threadIdx.x < 2) {
        init(&filled[threadIdx.x], 64);
        init(&emptied[threadIdx.x], 64);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        for (int b = 0; b < batches; b++) {
            emptied[b % 2].arrive_and_wait();
            s_a[b % 2][i] = in[b * 32 + i];
            (void)filled[b % 2].arrive();
        }
    } else {
        (void)emptied[0].arrive();
        (void)emptied[1].arrive();
        for (int b = 0; b < batches; b++) {
            filled[b % 2].arrive_and_wait();
            out[b * 32 + i] = 2 * s_a[b % 2][31 - i];
            (void)emptied[b % 2].arrive();
        }
    }
}

int main()
{
    int batches = 7, n = 32 * batches, *in = managed<int>(n);
    int *out = managed<int>(n);
    for (int i = 0; i < n; i++)
        in[i] = i + 5;
    relay<<<1, 64>>>(in, out, batches);
    RUN();
    for (int i = 0; i < n; i++)
        EXPECT(out[i] == 2 * (i / 32 * 32 + 31 - i % 32 + 5));
    printf("%d %d\n", out[0], out[n - 1]);
    return 0;
}
