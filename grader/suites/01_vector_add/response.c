/* SPDX-License-Identifier: MIT */
/* Which elements are added?  In two further calls one input is 0, and each
 * element of the other one tells its index. */
#include "response.h"

#include <stdio.h>
#include <stdlib.h>

/** What each sum is made of. */
struct operands {
    const struct evidence *evidence;
    const struct vectors *v;
    size_t *index[2]; /* of the elements of a and b */
};

/* Do these elements give all wrong sums of the failed call? */
static bool explain_all(const struct operands *o)
{
    for (size_t i = 0; i < o->v->n; i++) {
        const size_t a = o->index[0][i], b = o->index[1][i];

        if (o->evidence->comparison->wrong_mask[i]
            && (a == RESPONSE_NONE || b == RESPONSE_NONE
                || evidence_got(o->evidence, i)
                       != (float)((double)o->v->a[a] + o->v->b[b])))
            return false;
    }
    return true;
}

/* The index of an element in the sum i, as a rule says. */
enum rule { SAME, SHIFTED, MODULO };

/* Does the rule hold for an operand of all wrong sums?
 * k: of that of the first one */
static bool holds(const struct operands *o, int operand, enum rule rule,
                  size_t k)
{
    for (size_t i = 0; i < o->v->n; i++) {
        const size_t want = rule == SAME      ? i
                            : rule == SHIFTED ? i - k
                                              : i % k;

        if (o->evidence->comparison->wrong_mask[i]
            && o->index[operand][i] != want)
            return false;
    }
    return true;
}

/* "b[i - 65536]"; false when no rule holds. */
static bool say_operand(const struct operands *o, int operand, char *text,
                        size_t bytes)
{
    const size_t first = o->evidence->comparison->first;
    const size_t index = o->index[operand][first];
    const char name = operand ? 'b' : 'a';

    if (holds(o, operand, SAME, 0))
        snprintf(text, bytes, "%c[i]", name);
    else if (holds(o, operand, SHIFTED, first - index))
        snprintf(text, bytes, "%c[i %c %zu]", name, index < first ? '-' : '+',
                 index < first ? first - index : index - first);
    else if (index < first && holds(o, operand, MODULO, first - index))
        snprintf(text, bytes, "%c[i %% %zu]", name, first - index);
    else
        return false;
    return true;
}

static enum certainty say_operands(const struct operands *o, char *text)
{
    enum { LEAST = 2 }; /* of one sum all rules are true */
    const struct comparison *c = o->evidence->comparison;
    const size_t a = o->index[0][c->first], b = o->index[1][c->first];
    char words[2][48];

    if (a == c->first && b == c->first)
        return UNKNOWN;
    if (c->wrong >= LEAST && say_operand(o, 0, words[0], sizeof words[0])
        && say_operand(o, 1, words[1], sizeof words[1])) {
        snprintf(text, DIAGNOSIS_SIZE, "each wrong c[i] is %s + %s: which "
                 "index, pointer or copy of `%c` lacks an offset, or has one "
                 "too many?", words[0], words[1], a == c->first ? 'b' : 'a');
        return CERTAIN;
    }
    snprintf(text, DIAGNOSIS_SIZE, "c[%zu] is a[%zu] + b[%zu]", c->first, a,
             b);
    return VAGUE;
}

static enum certainty explain(const struct evidence *evidence,
                              response_call *call, void *context, char *text)
{
    struct operands o = {
        evidence, evidence->expected->response->context, {NULL, NULL}};
    enum certainty certainty = UNKNOWN;

    for (int k = 0; k < 2; k++)
        o.index[k] = malloc((o.v->n + 1) * sizeof *o.index[k]);
    if (o.index[0] && o.index[1]
        && response_sources(evidence, false, call, context, o.index[0])
        && response_sources(evidence, true, call, context, o.index[1])
        && explain_all(&o))
        certainty = say_operands(&o, text);
    free(o.index[0]);
    free(o.index[1]);
    return certainty;
}

struct response vector_add_response(const struct vectors *v)
{
    return (struct response){.in = {"a", v->a, v->a, {v->n}},
                             .by = {"b", v->b, v->b, {v->n}},
                             .context = v, .explain = explain,
                             .hint = "Which thread stores this element, and "
                                     "which index has it for each array?"};
}
