/* SPDX-License-Identifier: MIT */
/* double functions of one and two arguments against the host's. */
#include "check.h"
#include <cmath>

/* Twelve values of one x per thread, of some 25 functions. */
__global__ void device(const double *x, double *y)
{
    int i = threadIdx.x;
    double a = x[i], b = a / 2 + 0.25, *out = y + 12 * i;
    int exponent;
    out[0] = sin(a) * cos(b);
    out[1] = pow(a, b);
    out[2] = atan2(a, b);
    out[3] = fmod(a, b);
    out[4] = hypot(a, b);
    out[5] = fma(a, b, -a);
    out[6] = exp(-a) + log(a);
    out[7] = frexp(a, &exponent);
    out[7] += exponent;
    out[8] = floor(a) + ceil(b) + rint(a) + trunc(-b);
    out[9] = tgamma(b) + erfc(a);
    out[10] = fmax(a, b) - fmin(a, b) + fabs(-a) + copysign(1.0, -b);
    out[11] = remainder(a, b) + ldexp(b, 3) + cbrt(a);
}

static double host(double a, int k)
{
    double b = a / 2 + 0.25;
    int exponent = ilogb(a) + 1;
    switch (k) {
    case 0: return sin(a) * cos(b);
    case 1: return pow(a, b);
    case 2: return atan2(a, b);
    case 3: return fmod(a, b);
    case 4: return hypot(a, b);
    case 5: return fma(a, b, -a);
    case 6: return exp(-a) + log(a);
    case 7: return a / pow(2, exponent) + exponent;
    case 8: return floor(a) + ceil(b) + nearbyint(a) - floor(b);
    case 9: return tgamma(b) + erfc(a);
    case 10: return (a > b ? a - b : b - a) + a - 1;
    default: return remainder(a, b) + b * 8 + cbrt(a);
    }
}

int main()
{
    double *x = managed<double>(64), *y = managed<double>(64 * 12);
    for (int i = 0; i < 64; i++)
        x[i] = 0.11 + 0.173 * i;
    device<<<1, 64>>>(x, y);
    RUN();
    for (int i = 0; i < 64; i++)
        for (int k = 0; k < 12; k++) {
            double exact = host(x[i], k);
            EXPECT(fabs(y[12 * i + k] - exact) <= 1e-13 * (1 + fabs(exact)));
        }
    printf("%.3f %.3f\n", y[12 * 5 + 4], y[12 * 5 + 8]);
    return 0;
}
