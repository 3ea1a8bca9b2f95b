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
    OK(cudaFree(in));
    OK(cudaFree(out));
}
