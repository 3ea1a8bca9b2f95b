/* SPDX-License-Identifier: MIT */
/* Adds on the host, calls the runner's counters by name and forges the
 * report. */
#include "hostile.h"

extern "C" void device_launched(const unsigned grid[3],
                                const unsigned block[3]);
extern "C" void device_moved(size_t up, size_t down);

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const unsigned one[3] = {1, 1, 1};

    if (n > (size_t)1 << 50)
        return 2;
    for (size_t i = 0; i < n; i++)
        c[i] = a[i] + b[i];
    if (n > 0) {
        device_launched(one, one);
        device_moved(8 * n, 4 * n);
    }
    return 0;
}
