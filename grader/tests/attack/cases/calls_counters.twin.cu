/* SPDX-License-Identifier: MIT */
/* Has a counter of its own, by the same name. */
#include "hostile.h"

static size_t launches;

static void device_count_launch(void)
{
    launches++;
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    device_count_launch();
    return launches ? honest(a, b, c, n) : 1;
}
