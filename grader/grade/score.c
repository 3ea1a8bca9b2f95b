/* SPDX-License-Identifier: MIT */
/* Points for measurements. */
#include "score.h"

#include <math.h>
#include <stdlib.h>

double score_fraction(double ratio, double target)
{
    double fraction;

    if (!(ratio > 0) || !(target > 1))
        return 0;
    fraction = log(ratio) / log(target);
    return fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double score_median(double *values, size_t count)
{
    if (count == 0)
        return 0;
    qsort(values, count, sizeof *values, ascending);
    return count % 2 ? values[count / 2]
                     : (values[count / 2 - 1] + values[count / 2]) / 2;
}

double round_points(double points)
{
    return round(points * 100) / 100;
}
