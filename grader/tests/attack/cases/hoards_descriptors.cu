/* SPDX-License-Identifier: MIT */
/* Leaves no descriptor, so that no report of its accesses can be written; its
 * kernel does nothing. */
#include "hostile.h"

/* Accesses nothing. */
__global__ void idle(void)
{
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    idle<<<1, 1>>>();
    cudaDeviceSynchronize();
    while (open("/dev/null", O_RDONLY) >= 0)
        ;
    for (size_t i = 0; i < n; i++)
        c[i] = a[i] + b[i];
    return 0;
}
