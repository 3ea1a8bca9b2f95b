/* SPDX-License-Identifier: MIT */
/* __nv_bfloat16: 8 bits of fraction, the range of float. */
#include "check.h"
#include <cuda_bf16.h>

/* Each out[] is one operation's result. */
__global__ void arithmetic(float *out)
{
    __nv_bfloat16 a = __float2bfloat16(3.0f), b = __float2bfloat16(0.5f);
    out[0] = __bfloat162float(a * b + a);
    out[1] = __bfloat162float(__float2bfloat16(257.0f));
    out[2] = __bfloat162float(__float2bfloat16(259.0f));
    out[3] = __bfloat162float(__float2bfloat16(70000.0f));
    out[4] = __bfloat162float(__hfma(a, a, b));
    __nv_bfloat162 two = __floats2bfloat162_rn(1.0f, 2.0f);
    two = __hadd2(two, two);
    out[5] = __low2float(two);
    out[6] = __high2float(two);
    out[7] = __hge(a, b) ? 1 : 0;
}

int main()
{
    float *out = managed<float>(8);
    arithmetic<<<1, 1>>>(out);
    RUN();
    for (int i = 0; i < 8; i++)
        printf("%g ", out[i]);
    printf("\n");
    return 0;
}
