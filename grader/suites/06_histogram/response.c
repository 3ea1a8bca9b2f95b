/* SPDX-License-Identifier: MIT */
/* Which bytes are counted?  In two calls each byte is a digit of its own index,
 * so that a pattern of lost bytes gives certain counts; in a third one all are
 * equal, and other bins should be 0. */
#include "counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Some of the bytes. */
struct pattern {
    size_t from, to;       /* the bytes from one to before another, */
    size_t step;           /* each of which this one apart */
    int more;              /* -1: they are not counted; 1: twice */
};

static void write_bytes(const float *values, size_t n, void *argument)
{
    unsigned char *bytes = argument;

    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)values[i];
}

static bool count_digits(struct counts *c, response_call *call, void *context)
{
    const size_t n = c->input->n;
    float *values = malloc((n + 1) * sizeof *values);
    bool ok = values != NULL;

    for (int k = 0; ok && k < CALLS; k++) {
        for (size_t i = 0; i < n; i++)
            values[i] = byte_of(i, k);
        ok = call(context, values, NULL, c->got[k]);
    }
    free(values);
    return ok;
}

void add_differences(const struct counts *c, int k, double *excess)
{
    for (size_t b = 0; b < BINS; b++)
        excess[b] = k < CALLS ? c->got[k][b]
                              : evidence_got(c->evidence, b)
                                    - c->evidence->expected->want[b];
    for (size_t i = 0; k < CALLS && i < c->input->n; i++)
        excess[byte_of(i, k)]--;
}

/* Do these bytes explain all counts? */
static bool explains(const struct counts *c, const struct pattern *p)
{
    for (int k = 0; k <= CALLS; k++) {
        double excess[BINS];

        add_differences(c, k, excess);
        for (size_t i = p->from; i < p->to; i += p->step)
            excess[k < CALLS ? byte_of(i, k) : c->input->in[i]] -= p->more;
        for (size_t b = 0; b < BINS; b++)
            if (excess[b] != 0)
                return false;
    }
    return true;
}

/* Bytes before the first whole vector, and after the last one, have two loops
 * of their own where the pointer is misaligned. */
static void say_parts(const struct pattern *p,
                      const struct histogram_input *input, char *text)
{
    enum { VECTOR = 16 };
    const size_t used = strlen(text);

    if (p->more < 0 || p->step > 1 || input->offset % VECTOR == 0)
        return;
    snprintf(text + used, DIAGNOSIS_SIZE - used, ": with a pointer that is %zu "
             "past a multiple of %d, do two of head, vectors and tail hold "
             "%s? The tail is what head and vectors leave.",
             input->offset % VECTOR, (int)VECTOR,
             p->to - p->from == 1 ? "it" : "them");
}

static void say_pattern(const struct pattern *p, size_t n, char *text)
{
    const size_t count = (p->to - p->from + p->step - 1) / p->step;
    const char *verb = p->more < 0 ? "not counted" : "counted twice";

    if (p->step > 1)
        snprintf(text, DIAGNOSIS_SIZE, "every %zuth byte is %s: in[%zu], "
                 "in[%zu], ...", p->step, verb, p->from, p->from + p->step);
    else if (count == 1)
        snprintf(text, DIAGNOSIS_SIZE, "in[%zu] is %s, and all other bytes "
                 "are right", p->from, verb);
    else if (p->to == n || p->from == 0)
        snprintf(text, DIAGNOSIS_SIZE, "the %s %zu bytes are %s, from in[%zu] "
                 "%s%zu%s", p->from == 0 ? "first" : "last", count, verb,
                 p->from, p->from == 0 ? "to in[" : "on, of ",
                 p->from == 0 ? p->to - 1 : n, p->from == 0 ? "]" : "");
    else
        snprintf(text, DIAGNOSIS_SIZE, "%zu bytes are %s: in[%zu] to in[%zu]",
                 count, verb, p->from, p->to - 1);
}

/* Bytes in a row, or at equal distances. */
static bool find_pattern(const struct counts *c, char *text)
{
    const size_t n = c->input->n;
    double excess[BINS], sum = 0;
    size_t count;

    add_differences(c, 0, excess);
    for (size_t b = 0; b < BINS; b++)
        sum += excess[b];
    if (sum == 0 || sum < -(double)n || sum > (double)n)
        return false;
    count = (size_t)(sum < 0 ? -sum : sum);
    for (size_t step = 1; step <= BINS; step *= step < 2 ? 4 : 2)
        for (size_t first = 0; first < (step > 1 ? step : n); first++) {
            const struct pattern p = {
                first, step > 1 ? n : first + count, step, sum < 0 ? -1 : 1};

            if (p.to > n || (p.to - p.from + step - 1) / step != count
                || excess[first % BINS] == 0 || !explains(c, &p))
                continue;
            say_pattern(&p, n, text);
            say_parts(&p, c->input, text);
            return true;
        }
    return false;
}

/* A bin that counts something, whatever the bytes are. */
static bool find_bias(const struct counts *c, char *text)
{
    double excess[CALLS + 1][BINS];
    size_t wrong = 0, bin = 0;

    for (int k = 0; k <= CALLS; k++)
        add_differences(c, k, excess[k]);
    for (size_t b = 0; b < BINS; b++) {
        for (int k = 0; k < CALLS; k++)
            if (excess[k][b] != excess[CALLS][b])
                return false;
        if (excess[CALLS][b] != 0)
            wrong++, bin = b;
    }
    if (wrong != 1 || bin == BINS - 1 || excess[CALLS][bin] < 0)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "bin %zu counts %.0f too many, also where "
             "no byte is %zu: %s", bin, excess[CALLS][bin], bin,
             bin ? "are bytes before or past the array counted?"
                 : "do threads past the end count a 0?");
    return true;
}

/* As many bytes in all calls, but not all. */
static bool find_sum(const struct counts *c, char *text)
{
    double sum[CALLS + 1] = {0};

    for (int k = 0; k <= CALLS; k++) {
        double excess[BINS];

        add_differences(c, k, excess);
        for (size_t b = 0; b < BINS; b++)
            sum[k] += excess[b];
        if (sum[k] != sum[0] || sum[k] == 0)
            return false;
    }
    snprintf(text, DIAGNOSIS_SIZE, "the bins add up to %.0f, whatever the "
             "bytes are: there are %zu", (double)c->input->n + sum[0],
             c->input->n);
    return true;
}

static enum certainty explain(const struct evidence *evidence,
                              response_call *call, void *context, char *text)
{
    enum { FEW = 16 }; /* bytes: more of them tell more */
    struct counts *c = malloc(sizeof *c);
    enum certainty certainty = UNKNOWN;

    *text = 0;
    if (c) {
        c->evidence = evidence;
        c->input = evidence->expected->response->context;
        if (!count_digits(c, call, context))
            certainty = UNKNOWN;
        else if (find_bias(c, text) || find_pattern(c, text)
                 || histogram_find_times(c, text)
                 || histogram_find_rest(c, text))
            certainty = c->input->n < FEW ? VAGUE : CERTAIN;
        else if (histogram_find_moved(c, text))
            certainty = CERTAIN;
        else if (find_sum(c, text))
            certainty = VAGUE;
    }
    free(c);
    return certainty;
}

struct response histogram_response(const struct histogram_input *input)
{
    return (struct response){
        .in = {.name = "in", .argument = input->in, .size = {input->n},
               .encode = write_bytes, .element = 1},
        .context = input,
        .explain = input->n > 0 && input->n <= BINS * BINS ? explain : NULL,
        .terms = NULL};
}
