/* SPDX-License-Identifier: MIT */
/* The same template is instantiated in two files, and linked once. */
#include "check.h"
#include "kernels.cuh"

int main()
{
    int *a = managed<int>(2), *b = managed<int>(1);
    double *c = managed<double>(1);
    sums<int, 64><<<2, 64>>>(a, 1);
    launch_from_other(b);
    sums<double, 32><<<1, 32>>>(c, 0.5);
    RUN();
    printf("%d %d %d %g\n", a[0], a[1], *b, *c);
    return 0;
}
