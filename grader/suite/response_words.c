/* SPDX-License-Identifier: MIT */
/* What wrong sums contain, in words: of all of them, or of one. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "response_rules.h"

void rules_append(char *text, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + used, DIAGNOSIS_SIZE - used, format, arguments);
    va_end(arguments);
}

const char *rules_plural(size_t n)
{
    return n == 1 ? "" : "s";
}

void rules_begin(char *text, const struct rules *r, const char *verb)
{
    snprintf(text, DIAGNOSIS_SIZE, "%s %s ",
             r->evidence->comparison->wrong == 1 ? "the wrong element"
                                                 : "each wrong element", verb);
}

struct rules rules_of(const struct evidence *evidence,
                      const struct response_sum *sum)
{
    const struct response *response = evidence->expected->response;
    const size_t most = response_most_terms(response);
    struct rules r = {.evidence = evidence, .response = response,
                      .sum = sum};

    r.term = malloc(2 * (most + 1) * sizeof *r.term);
    r.term2 = r.term ? r.term + most + 1 : NULL;
    while (r.dims < RESPONSE_INDICES && response->length[r.dims])
        r.dims++;
    return r;
}

bool response_rule(const struct evidence *evidence,
                   const struct response_sum *sum, char *text)
{
    static response_rule_of *const rules[] = {rule_of_constant, rule_of_times,
                                              rule_of_other};
    struct rules r = rules_of(evidence, sum);
    bool found = false;

    for (size_t i = 0; r.term && i < 3 && !found; i++)
        found = rules[i](&r, text);
    free(r.term);
    return found;
}

/* Of one or two terms, much is true by chance: they are shown. */
enum { FEW = 3 };

/* "A[0][3] B[3][1]" */
static void append_term(char *text, const struct response *response,
                        const struct response_term *term)
{
    char in[64], by[64];

    response_name(&response->in, term->in, in, sizeof in);
    rules_append(text, "%s", in);
    if (term->by == RESPONSE_NONE)
        return;
    response_name(&response->by, term->by, by, sizeof by);
    rules_append(text, " %s", by);
}

/* "in[0], in[1] and 5 more" */
static void append_list(char *text, const struct response *response,
                        const struct response_term *const *list, size_t count,
                        size_t most)
{
    const size_t shown = count <= most + 1 ? count : most;

    for (size_t t = 0; t < shown; t++) {
        rules_append(text, "%s", t == 0 ? "" : t + 1 == count ? " and " : ", ");
        append_term(text, response, list[t]);
    }
    if (shown < count)
        rules_append(text, " and %zu more", count - shown);
}

/* The terms that are there this often, or the further ones; at most as many as
 * are counted. */
static size_t list_times(const struct response_sum *s, int times,
                         const struct response_term **list)
{
    size_t count = 0;

    for (size_t t = 0; t < s->count; t++)
        if (times == 0 ? s->times[t] == 0 : s->times[t] > 1)
            list[count++] = &s->term[t];
    return count;
}

static size_t list_extra(const struct response_sum *s,
                         const struct response_term **list)
{
    for (size_t x = 0; x < s->extras; x++)
        list[x] = &s->extra[x];
    return s->extras;
}

/* A missing term and a further one that have a factor in common. */
static const struct response_term *find_partner(
    const struct response_sum *s, const struct response_term *lost,
    bool by_input)
{
    for (size_t x = 0; x < s->extras; x++)
        if (by_input ? s->extra[x].in == lost->in
                     : lost->by != RESPONSE_NONE && s->extra[x].by == lost->by)
            return &s->extra[x];
    return NULL;
}

/* "multiplies in[0] by w[2], should be w[1]": each missing term has a further
 * one in its place. */
static bool say_partners(const struct evidence *e,
                         const struct response_sum *s, bool by_input,
                         const struct response_term *const *lost,
                         size_t count, const char *name, char *text)
{
    const struct response *r = e->expected->response;
    const struct response_array *changed = by_input ? &r->by : &r->in;
    const struct response_array *kept = by_input ? &r->in : &r->by;
    char is[64], should[64], with[64];
    const struct response_term *partner;

    if (!count || s->extras != count)
        return false;
    for (size_t t = 0; t < count; t++)
        if (!find_partner(s, lost[t], by_input))
            return false;
    partner = find_partner(s, lost[0], by_input);
    response_name(changed, by_input ? partner->by : partner->in, is,
                  sizeof is);
    response_name(changed, by_input ? lost[0]->by : lost[0]->in, should,
                  sizeof should);
    response_name(kept, by_input ? partner->in : partner->by, with,
                  sizeof with);
    snprintf(text, DIAGNOSIS_SIZE, "%s takes another element of %s in %zu of "
             "its %zu term%s: %s in place of %s, times %s", name,
             changed->name, count, s->count, rules_plural(s->count), is,
             should, with);
    return true;
}

/* "C[0][0] lacks 1 of its 2 terms: A[0][1] B[1][0]" */
static void say_terms(const struct response *r, const struct response_sum *s,
                      const struct response_term **list, const char *name,
                      size_t most, char *text)
{
    const size_t lost = list_times(s, 0, list);
    char has_also[128];
    size_t count;

    snprintf(has_also, sizeof has_also, "%s has also", name);
    if (lost && s->count == 1) {
        rules_append(text, "%s lacks its only term: ", name);
        append_list(text, r, list, lost, most);
    } else if (lost >= FEW && lost == s->count) {
        rules_append(text, "%s has none of its %zu terms", name, lost);
    } else if (lost) {
        rules_append(text, "%s lacks %zu of its %zu terms: ", name, lost,
                     s->count);
        append_list(text, r, list, lost, most);
    }
    count = list_extra(s, list);
    if (count) {
        rules_append(text, "%s %zu term%s: ",
                     lost ? "; instead it has" : has_also, count,
                     rules_plural(count));
        append_list(text, r, list, count, most);
    }
    count = list_times(s, 2, list);
    if (count) {
        if (*text)
            rules_append(text, "; it has");
        else
            rules_append(text, "%s has", name);
        rules_append(text, " %zu term%s several times: ", count,
                     rules_plural(count));
        append_list(text, r, list, count, most);
    }
}

static bool say_other_sum(const struct evidence *evidence,
                          const struct response_sum *sum, char *text)
{
    struct rules r = rules_of(evidence, sum);
    const bool found = r.term && response_other_sum(&r, text);

    free(r.term);
    return found;
}

bool response_example(const struct evidence *evidence,
                      const struct response_sum *s, char *text)
{
    enum { MOST_SHOWN = 3 };
    const struct response_term **list =
        malloc((s->count + s->extras + 1) * sizeof *list);
    size_t lost, most = MOST_SHOWN;
    char name[96];

    *text = 0;
    if (!list)
        return false;
    element_name(evidence->expected, s->out, name, sizeof name);
    lost = list_times(s, 0, list);
    if (!say_other_sum(evidence, s, text)
        && !say_partners(evidence, s, true, list, lost, name, text)
        && !say_partners(evidence, s, false, list, lost, name, text))
        do {
            *text = 0;
            say_terms(evidence->expected->response, s, list, name, most, text);
        } while (strlen(text) >= DIAGNOSIS_SIZE - 1 && --most > 0);
    if (*text && s->constant != 0)
        rules_append(text, "; and %g where all inputs are 0", s->constant);
    free(list);
    return *text != 0;
}

/* The wrong element after `from` others, from the first one on. */
static size_t wrong_element(const struct comparison *c, size_t from)
{
    size_t i = c->first;

    for (; from > 0; from--)
        for (i++; i < c->count && !c->wrong_mask[i];)
            i++;
    return i;
}

enum certainty response_explain(const struct evidence *evidence,
                                response_call *call, void *context, char *text)
{
    const struct comparison *c = evidence->comparison;
    const size_t which[] = {0, c->wrong / 2, c->wrong - 1};
    enum certainty certainty = UNKNOWN;

    *text = 0;
    for (size_t k = 0; k < 3 && certainty != CERTAIN; k++) {
        char words[DIAGNOSIS_SIZE];
        struct response_sum sum;

        if (k && which[k] == which[k - 1])
            continue;
        if (response_decode(evidence, wrong_element(c, which[k]), call,
                            context, &sum)) {
            if ((sum.count >= FEW || sum.constant != 0)
                && response_rule(evidence, &sum, words))
                certainty = CERTAIN;
            else if (certainty == UNKNOWN
                     && response_example(evidence, &sum, words))
                certainty = VAGUE;
            else
                *words = 0;
            if (*words)
                memcpy(text, words, sizeof words);
        }
        response_free(&sum);
    }
    return certainty;
}
