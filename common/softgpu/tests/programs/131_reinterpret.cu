/* SPDX-License-Identifier: MIT */
/* Bit casts: floats as integers, doubles as two words. */
#include "check.h"

/* Each element is one cast, or a fact about it. */
__global__ void casts(unsigned *u, double *d)
{
    u[0] = __float_as_int(-1.0f);
    u[1] = __float_as_uint(0.15625f);
    u[2] = __double2hiint(2.0);
    u[3] = __double2loint(1.0 / 3);
    u[4] = __double_as_longlong(-0.0) >> 32;
    d[0] = __int_as_float(0x40490fdb) > 3.14159f;
    d[1] = __uint_as_float(0x7f800000u);
    d[2] = __longlong_as_double(0x3ff8000000000000ll);
    d[3] = __hiloint2double(0x40080000, 0);
}

int main()
{
    unsigned *u = managed<unsigned>(5);
    double *d = managed<double>(4);
    casts<<<1, 1>>>(u, d);
    RUN();
    printf("%x %x %x %x %x\n", u[0], u[1], u[2], u[3], u[4]);
    printf("%g %g %g %g\n", d[0], d[1], d[2], d[3]);
    return 0;
}
