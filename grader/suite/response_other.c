/* SPDX-License-Identifier: MIT */
/* Does a wrong element contain the sum of another one? */
#include <stdio.h>
#include <stdlib.h>

#include "response_rules.h"

/** Terms that are compared, at most: the time of a search. */
static const double most_compared = 4e6;

/** Another element's sum. */
struct other {
    ptrdiff_t offset; /* from the wrong element to that one */
    bool is_result;   /* its result is added, not its expected value */
    bool replaces;    /* that is all there is */
};

static bool is_extra(const struct response_sum *s,
                     const struct response_term *term)
{
    for (size_t x = 0; x < s->extras; x++)
        if (s->extra[x].in == term->in && s->extra[x].by == term->by)
            return true;
    return false;
}

/* Are the terms of this element, all of them, among the further ones? */
static bool contains(const struct rules *r, size_t i)
{
    const size_t count =
        r->response->terms(r->response->context, i, r->term);

    for (size_t t = 0; t < count; t++)
        if (!is_extra(r->sum, &r->term[t]))
            return false;
    return count > 0 && i != r->sum->out && count <= r->sum->extras;
}

static bool other_value(const struct rules *r, const void *rule, size_t i,
                        double *value)
{
    const struct other *o = rule;
    const size_t at = i + (size_t)o->offset;

    if (at >= evidence_count(r->evidence))
        return false;
    *value = (o->replaces ? 0 : rules_want(r, i))
             + (o->is_result ? rules_got(r, at) : rules_want(r, at));
    return true;
}

/* "out[0][0] for out[1][0]" */
static void append_elements(char *text, const struct rules *r,
                            const struct other *o)
{
    const struct expected *e = r->evidence->expected;
    char own[64], other[64];

    element_name(e, r->sum->out, own, sizeof own);
    element_name(e, r->sum->out + (size_t)o->offset, other, sizeof other);
    rules_append(text, "%s in %s", other, own);
}

/* Does a wrong element add up the sums of more than one? */
static bool is_chain(const struct rules *r, const struct other *o)
{
    const struct comparison *c = r->evidence->comparison;

    for (size_t i = 0; i < c->count; i++)
        if (c->wrong_mask[i] && c->wrong_mask[i + (size_t)o->offset])
            return true;
    return false;
}

static void say_other(const struct rules *r, const struct other *o, char *text)
{
    if (o->replaces) {
        rules_begin(text, r, "holds");
        rules_append(text, "the sum that belongs to another: that of ");
        append_elements(text, r, o);
        return;
    }
    rules_begin(text, r, "contains");
    rules_append(text, "the sum of another element, too: that of ");
    append_elements(text, r, o);
    if (o->is_result && is_chain(r, o))
        rules_append(text, ": is a sum not set to 0 again for the next?");
}

/* Does that hold for all wrong elements? */
static bool holds_other(struct rules *r, struct other *o)
{
    for (int i = 0; i < 2 - o->replaces; i++) {
        o->is_result = !o->replaces && i == 0;
        if (rules_hold(r, other_value, o))
            return true;
    }
    return false;
}

/* Is the element its own sum and more, or only something else? */
static bool is_of_sums(const struct rules *r)
{
    const struct response_sum *s = r->sum;
    const double elements = (double)evidence_count(r->evidence);
    size_t lost = 0;

    for (size_t t = 0; t < s->count; t++)
        lost += s->times[t] == 0;
    return (!rules_changed(s) || lost == s->count) && s->constant == 0
           && s->extras > 0
           && elements * (double)s->extras <= most_compared
           && elements * (double)response_most_terms(r->response)
                  <= 10 * most_compared;
}

bool response_other_sum(struct rules *r, char *text)
{
    const struct response_sum *s = r->sum;
    const bool replaces = rules_changed(s) > 0;
    enum { FEW = 3 }; /* terms; fewer are shown themselves */

    if (!is_of_sums(r) || s->extras < FEW)
        return false;
    for (size_t i = 0; i < evidence_count(r->evidence); i++)
        if (contains(r, i)
            && s->extras == r->response->terms(r->response->context, i,
                                               r->term)) {
            char own[64], other[64];

            element_name(r->evidence->expected, s->out, own, sizeof own);
            element_name(r->evidence->expected, i, other, sizeof other);
            snprintf(text, DIAGNOSIS_SIZE,
                     replaces ? "%s is the sum that belongs to %s"
                              : "%s contains the sum of %s, too", own, other);
            return true;
        }
    return false;
}

bool rule_of_other(struct rules *r, char *text)
{
    const struct response_sum *s = r->sum;

    if (!is_of_sums(r))
        return false;
    for (size_t i = 0; i < evidence_count(r->evidence); i++) {
        struct other o = {.offset = (ptrdiff_t)i - (ptrdiff_t)s->out,
                          .replaces = rules_changed(s) > 0};

        if (contains(r, i) && holds_other(r, &o)) {
            say_other(r, &o, text);
            return true;
        }
    }
    return false;
}
