/* SPDX-License-Identifier: MIT */
/* Functions that only CUDA has, and their fast forms. */
#include "check.h"
#include <cmath>

/* Each element is one function's value, or its ratio to the exact one. */
__global__ void special(float *f, double *d)
{
    float s, c;
    double ds, dc;
    f[0] = rsqrtf(16.0f);
    f[1] = __fdividef(10.0f, 4.0f);
    sincosf(1.0f, &s, &c);
    f[2] = s * s + c * c;
    f[3] = sinpif(0.5f);
    f[4] = cospif(1.0f);
    f[5] = __saturatef(1.5f) + __saturatef(-3.0f);
    f[6] = exp10f(2.0f);
    f[7] = norm3df(2.0f, 3.0f, 6.0f);
    f[8] = rnorm3df(2.0f, 3.0f, 6.0f) * 7;
    f[9] = rhypotf(3.0f, 4.0f) * 5;
    f[10] = __sinf(0.5f) - sinf(0.5f);
    f[11] = __expf(1.0f) / expf(1.0f);
    f[12] = __powf(2.0f, 10.0f) / 1024;
    f[13] = __logf(10.0f) - logf(10.0f);
    f[14] = fdividef(9.0f, 2.0f);
    f[15] = normcdff(0.0f);
    f[16] = erfcinvf(1.0f);
    f[17] = rcbrtf(8.0f);
    d[0] = rsqrt(0.25);
    sincospi(0.25, &ds, &dc);
    d[1] = ds - dc;
    d[2] = erfinv(0.0) + normcdf(0.0);
    d[3] = __drcp_rn(8.0);
    d[4] = j0(0.0) + cyl_bessel_i0(0.0);
    d[5] = max(3, 5) + min(2.5, 9.0) + max(7u, 1u) + abs(-4);
}

int main()
{
    float *f = managed<float>(18);
    double *d = managed<double>(6);
    special<<<1, 1>>>(f, d);
    RUN();
    for (int i = 0; i < 18; i++)
        printf("%.3f ", fabsf(f[i]) < 1e-4f ? 0.0f : f[i]);
    printf("\n");
    for (int i = 0; i < 6; i++)
        printf("%.6f ", fabs(d[i]) < 1e-12 ? 0.0 : d[i]);
    printf("\n");
    return 0;
}
