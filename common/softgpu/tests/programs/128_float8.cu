/* SPDX-License-Identifier: MIT */
/* 8-bit floats in a kernel, by type and by function. */
#include "check.h"
#include <cuda_fp8.h>

/* Rounds each input to both 8-bit formats and back, in four ways. */
__global__ void quantize(const float *in, float *out, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    __nv_fp8_e4m3 a = __nv_fp8_e4m3(in[i]);
    auto b = static_cast<__nv_fp8_e5m2>(in[i]);
    __nv_fp8_storage_t bits =
        __nv_cvt_float_to_fp8(in[i], __NV_SATFINITE, __NV_E4M3);
    __nv_fp8x2_e4m3 both(make_float2(in[i], 1));
    out[4 * i] = float(a);
    out[4 * i + 1] = float(b);
    out[4 * i + 2] = bits;
    out[4 * i + 3] = static_cast<float2>(both).x + static_cast<float2>(both).y;
}

/* Vectors from vectors of other types, and integers. */
__global__ void convert(float *out)
{
    const __half2 a = __floats2half2_rn(1.0625f, -500.0f);
    const __nv_bfloat162 b = __floats2bfloat162_rn(0.25f, 3.0f);
    const float4 x = float4(__nv_fp8x4_e4m3(a, a));
    const float4 y = float4(__nv_fp8x4_e5m2(b, b));
    const float2 z = float2(__nv_fp8x2_e5m2(a));
    const float4 w = float4(__nv_fp8x4_e4m3(double4{ 1, 2, 3, 1e9 }));
    const float values[] = { x.x, x.y, x.z, x.w, y.x, y.y, z.x, z.y, w.z, w.w };
    for (int i = 0; i < 10; i++)
        out[i] = values[i];
    const __nv_fp8_e4m3 big(-300.0f), wide(1000l);
    out[10] = int(big);
    out[11] = (signed char)big;
    out[12] = (unsigned char)big;
    out[13] = (long long)wide;
    out[14] = (unsigned)__nv_fp8_e5m2(2.5f);
    out[15] = bool(big) + 2 * bool(__nv_fp8_e5m2(-0.0f));
}

int main()
{
    const float values[] = { 0.3f, 1, 17, 1000, -0.001f };
    const int n = sizeof values / sizeof *values;
    float *in = managed<float>(n), *out = managed<float>(4 * n);
    for (int i = 0; i < n; i++)
        in[i] = values[i];
    quantize<<<1, 32>>>(in, out, n);
    RUN();
    for (int i = 0; i < 4 * n; i++)
        printf("%g%s", out[i], i % 4 == 3 ? "\n" : " ");
    convert<<<1, 1>>>(out);
    RUN();
    for (int i = 0; i < 16; i++)
        printf("%g%s", out[i], i == 15 ? "\n" : " ");
    OK(cudaFree(in));
    OK(cudaFree(out));
}
