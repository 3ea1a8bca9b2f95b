/* SPDX-License-Identifier: MIT */
/* What all wrong sums have in common.
 *
 * One sum's terms suggest a pattern, "those with k = 15".  It is named if it
 * gives the value of every wrong element. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "response_rules.h"

/** Some of the terms of a sum. */
struct pattern {
    enum { ALL, EQUAL, FROM, BELOW, EVERY, PAIR, TAIL, HEAD, POSITION_EVERY,
           POSITION_FROM, POSITION_BELOW, POSITION_RANGE, POSITION,
           RUNS } kind;
    int index, other;    /* of the sum */
    size_t value, second; /* of these */
    size_t length;        /* of each run */
};

/* Where it is when all indices of the sum are walked through. */
static size_t position(const struct response *r,
                       const struct response_term *term)
{
    size_t at = 0;

    for (int i = 0; i < RESPONSE_INDICES && r->length[i]; i++)
        at = at * r->length[i] + term->at[i];
    return at;
}

/* Is term `t` of `count` in the pattern? */
static bool has(const struct rules *r, const struct pattern *p,
                const struct response_term *term, size_t t, size_t count)
{
    const size_t at = position(r->response, term);
    const size_t own = term->at[p->index];

    switch (p->kind) {
    case ALL: return true;
    case EQUAL: return own == p->value;
    case FROM: return own >= p->value;
    case BELOW: return own < p->value;
    case EVERY: return own % p->second == p->value;
    case PAIR:
        return own == p->value && term->at[p->other] == p->second;
    case TAIL: return t + p->value >= count;
    case HEAD: return t < p->value;
    case POSITION_EVERY:
        return at >= p->value && (at - p->value) % p->second == 0;
    case POSITION_FROM: return at >= p->value;
    case POSITION_BELOW: return at < p->value;
    case POSITION_RANGE: return at >= p->value && at <= p->second;
    case RUNS:
        return at >= p->value && (at - p->value) % p->second < p->length;
    default: return at == p->value;
    }
}

/* Are the changed terms of the sum those of the pattern? */
static bool describes(const struct rules *r, const struct pattern *p)
{
    const struct response_sum *s = r->sum;

    for (size_t t = 0; t < s->count; t++)
        if (s->times[t]
            != (has(r, p, &s->term[t], t, s->count) ? r->times : 1))
            return false;
    return true;
}

static bool pattern_value(const struct rules *r, const void *rule, size_t i,
                          double *value)
{
    const size_t count =
        r->response->terms(r->response->context, i, r->term);

    *value = rules_want(r, i);
    for (size_t t = 0; t < count; t++)
        if (has(r, rule, &r->term[t], t, count))
            *value += (r->times - 1) * rules_value(r, &r->term[t]);
    return true;
}

static bool holds_pattern(struct rules *r, const struct pattern *p)
{
    return describes(r, p) && rules_hold(r, pattern_value, p);
}

/* The first and the last changed term, and the second one. */
struct changed {
    size_t first, second, last, count;
};

static struct changed find_changed(const struct response_sum *s)
{
    struct changed c = {0};

    for (size_t t = 0; t < s->count; t++)
        if (s->times[t] != 1) {
            if (c.count++ == 0)
                c.first = t;
            if (c.count == 2)
                c.second = t;
            c.last = t;
        }
    return c;
}

/* Patterns of one index, or two. */
static bool find_by_index(struct rules *r, const struct changed *c,
                          struct pattern *p)
{
    const struct response_sum *s = r->sum;
    const size_t *first = s->term[c->first].at, *last = s->term[c->last].at;

    for (int i = 0; i < r->dims; i++) {
        const size_t next = s->term[c->second].at[i];
        const size_t step = next > first[i] ? next - first[i] : 0;
        const struct pattern some[] = {
            {.kind = EQUAL, .index = i, .value = first[i]},
            {.kind = FROM, .index = i, .value = first[i]},
            {.kind = BELOW, .index = i, .value = last[i] + 1},
            {.kind = EVERY, .index = i, .second = step > 1 ? step : 1,
             .value = step > 1 ? first[i] % step : 0}};

        for (size_t k = r->dims == 1 && c->count == 1;
             k < (step > 1 ? 4u : 3u); k++)
            if (holds_pattern(r, &some[k])) {
                *p = some[k];
                return true;
            }
    }
    for (int i = 0; i < r->dims; i++)
        for (int j = i + 1; j < r->dims; j++) {
            *p = (struct pattern){.kind = PAIR, .index = i, .other = j,
                                  .value = first[i], .second = first[j]};
            if (r->dims > 2 && holds_pattern(r, p))
                return true;
        }
    return false;
}

/* Patterns of the order of the terms. */
static bool find_by_position(struct rules *r, const struct changed *c,
                             struct pattern *p)
{
    const struct response_sum *s = r->sum;
    const size_t first = position(r->response, &s->term[c->first]);
    const size_t second = position(r->response, &s->term[c->second]);
    const size_t last = position(r->response, &s->term[c->last]);
    const size_t step = second > first ? second - first : 1;
    const struct pattern some[] = {
        {.kind = TAIL, .value = s->count - c->first},
        {.kind = HEAD, .value = c->last + 1},
        {.kind = POSITION, .value = first},
        {.kind = POSITION_FROM, .value = first},
        {.kind = POSITION_BELOW, .value = last + 1},
        {.kind = POSITION_RANGE, .value = first, .second = last},
        {.kind = POSITION_EVERY, .second = step, .value = first}};

    for (size_t k = 0; k < (step > 1 ? 7u : 6u); k++)
        if (holds_pattern(r, &some[k])) {
            *p = some[k];
            return true;
        }
    return false;
}

/* Runs of some terms at equal distances, as those of one warp in each block. */
static bool find_runs(struct rules *r, const struct changed *c,
                      struct pattern *p)
{
    const struct response_sum *s = r->sum;
    size_t end = c->first, next;

    while (end < s->count && s->times[end] != 1)
        end++;
    next = end;
    while (next < s->count && s->times[next] == 1)
        next++;
    if (next == s->count || end - c->first < 2)
        return false;
    *p = (struct pattern){
        .kind = RUNS, .value = position(r->response, &s->term[c->first]),
        .second = next - c->first, .length = end - c->first};
    return holds_pattern(r, p);
}

/* "(k = 15)", "(c = 1, r = 2, s = 0)" */
static void append_indices(char *text, const struct rules *r,
                           const size_t *at)
{
    for (int i = 0; i < r->dims; i++)
        rules_append(text, "%s%s = %zu", i ? ", " : "", r->response->index[i],
               at[i]);
}

/* ", in the order of c, r, s" */
static void append_order(char *text, const struct rules *r)
{
    rules_append(text, " in the order of ");
    for (int i = 0; i < r->dims; i++)
        rules_append(text, "%s%s", i ? ", " : "", r->response->index[i]);
}

static const char *ordinal(size_t n)
{
    static char text[32];
    const bool teen = n / 10 % 10 == 1;

    snprintf(text, sizeof text, "%zu%s", n,
             !teen && n % 10 == 1 ? "st" : !teen && n % 10 == 2 ? "nd"
             : !teen && n % 10 == 3 ? "rd" : "th");
    return text;
}

static void append_end(char *text, const struct rules *r,
                       const struct pattern *p, const struct changed *c,
                       size_t count)
{
    const struct response_sum *s = r->sum;
    const bool last = p->kind == TAIL;

    rules_append(text, last ? "its last " : "its first ");
    if (count > 1)
        rules_append(text, "%zu ", count);
    rules_append(text, "term%s (%s", rules_plural(count),
                 count > 1 ? "from " : "");
    append_indices(text, r, s->term[last ? c->first : 0].at);
    rules_append(text, count > 1 ? " on)" : ")");
}

/* The terms of an incomplete tile or vector, as the first one shows. */
static void append_cause(char *text, const struct rules *r,
                         const struct pattern *p, const struct changed *c)
{
    const size_t from = r->sum->term[c->first].at[0];

    if (!r->times && r->dims == 1 && p->kind == TAIL)
        rules_append_last_tile(text, r, from);
    if (!r->times && r->dims == 1 && p->kind == POSITION_FROM)
        rules_append_last_group(text, r, from);
}

/* "every 16th term (k = 15, 31, ...)" */
static void append_every(char *text, const struct rules *r,
                         const struct pattern *p)
{
    rules_append(text, "every %s term", ordinal(p->second));
    if (r->dims > 1)
        append_order(text, r);
    rules_append(text, r->dims > 1 ? ", from the %s on" : " (%s",
                 r->dims > 1 ? ordinal(p->value + 1) : r->response->index[0]);
    if (r->dims == 1)
        rules_append(text, " = %zu, %zu, ...)", p->value,
                     p->value + p->second);
}

/* "the terms from the 17th on in the order of c, r, s (c = 1, r = 2, s = 1)" */
static void append_range(char *text, const struct rules *r,
                         const struct pattern *p, const struct changed *c)
{
    const bool is_below = p->kind == POSITION_BELOW;
    const size_t edge = is_below ? c->last : c->first;
    const size_t at = position(r->response, &r->sum->term[edge]);

    rules_append(text, "the terms %s the %s", is_below ? "up to" : "from",
                 ordinal(at + 1));
    if (p->kind == POSITION_FROM)
        rules_append(text, " on");
    if (p->kind == POSITION_RANGE)
        rules_append(text, " to the %s", ordinal(p->second + 1));
    if (r->dims > 1)
        append_order(text, r);
    rules_append(text, " (%s", edge == c->first ? "from " : "to ");
    append_indices(text, r, r->sum->term[edge].at);
    rules_append(text, ")");
}

/* "its last 3 terms (k = 13)" */
static void append_terms(char *text, const struct rules *r,
                         const struct pattern *p, const struct changed *c)
{
    const char *name = r->response->index[p->index];
    const struct response_term *first = &r->sum->term[c->first];

    switch (p->kind) {
    case EQUAL:
        rules_append(text, "the terms with %s = %zu", name, p->value);
        break;
    case FROM:
        rules_append(text, "the terms from %s = %zu on", name, p->value);
        break;
    case BELOW:
        rules_append(text, "the terms with %s < %zu", name, p->value);
        break;
    case EVERY:
        rules_append(text, "the terms with every %s %s (%zu, %zu, ...)",
                     ordinal(p->second), name, p->value,
                     p->value + p->second);
        break;
    case PAIR:
        rules_append(text, "the terms with %s = %zu and %s = %zu", name,
                     p->value, r->response->index[p->other], p->second);
        break;
    case TAIL: case HEAD: append_end(text, r, p, c, p->value); break;
    case POSITION_EVERY:
        append_every(text, r, p);
        break;
    case RUNS:
        rules_append(text, "%zu of each %zu terms, from %s = %zu on", p->length,
                     p->second, r->response->index[0], p->value);
        break;
    case POSITION_FROM: case POSITION_BELOW: case POSITION_RANGE:
        append_range(text, r, p, c);
        break;
    default:
        rules_append(text, "the %s term", ordinal(p->value + 1));
        if (r->dims > 1)
            append_order(text, r);
        rules_append(text, " (");
        append_indices(text, r, first->at);
        rules_append(text, ")");
    }
}

size_t rules_changed(const struct response_sum *sum)
{
    return find_changed(sum).count;
}

/* Every 2nd element of a vector's sum: a tree adds the elements with an odd
 * index in a single round. */
static bool is_of_tree(const struct rules *r, const struct pattern *p)
{
    return r->dims == 1 && !r->response->by.name && p->second == 2
           && p->value == 1;
}

bool rule_of_times(struct rules *r, char *text)
{
    const struct response_sum *s = r->sum;
    const struct changed c = find_changed(s);
    struct pattern p = {.kind = ALL};

    if (!c.count || s->extras || s->constant != 0)
        return false;
    r->times = s->times[c.first];
    if (!holds_pattern(r, &p)
        && !(r->dims == 1
                 ? find_by_position(r, &c, &p) || find_by_index(r, &c, &p)
                       || find_runs(r, &c, &p)
                 : find_by_index(r, &c, &p) || find_by_position(r, &c, &p)))
        return false;
    rules_begin(text, r, r->times ? "has" : "lacks");
    if (p.kind == ALL)
        rules_append(text, "all its terms");
    else
        append_terms(text, r, &p, &c);
    append_cause(text, r, &p, &c);
    if (r->times)
        rules_append(text, r->times == 2 ? " twice" : " %d times", r->times);
    else if (p.kind == POSITION_EVERY && is_of_tree(r, &p))
        rules_append(text, ": does a tree lack its round at distance 1, or "
                     "does a loop go on by 2?");
    return true;
}

static bool constant_value(const struct rules *r, const void *rule, size_t i,
                           double *value)
{
    *value = rules_want(r, i) + *(const double *)rule;
    return true;
}

bool rule_of_constant(struct rules *r, char *text)
{
    const struct response_sum *s = r->sum;

    if (find_changed(s).count || s->extras || s->constant == 0
        || !rules_hold(r, constant_value, &s->constant))
        return false;
    rules_begin(text, r, "has");
    rules_append(text, "%g too %s, also where all inputs are 0: what is its "
                 "sum set to at the start?",
                 s->constant > 0 ? s->constant : -s->constant,
                 s->constant > 0 ? "much" : "little");
    return true;
}
