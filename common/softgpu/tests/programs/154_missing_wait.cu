/* SPDX-License-Identifier: MIT */
/* An asynchronous copy without a wait need not have completed; after
 * the wait it has. */
#include "check.h"
#include <cuda_pipeline.h>

/* Reads another element before and after the wait. */
__global__ void late(const int *in, int *before, int *after)
{
    __shared__ int s_a[32];
    int i = threadIdx.x;
    s_a[i] = -1;
    __syncthreads();
    __pipeline_memcpy_async(&s_a[i], &in[i], sizeof(int));
    __pipeline_commit();
    before[i] = *(volatile int *)&s_a[i];
    __pipeline_wait_prior(0);
    __syncthreads();
    after[i] = s_a[31 - i];
}

int main()
{
    int *in = managed<int>(32), *before = managed<int>(32);
    int *after = managed<int>(32);
    for (int i = 0; i < 32; i++)
        in[i] = 100 + i;
    late<<<1, 32>>>(in, before, after);
    RUN();
    for (int i = 0; i < 32; i++)
        EXPECT(before[i] == -1 || before[i] == 100 + i);
#ifdef __SOFTCC__
    EXPECT(before[0] == -1 && before[31] == -1);
#endif
    printf("%d %d\n", after[0], after[31]);
    return 0;
}
