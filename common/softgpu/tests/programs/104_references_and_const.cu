/* SPDX-License-Identifier: MIT */
/* const and __restrict__ pointers, references to shared arrays, aliases. */
#include "check.h"

using row = float[8];

__device__ float sum(const float (&a)[8])
{
    float s = 0;
    for (float v : a)
        s += v;
    return s;
}

/* Copies a row to shared memory by a reference and adds it up. */
__global__ void rows(const float *__restrict__ in, float *__restrict__ out,
                     const int n)
{
    __shared__ row s_rows[4];
    row &mine = s_rows[threadIdx.x];
    for (int k = 0; k < n; k++)
        mine[k] = __ldg(&in[threadIdx.x * n + k]);
    out[threadIdx.x] = sum(mine);
}

int main()
{
    float *in = managed<float>(32), *out = managed<float>(4);
    for (int i = 0; i < 32; i++)
        in[i] = i;
    rows<<<1, 4>>>(in, out, 8);
    RUN();
    printf("%g %g %g %g\n", out[0], out[1], out[2], out[3]);
    return 0;
}
