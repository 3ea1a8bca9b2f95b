/* SPDX-License-Identifier: MIT */
/* From measurements to points. */
#include "score.h"

#include <math.h>
#include <stdlib.h>

double score_share(double ratio, double target)
{
    double share;

    if (!(ratio > 0) || !(target > 1))
        return 0;
    share = log(ratio) / log(target);
    return share < 0 ? 0 : share > 1 ? 1 : share;
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

double score_points(double points)
{
    return round(points * 100) / 100;
}
