/* SPDX-License-Identifier: MIT */
/* Which terms does an element of the output contain?
 *
 * The inputs are small whole numbers, so that sums are exact: in float, and of
 * 16-bit floats.  The other factors are distinct, so that the coefficient of an
 * input tells which of them it was multiplied by. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "response.h"

enum { MOST_EXTRAS = 512, MOST_SUBSETS = 12, MOST_CALLS = 250 };

/** Terms that are looked at to interpret the changes: the time. */
static const double most_compared = 4e7;

/** The search for the terms of one element. */
struct decoder {
    const struct evidence *evidence;
    const struct response *response;
    response_call *call;
    void *context;
    struct response_sum *sum;
    size_t ins, bys;    /* elements of the inputs */
    float *x, *by;      /* values of the inputs in the calls */
    float *in;          /* input of one call */
    double *result;     /* its output */
    double *coefficient, *magnitude; /* what each input is multiplied by */
    double unit;        /* smallest difference of two coefficients */
    size_t *order;      /* of the inputs, in the search */
    size_t *changed;    /* inputs with another coefficient, */
    double *observed;   /* this one */
    size_t changes;
    unsigned calls;     /* in this search */
};

static double factor_of(const struct response *response)
{
    return response->factor == 0 ? 1 : response->factor;
}

double response_value(const struct response *response,
                      const struct response_term *term)
{
    const double by = term->by == RESPONSE_NONE
                          ? 1 : (double)response->by.values[term->by];

    return factor_of(response) * by * response->in.values[term->in];
}

bool response_agrees(const struct evidence *evidence, size_t i, double value)
{
    const struct expected *e = evidence->expected;
    const double got = evidence_got(evidence, i), want = e->want[i];
    const double rounding = e->steps > 0 ? 2 * element_tolerance(e, i)
                                         : 0x1p-23 * fabs(value);

    return fabs(got - value) <= fmin(rounding, fabs(got - want) / 4);
}

/* The weight of a term in the calls. */
static double weight(const struct decoder *d, size_t by)
{
    return factor_of(d->response) * (by == RESPONSE_NONE ? 1 : d->by[by]);
}

static bool is_near(const struct decoder *d, double a, double b)
{
    return fabs(a - b) <= d->unit / 4 + 1e-6 * fabs(b);
}

/* Values that look like random ones: 1 to `most`. */
static float whole_number(size_t i, unsigned seed, unsigned most)
{
    uint64_t mixed = (i + 1) * 0x9e3779b97f4a7c15u + seed;

    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return (float)(1 + (mixed >> 32) % most);
}

/* The largest prime that is at most this. */
static unsigned prime_below(unsigned most)
{
    for (; most > 3; most--) {
        unsigned divisor = 2;

        while (divisor * divisor <= most && most % divisor)
            divisor++;
        if (divisor * divisor > most)
            break;
    }
    return most;
}

static void choose_values(struct decoder *d, unsigned seed)
{
    enum { FEW = 13, MANY = 61, SMALL = 251, LARGE = 4093,
           SHORT = 50 /* the sums are exact in float */ };
    const struct response_array *by = &d->response->by;
    const unsigned most = by->most && by->most < LARGE ? by->most : LARGE;
    const bool is_short = !by->most && d->sum->count < SHORT;
    const unsigned prime =
        prime_below(d->bys < SMALL && !is_short ? SMALL : most);

    for (size_t j = 0; j < d->ins; j++)
        d->x[j] = whole_number(j, seed, d->bys < SMALL ? MANY : FEW);
    for (size_t b = 0; b < d->bys; b++)
        d->by[b] = by->argument ? (float)(1 + (b + 1) * (seed + 100) % prime)
                                : by->values[b];
    d->unit = fabs(factor_of(d->response))
              * (d->bys && !by->argument ? 1e-4 : 1);
    memset(d->coefficient, 0, d->ins * sizeof *d->coefficient);
    memset(d->magnitude, 0, d->ins * sizeof *d->magnitude);
    for (size_t t = 0; t < d->sum->count; t++) {
        const struct response_term *term = &d->sum->term[t];

        d->coefficient[term->in] += weight(d, term->by);
        d->magnitude[term->in] += fabs(weight(d, term->by));
    }
}

/* In one order neighbours are together, in the other one those that are a large
 * power of two apart. */
static void choose_order(struct decoder *d, bool is_reversed)
{
    size_t bits = 0, count = 0;

    while ((size_t)1 << bits < d->ins)
        bits++;
    for (size_t i = 0; i < (size_t)1 << bits; i++) {
        size_t at = is_reversed ? 0 : i;

        for (size_t b = 0; is_reversed && b < bits; b++)
            at |= (i >> b & 1) << (bits - 1 - b);
        if (at < d->ins)
            d->order[count++] = at;
    }
}

/* The element where all inputs but these are 0. */
static bool call_group(struct decoder *d, size_t from, size_t to, double *got)
{
    if (d->calls++ >= MOST_CALLS)
        return false;
    memset(d->in, 0, d->ins * sizeof *d->in);
    for (size_t k = from; k < to; k++)
        d->in[d->order[k]] = d->x[d->order[k]];
    if (!d->call(d->context, d->in, d->by, d->result))
        return false;
    *got = d->result[d->sum->out];
    return isfinite(*got);
}

/* By how much it differs from what it should be. */
static bool call_difference(struct decoder *d, size_t from, size_t to,
                            double *difference)
{
    double got;

    if (!call_group(d, from, to, &got))
        return false;
    *difference = got - d->sum->constant;
    for (size_t k = from; k < to; k++)
        *difference -= d->x[d->order[k]] * d->coefficient[d->order[k]];
    return true;
}

static void add_change(struct decoder *d, size_t in, double observed)
{
    d->changed[d->changes] = in;
    d->observed[d->changes++] = observed;
}

/* All terms of a group are missing, or all are there twice. */
static void change_group(struct decoder *d, size_t from, size_t to, int times)
{
    for (size_t k = from; k < to; k++)
        if (d->coefficient[d->order[k]] != 0)
            add_change(d, d->order[k], times * d->coefficient[d->order[k]]);
}

/* Find the inputs in a group whose coefficients are others. */
static bool search(struct decoder *d, size_t from, size_t to,
                   double difference)
{
    enum { LARGE = 4 }; /* so that no other changes have the same sum */
    const size_t middle = from + (to - from) / 2;
    const size_t first = d->order[from];
    double left, sum = 0, size = 0, tolerance;

    for (size_t k = from; k < to; k++) {
        sum += d->x[d->order[k]] * d->coefficient[d->order[k]];
        size += d->x[d->order[k]] * d->magnitude[d->order[k]];
    }
    tolerance = d->unit / 4 + 1e-6 * size;
    if (fabs(difference) <= tolerance)
        return true;
    if (to - from >= LARGE && fabs(fabs(difference) - fabs(sum)) <= tolerance)
        change_group(d, from, to, difference * sum > 0 ? 2 : 0);
    else if (to - from == 1)
        add_change(d, first, d->coefficient[first] + difference / d->x[first]);
    else
        return call_difference(d, from, middle, &left)
               && search(d, from, middle, left)
               && search(d, middle, to, difference - left);
    return true;
}

static bool add_extra(struct decoder *d, size_t in, size_t by)
{
    struct response_sum *sum = d->sum;

    if (sum->extras == MOST_EXTRAS)
        return false;
    sum->extra[sum->extras++] = (struct response_term){.in = in, .by = by};
    return true;
}

/* The factor of this weight, if there is one. */
static bool find_factor(const struct decoder *d, double value, size_t *by)
{
    for (*by = 0; *by < d->bys; ++*by)
        if (is_near(d, value, weight(d, *by)))
            return true;
    return false;
}

/* An input of which there should be one term, at most, or which is added
 * itself. */
static bool interpret_extra(struct decoder *d, size_t in, double extra)
{
    size_t by;

    if (d->bys)
        return find_factor(d, extra, &by) && add_extra(d, in, by);
    for (double left = extra / factor_of(d->response); left > 0.5; left--)
        if (!add_extra(d, in, RESPONSE_NONE))
            return false;
    return is_near(d, extra, rint(extra / factor_of(d->response))
                                 * factor_of(d->response));
}

/* Terms of this input: which of them are missing, or there several times? */
static bool interpret_subset(struct decoder *d, const size_t *own,
                             size_t owned, double observed)
{
    for (unsigned set = 0; set < 1u << owned; set++)
        for (int times = 0; times <= 3; times += times ? 1 : 2) {
            double value = 0;

            for (size_t k = 0; k < owned; k++)
                value += (set >> k & 1 ? times : 1)
                         * weight(d, d->sum->term[own[k]].by);
            if (!set || !is_near(d, observed, value))
                continue;
            for (size_t k = 0; k < owned; k++)
                d->sum->times[own[k]] = set >> k & 1 ? times : 1;
            return true;
        }
    return false;
}

/* What is this input multiplied by? */
static bool interpret(struct decoder *d, size_t in, double observed)
{
    struct response_sum *sum = d->sum;
    size_t own[MOST_SUBSETS], owned = 0, by;

    for (size_t t = 0; t < sum->count; t++)
        if (sum->term[t].in == in) {
            if (owned == MOST_SUBSETS)
                return false;
            own[owned++] = t;
        }
    if (owned && interpret_subset(d, own, owned, observed))
        return true;
    if (!owned || !d->bys)
        return observed > d->coefficient[in]
               && interpret_extra(d, in, observed - d->coefficient[in]);
    if (find_factor(d, observed - d->coefficient[in], &by))
        return add_extra(d, in, by);
    for (size_t k = 0; k < owned; k++) {
        const double own_weight = weight(d, sum->term[own[k]].by);

        if (find_factor(d, observed - d->coefficient[in] + own_weight, &by)) {
            sum->times[own[k]] = 0;
            return add_extra(d, in, by);
        }
    }
    return false;
}

/* What was found must explain the result of the failed call. */
static bool explains_result(const struct decoder *d)
{
    const struct response_sum *sum = d->sum;
    double value = sum->constant;

    for (size_t t = 0; t < sum->count; t++)
        value += sum->times[t] * response_value(d->response, &sum->term[t]);
    for (size_t t = 0; t < sum->extras; t++)
        value += response_value(d->response, &sum->extra[t]);
    return response_agrees(d->evidence, sum->out, value);
}

/* The rules look at the call with all inputs. */
static void keep_call(struct decoder *d)
{
    struct response_sum *sum = d->sum;

    sum->in = d->x;
    sum->by = d->by;
    sum->unit = d->unit;
    memcpy(sum->got, d->result,
           evidence_count(d->evidence) * sizeof *sum->got);
}

static bool decode(struct decoder *d, unsigned seed)
{
    struct response_sum *sum = d->sum;
    double difference;

    d->changes = sum->extras = d->calls = 0;
    for (size_t t = 0; t < sum->count; t++)
        sum->times[t] = 1;
    choose_values(d, seed);
    choose_order(d, seed == 2);
    if (!call_group(d, 0, 0, &sum->constant))
        return false;
    if (fabs(sum->constant) < 1e-4 * d->unit)
        sum->constant = 0; /* what memory had, as a number */
    if (!(fabs(sum->constant) * 0x1p-22 < d->unit))
        return false; /* beside it no term is seen */
    if (!call_difference(d, 0, d->ins, &difference))
        return false;
    keep_call(d);
    if (!search(d, 0, d->ins, difference)
        || (double)d->changes * (double)sum->count > most_compared)
        return false;
    for (size_t c = 0; c < d->changes; c++)
        if (!interpret(d, d->changed[c], d->observed[c]))
            return false;
    return explains_result(d);
}

bool response_decode(const struct evidence *evidence, size_t out,
                     response_call *call, void *context,
                     struct response_sum *sum)
{
    const struct response *response = evidence->expected->response;
    const size_t terms = response_most_terms(response);
    struct decoder d = {.evidence = evidence, .response = response,
                        .call = call, .context = context, .sum = sum,
                        .ins = response_count(&response->in),
                        .bys = response_count(&response->by)};
    bool found = false;

    *sum = (struct response_sum){
        .out = out, .term = malloc((terms + 1) * sizeof *sum->term),
        .times = malloc((terms + 1) * sizeof *sum->times),
        .extra = malloc(MOST_EXTRAS * sizeof *sum->extra),
        .got = malloc((evidence_count(evidence) + 1) * sizeof *sum->got)};
    sum->in = d.x = malloc((2 * d.ins + d.bys + 1) * sizeof *d.x);
    d.coefficient = malloc((3 * d.ins + evidence_count(evidence) + 1)
                           * sizeof *d.coefficient);
    d.order = malloc((2 * d.ins + 1) * sizeof *d.order);
    if (sum->term && sum->times && sum->extra && sum->got && d.x
        && d.coefficient && d.order) {
        d.changed = d.order + d.ins;
        d.in = d.x + d.ins;
        d.by = d.in + d.ins;
        d.magnitude = d.coefficient + d.ins;
        d.observed = d.magnitude + d.ins;
        d.result = d.observed + d.ins;
        sum->count = response->terms(response->context, out, sum->term);
        found = decode(&d, 1) || decode(&d, 2);
    }
    free(d.coefficient);
    free(d.order);
    return found;
}

void response_free(struct response_sum *sum)
{
    free(sum->term);
    free(sum->times);
    free(sum->extra);
    free(sum->in);
    free(sum->got);
}
