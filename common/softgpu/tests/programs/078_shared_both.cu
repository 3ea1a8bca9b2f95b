/* SPDX-License-Identifier: MIT */
/* Static and dynamic shared memory together, and a static array per branch. */
#include "check.h"

/* Reverses values in two arrays, in three if big. */
__global__ void both(int *out, bool big)
{
    extern __shared__ int s_dynamic[];
    __shared__ int s_static[32];
    int i = threadIdx.x;
    s_dynamic[i] = i;
    s_static[i] = 100 * i;
    if (big) {
        __shared__ int s_branch[32];
        s_branch[i] = 7;
        __syncthreads();
        out[i] = s_branch[31 - i] + s_dynamic[31 - i] + s_static[31 - i];
    } else {
        __syncthreads();
        out[i] = s_dynamic[31 - i] + s_static[31 - i];
    }
}

int main()
{
    int *out = managed<int>(32);
    both<<<1, 32, 32 * sizeof(int)>>>(out, false);
    RUN();
    printf("%d %d\n", out[0], out[31]);
    both<<<1, 32, 32 * sizeof(int)>>>(out, true);
    RUN();
    printf("%d %d\n", out[0], out[31]);
    return 0;
}
