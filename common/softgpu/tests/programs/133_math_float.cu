/* SPDX-License-Identifier: MIT */
/* float functions against the host's double ones: within 4 ulp. */
#include "check.h"
#include <cmath>

#define FUNCTIONS(F) \
    F(sinf, sin) F(cosf, cos) F(tanf, tan) F(expf, exp) F(exp2f, exp2) \
    F(logf, log) F(log2f, log2) F(log10f, log10) F(sqrtf, sqrt) F(cbrtf, cbrt) \
    F(tanhf, tanh) F(sinhf, sinh) F(coshf, cosh) F(atanf, atan) F(erff, erf) \
    F(lgammaf, lgamma) F(expm1f, expm1) F(log1pf, log1p) F(asinhf, asinh)

/* Each function of the list at one x per thread. */
__global__ void device(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, f = 0;
    if (i >= n)
        return;
#define CALL(name, host) y[f++ * n + i] = name(x[i]);
    FUNCTIONS(CALL)
}

static void compare(const char *name, double (*host)(double), const float *x,
                    const float *y, int n)
{
    for (int i = 0; i < n; i++) {
        double exact = host(x[i]);
        double ulp = ldexp(1.0, ilogb(exact) - 23);
        if (!(fabs(y[i] - exact) <= 6 * ulp + 1e-7 * (fabs(exact) < 0.1)))
            printf("%s(%g) is %g, not %g\n", name, x[i], y[i], exact);
    }
}

int main()
{
    const int n = 300, functions = 19;
    float *x = managed<float>(n), *y = managed<float>(functions * n);
    for (int i = 0; i < n; i++)
        x[i] = 0.03f + i * 0.0317f;
    device<<<3, 128>>>(x, y, n);
    RUN();
    int f = 0;
#define COMPARE(name, host) compare(#name, host, x, y + f++ * n, n);
    FUNCTIONS(COMPARE)
    printf("%d functions, %.4f\n", f, y[0]);
    return 0;
}
