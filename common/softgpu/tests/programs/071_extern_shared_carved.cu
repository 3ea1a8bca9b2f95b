/* SPDX-License-Identifier: MIT */
/* Several arrays of different types in one block of dynamic memory. */
#include "check.h"

/* Stores n values in each of three arrays and reads them in reverse. */
__global__ void carve(double *out, int n)
{
    extern __shared__ char s_raw[];
    double *d = (double *)s_raw;
    int *i = (int *)&d[n];
    short *s = (short *)&i[n];
    int t = threadIdx.x;
    d[t] = t * 0.5;
    i[t] = -t;
    s[t] = t * t;
    __syncthreads();
    int r = n - 1 - t;
    out[t] = d[r] + i[r] + s[r];
}

int main()
{
    int n = 50;
    double *out = managed<double>(n);
    carve<<<1, n, n * (8 + 4 + 2)>>>(out, n);
    RUN();
    printf("%g %g %g\n", out[0], out[48], out[49]);
    return 0;
}
