/* SPDX-License-Identifier: MIT */
/* Arrays on a thread's stack, indexed at run time, survive a barrier. */
#include "check.h"

/* Prefix sums in a local array, across two barriers. */
__global__ void local(int *out)
{
    int a[200], i = threadIdx.x;
    for (int k = 0; k < 200; k++)
        a[k] = k * (i + 1);
    __syncthreads();
    for (int k = 1; k < 200; k++)
        a[k] += a[k - 1];
    __syncthreads();
    out[i] = a[(i * 13) % 200];
}

int main()
{
    int *out = managed<int>(256);
    local<<<1, 256>>>(out);
    RUN();
    for (int i = 0; i < 256; i++) {
        int k = i * 13 % 200;
        EXPECT(out[i] == (i + 1) * (k * (k + 1) / 2));
    }
    printf("%d %d\n", out[3], out[255]);
    return 0;
}
