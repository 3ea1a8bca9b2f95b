/* SPDX-License-Identifier: MIT */
/* __half: conversions, arithmetic, comparisons and rounding. */
#include "check.h"
#include <cuda_fp16.h>

/* Each out[] is one operation's result. */
__global__ void arithmetic(float *out)
{
    __half a = __float2half(1.5f), b = __float2half(-0.25f), h[3];
    h[0] = __hadd(a, b);
    h[1] = a * b + __half(2.0f);
    h[2] = __hfma(a, a, b);
    for (int i = 0; i < 3; i++)
        out[i] = __half2float(h[i]);
    out[3] = __half2float(__float2half(2049.0f));
    out[4] = __half2float(__float2half(70000.0f));
    out[5] = __half2float(__float2half_rz(2051.9f));
    out[6] = __hgt(a, b) + 10 * __hlt(a, b) + 100 * (a == a) + 1000 * (a != b);
    out[7] = __half2int_rn(__float2half(2.5f));
    out[8] = __half2float(hsqrt(__float2half(6.25f)));
    out[9] = __half2float(__habs(b)) + __half2float(__hneg(a));
    out[10] = sizeof(__half) + 10 * sizeof(__half2);
}

int main()
{
    float *out = managed<float>(11);
    arithmetic<<<1, 1>>>(out);
    RUN();
    for (int i = 0; i < 11; i++)
        printf("%g ", out[i]);
    printf("\n");
    return 0;
}
