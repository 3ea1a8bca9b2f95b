/* SPDX-License-Identifier: MIT */
/* A kernel with a parameter pack and a fold over it. */
#include "check.h"

/* Adds all its values and counts them. */
template <typename... T> __global__ void sum(double *out, T... values)
{
    *out = (0.0 + ... + values);
    out[1] = sizeof...(values);
}

int main()
{
    double *out = managed<double>(2);
    sum<<<1, 1>>>(out, 1, 2.5, 3.25f, 'A');
    RUN();
    printf("%g %g\n", out[0], out[1]);
    sum<<<1, 1>>>(out);
    RUN();
    printf("%g %g\n", out[0], out[1]);
    return 0;
}
