/* SPDX-License-Identifier: MIT */
/* cuda::barrier: separate arrive and wait, several phases, and a copy. */
#include "check.h"
#include <cuda/barrier>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

/* Four rounds of arrive and wait; then a copy that the barrier waits for. */
__global__ void phases(const int *in, int *out)
{
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ block_barrier bar;
    __shared__ int s_a[64], s_in[64];
    int i = threadIdx.x;
    if (i == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    int sum = 0;
    for (int round = 0; round < 4; round++) {
        s_a[i] = i * (round + 1);
        block_barrier::arrival_token token = bar.arrive();
        int apart = round;
#ifdef __SOFTCC__ /* a call that not every toolkit's barrier has */
        while (round % 2 && !bar.try_wait_parity(0))
            ;
#endif
        bar.wait(std::move(token));
        sum += s_a[(i + 1) % 64] + apart;
        bar.arrive_and_wait();
    }
    cuda::memcpy_async(&s_in[i], &in[i], sizeof(int), bar);
    bar.arrive_and_wait();
    out[i] = sum * 1000 + s_in[63 - i];
}

int main()
{
    int *in = managed<int>(64), *out = managed<int>(64);
    for (int i = 0; i < 64; i++)
        in[i] = 10 * i;
    phases<<<1, 64>>>(in, out);
    RUN();
    for (int i = 0; i < 64; i++)
        EXPECT(out[i] == (10 * ((i + 1) % 64) + 6) * 1000 + 10 * (63 - i));
    printf("%d %d\n", out[0], out[63]);
    return 0;
}
