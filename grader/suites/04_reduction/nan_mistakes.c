/* SPDX-License-Identifier: MIT */
/* Maxima of elements among which there are NaNs. */
#include <math.h>

#include "labs/04_reduction/reduction.h"
#include "mistakes.h"

static bool has_nan(const struct reduction_input *input)
{
    for (size_t i = 0; i < input->n; i++)
        if (isnan(input->in[i]))
            return true;
    return false;
}

bool try_maximum_of_nans(struct hypotheses *h,
                         const struct reduction_input *input)
{
    const double got = evidence_got(h->evidence, 0);
    const double needed = h->needed;

    if (input->op != REDUCTION_MAX || !has_nan(input)
        || got > h->evidence->expected->want[0])
        return false;
    h->needed = -1; /* maxima without a NaN have been compared before */
    h->is_vague = true;
    hypothesis_values(h)[0] = got;
    hypothesis_try(h, "fmaxf(a, b) ignores a NaN, a > b ? a : b does not: the "
                   "result depends on their order.", isnan(got)
                   ? "a NaN, which is not the maximum of any numbers"
                   : "smaller than the maximum: beside a NaN, a > b is false");
    h->is_vague = false;
    h->needed = needed;
    return true;
}
