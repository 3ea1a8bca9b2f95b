/* SPDX-License-Identifier: MIT */
/* Nearly 4 KB of parameters; the kernel gets a copy made at the launch. */
#include "check.h"

struct table {
    int at[1000];
};

/* Reads and changes its own copy of the table. */
__global__ void look_up(table t, int *out)
{
    int i = threadIdx.x;
    out[i] = t.at[999 - i];
    t.at[999 - i] = 0;
    __syncthreads();
    out[i] += t.at[i];
}

int main()
{
    table t;
    for (int i = 0; i < 1000; i++)
        t.at[i] = i * 3;
    int *out = managed<int>(400);
    look_up<<<1, 400>>>(t, out);
    for (int i = 0; i < 1000; i++)
        t.at[i] = -1;
    RUN();
    for (int i = 0; i < 400; i++)
        EXPECT(out[i] == 3 * 999);
    printf("%d\n", out[7]);
    return 0;
}
