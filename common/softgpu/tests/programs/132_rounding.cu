/* SPDX-License-Identifier: MIT */
/* Conversions and operations with a rounding direction in their names. */
#include "check.h"

/* Each element is one conversion, or a comparison of two roundings. */
__global__ void round_all(int *out, float *f, double *d)
{
    float x = 2.5f, y = -2.5f;
    out[0] = __float2int_rn(x);
    out[1] = __float2int_rz(y);
    out[2] = __float2int_ru(x);
    out[3] = __float2int_rd(y);
    out[4] = __double2int_rn(3.5);
    out[5] = __float2uint_rd(7.9f);
    out[6] = lrintf(x) + 10 * lroundf(x);
    out[7] = __float2int_rn(3e9f) == 2147483647;
    float third_up = __fdiv_ru(1.0f, 3.0f), third_down = __fdiv_rd(1.0f, 3.0f);
    f[0] = third_up > third_down;
    f[1] = __fadd_rn(1.0f, 0x1p-25f) == 1.0f;
    f[2] = __fadd_ru(1.0f, 0x1p-25f) == 1.0f + 0x1p-23f;
    f[3] = __fmaf_rn(0x1.000002p0f, 0x1.fffffcp-1f, -1.0f) == -0x1p-46f;
    f[4] = __fsqrt_rn(2.25f);
    f[5] = __int2float_rz(16777219);
    d[0] = __dadd_rn(0.1, 0.2) == 0.30000000000000004;
    d[1] = __dmul_rd(0.1, 3.0) < __dmul_ru(0.1, 3.0);
    d[2] = __double2float_rz(0.1) < 0.1;
}

int main()
{
    int *out = managed<int>(8);
    float *f = managed<float>(6);
    double *d = managed<double>(3);
    round_all<<<1, 1>>>(out, f, d);
    RUN();
    for (int i = 0; i < 8; i++)
        printf("%d ", out[i]);
    printf("\n%g %g %g %g %g %.0f\n", f[0], f[1], f[2], f[3], f[4], f[5]);
    printf("%g %g %g\n", d[0], d[1], d[2]);
    return 0;
}
