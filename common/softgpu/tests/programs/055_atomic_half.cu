/* SPDX-License-Identifier: MIT */
/* atomicAdd on __half, __half2 and __nv_bfloat16. */
#include "check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

/* Each thread adds to one number of each type. */
__global__ void sum(__half *h, __half2 *h2, __nv_bfloat16 *b)
{
    atomicAdd(h, __float2half(0.5f));
    atomicAdd(h2, __floats2half2_rn(1.0f, -2.0f));
    atomicAdd(b, __float2bfloat16(1.0f));
}

int main()
{
    __half *h = managed<__half>(1);
    __half2 *h2 = managed<__half2>(1);
    __nv_bfloat16 *b = managed<__nv_bfloat16>(1);
    sum<<<2, 64>>>(h, h2, b);
    RUN();
    printf("%g %g %g %g\n", __half2float(*h), __low2float(*h2),
           __high2float(*h2), __bfloat162float(*b));
    return 0;
}
