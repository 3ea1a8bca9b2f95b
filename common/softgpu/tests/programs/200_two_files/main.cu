/* SPDX-License-Identifier: MIT */
/* Two .cu files: the kernel of one is launched by the other. */
#include "check.h"

__global__ void scale(float *a, float by);
void launch_offset(float *a, int n, float by);

int main()
{
    float *a = managed<float>(8);
    for (int i = 0; i < 8; i++)
        a[i] = i;
    scale<<<1, 8>>>(a, 2.5f);
    launch_offset(a, 8, 100);
    RUN();
    printf("%g %g\n", a[1], a[7]);
    return 0;
}
