/* SPDX-License-Identifier: MIT */
/* C++17's special functions: CUDA's headers, which include <cmath> first, leave
 * them out, and the program's own #include declares them. */
#include "check.h"
#include <math.h>
#include <cmath>

/* The device has them without the header. */
__global__ void on_the_device(double *out)
{
    out[0] = cyl_bessel_i1(-1.0);
}

int main(void)
{
    double *out;
    OK(cudaMallocManaged(&out, sizeof *out));
    on_the_device<<<1, 1>>>(out);
    OK(cudaDeviceSynchronize());
    printf("%.12f %.3f\n", out[0], std::legendre(2, 0.5));
    printf("%.12f %.12f\n", std::riemann_zeta(2.0), std::cyl_bessel_i(1, 1.0));
    return 0;
}
