/* SPDX-License-Identifier: MIT */
/* __half2: two at a time. */
#include "check.h"
#include <cuda_fp16.h>

/* A fused multiply-add, a swap, a sum and a product of both halves. */
__global__ void pairs(const __half2 *a, float2 *out)
{
    int i = threadIdx.x;
    __half2 two = __float2half2_rn(2.0f);
    __half2 r = __hfma2(a[i], two, __floats2half2_rn(1.0f, -1.0f));
    r = __hadd2(r, __lowhigh2highlow(a[i]));
    out[i] = __half22float2(__hmul2(r, __halves2half2(__low2half(two),
                                                      __float2half(0.5f))));
}

int main()
{
    __half2 *a = managed<__half2>(4);
    float2 *out = managed<float2>(4);
    for (int i = 0; i < 4; i++)
        a[i] = __floats2half2_rn(i, 10 * i);
    pairs<<<1, 4>>>(a, out);
    RUN();
    for (int i = 0; i < 4; i++)
        printf("%g %g\n", out[i].x, out[i].y);
    return 0;
}
