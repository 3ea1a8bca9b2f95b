/* SPDX-License-Identifier: MIT */
/* atomicInc and atomicDec wrap around at their bound. */
#include "check.h"

/* Increments and decrements that wrap; counts one cycle's old values. */
__global__ void wrap(unsigned *a)
{
    atomicInc(&a[0], 6);
    atomicDec(&a[1], 9);
    atomicInc(&a[2], 1000);
    atomicAdd(&a[3 + atomicInc(&a[10], 4)], 1);
}

int main()
{
    unsigned *a = managed<unsigned>(11);
    a[1] = 3;
    wrap<<<5, 20>>>(a);
    RUN();
    printf("%u %u %u:", a[0], a[1], a[2]);
    for (int i = 3; i < 8; i++)
        printf(" %u", a[i]);
    printf(" then %u\n", a[8]);
    return 0;
}
