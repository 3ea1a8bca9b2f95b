/* SPDX-License-Identifier: MIT */
/* What a reduction gives. */
#include "reference.h"

#include <math.h>

double sum_reference(const float *in, size_t n, double *scale)
{
    double sum = 0;

    *scale = 0;
    for (size_t i = 0; i < n; i++) {
        sum += in[i];
        *scale += fabs(in[i]);
    }
    return sum;
}

double max_reference(const float *in, size_t n)
{
    float maximum = -INFINITY;

    for (size_t i = 0; i < n; i++)
        maximum = fmaxf(maximum, in[i]);
    return maximum;
}

double rounding_steps(size_t n)
{
    return 128 + log2((double)n + 1);
}

bool has_special(const float *in, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(in[i]))
            return true;
    return false;
}
