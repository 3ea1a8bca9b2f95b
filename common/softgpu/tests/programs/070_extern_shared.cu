/* SPDX-License-Identifier: MIT */
/* Dynamic shared memory has the size that the launch gives. */
#include "check.h"

extern __shared__ float s_all[];

/* The mean of a thread's element and its two neighbors in a ring. */
__global__ void average(const float *a, float *out)
{
    int i = threadIdx.x, n = blockDim.x;
    s_all[i] = a[i];
    __syncthreads();
    out[i] = (s_all[(i + n - 1) % n] + s_all[i] + s_all[(i + 1) % n]) / 3;
}

int main()
{
    float *a = managed<float>(300), *out = managed<float>(300);
    for (int i = 0; i < 300; i++)
        a[i] = 3 * i;
    average<<<1, 300, 300 * sizeof(float)>>>(a, out);
    RUN();
    for (int i = 1; i < 299; i++)
        EXPECT(out[i] == a[i]);
    printf("%g %g\n", out[0], out[299]);
    return 0;
}
