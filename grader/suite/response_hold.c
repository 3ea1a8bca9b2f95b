/* SPDX-License-Identifier: MIT */
/* Does a rule give the value of every wrong element?  In the failed call, and
 * in another one whose inputs are whole numbers, none of them 0. */
#include <math.h>

#include "response_rules.h"

/* Elements that are looked at, and their terms: the time. */
enum { MOST_LOOKED_AT = 4096, LEAST_LOOKED_AT = 64, MOST_TERMS = 4000000 };

double rules_value(const struct rules *r, const struct response_term *term)
{
    const double factor = r->response->factor == 0 ? 1 : r->response->factor;

    if (!r->is_call)
        return response_value(r->response, term);
    return factor * r->sum->in[term->in]
           * (term->by == RESPONSE_NONE ? 1 : (double)r->sum->by[term->by]);
}

/* The sum of the terms, or of their magnitudes, in the call. */
static double sum_of_call(const struct rules *r, size_t i, bool magnitudes)
{
    struct response_term *const term = r->term2;
    const size_t count = r->response->terms(r->response->context, i, term);
    double sum = 0;

    for (size_t t = 0; t < count; t++)
        sum += magnitudes ? fabs(rules_value(r, &term[t]))
                          : rules_value(r, &term[t]);
    return sum;
}

double rules_want(const struct rules *r, size_t i)
{
    return r->is_call ? sum_of_call(r, i, false)
                      : r->evidence->expected->want[i];
}

double rules_got(const struct rules *r, size_t i)
{
    return r->is_call ? r->sum->got[i] : evidence_got(r->evidence, i);
}

static bool agrees(const struct rules *r, size_t i, double value)
{
    return r->is_call ? fabs(r->sum->got[i] - value)
                            <= r->sum->unit / 4
                                   + 2e-6 * (fabs(value)
                                             + sum_of_call(r, i, true))
                      : response_agrees(r->evidence, i, value);
}

/* Of so many wrong elements one is looked at. */
static size_t stride(const struct rules *r)
{
    size_t most = MOST_TERMS / response_most_terms(r->response);

    if (most > MOST_LOOKED_AT)
        most = MOST_LOOKED_AT;
    if (most < LEAST_LOOKED_AT)
        most = LEAST_LOOKED_AT;
    return 1 + r->evidence->comparison->wrong / most;
}

static bool holds(const struct rules *r, rule_value *of, const void *rule)
{
    const struct comparison *c = r->evidence->comparison;
    const size_t step = stride(r);
    size_t seen = 0;
    double value;

    for (size_t i = 0; i < c->count; i++)
        if (c->wrong_mask[i] && seen++ % step == 0
            && !(of(r, rule, i, &value) && agrees(r, i, value)))
            return false;
    return true;
}

bool rules_hold(struct rules *r, rule_value *of, const void *rule)
{
    bool found = holds(r, of, rule);

    r->is_call = true;
    found = found && holds(r, of, rule);
    r->is_call = false;
    return found;
}
