/* SPDX-License-Identifier: MIT */
/* Calls of the submission's function with inputs of the suite's choice. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "response.h"
#include "state.h"

enum { MOST_BYTES = 32 << 20 };
static const double most_seconds = 1;          /* of one test */
static const double most_seconds_together = 4; /* of all tests */

static const char loop_hint[] =
    "Which thread computes this element? Go through its loop with the indices "
    "of these terms: in which turn does it add one, or should it?";

const char response_no_hint[] = "";

const char *response_hint(const struct evidence *evidence)
{
    const struct response *r = evidence->expected->response;

    return !r ? NULL : r->hint ? r->hint : loop_hint;
}

/** Calls like the failed one. */
struct probe {
    const struct evidence *evidence;
    struct frame frame;  /* its arrays are the probe's */
    struct arg *in, *by; /* the two inputs, of the frame; by: or NULL */
    const void *out;     /* the output that is looked at */
    double deadline;
    bool has_failed; /* one of them */
};

/* Arrays that are written are the probe's own. */
static bool copy_arrays(struct probe *p)
{
    const uintptr_t got = (uintptr_t)p->evidence->expected->got;
    const size_t needed = evidence_count(p->evidence)
                          * element_bytes(p->evidence->expected->type);
    size_t bytes = 0;

    for (unsigned i = 0; i < p->frame.count; i++)
        if (arg_is_array(&p->frame.arg[i])) {
            bytes += p->frame.arg[i].bytes;
            if (p->frame.arg[i].integer)
                return false; /* sparse */
        }
    if (bytes > MOST_BYTES)
        return false;
    for (unsigned i = 0; i < p->frame.count; i++) {
        struct arg *arg = &p->frame.arg[i];
        const uintptr_t data = (uintptr_t)arg->data;

        if (arg != p->in && arg != p->by && !arg_is_output(arg))
            continue;
        arg->data = calloc(arg->bytes + 1, 1);
        if (!arg->data)
            return false;
        if (arg_is_output(arg) && got >= data && needed <= arg->bytes
            && got - data <= arg->bytes - needed)
            p->out = (const char *)arg->data + (got - data);
    }
    return p->out;
}

static struct arg *find_input(struct frame *frame,
                              const struct response_array *array)
{
    const size_t element = array->encode ? array->element : sizeof(float);

    for (unsigned i = 0; array->argument && i < frame->count; i++) {
        struct arg *arg = &frame->arg[i];

        if (arg->kind == ARG_IN && arg->data == array->argument
            && arg->bytes >= response_count(array) * element)
            return arg;
    }
    return NULL;
}

static void write_input(struct arg *arg, const struct response_array *array,
                        const float *values)
{
    const size_t n = response_count(array);

    if (array->encode)
        array->encode(values, n, arg->data);
    else
        memcpy(arg->data, values, n * sizeof *values);
}

static bool call(void *context, const float *in, const float *by, double *out)
{
    struct probe *p = context;
    const struct response *r = p->evidence->expected->response;
    struct reply reply;

    if (p->has_failed || clock_seconds() > p->deadline)
        return false;
    write_input(p->in, &r->in, in);
    if (p->by)
        write_input(p->by, &r->by, by);
    for (unsigned i = 0; i < p->frame.count; i++)
        if (p->frame.arg[i].kind == ARG_INOUT)
            memset(p->frame.arg[i].data, 0, p->frame.arg[i].bytes);
    if (!session_call(suite_state.session, &p->frame, suite_state.mode,
                      suite_state.poison, &reply)
        || reply.status != 0) {
        p->has_failed = true;
        return false;
    }
    for (size_t i = 0; i < evidence_count(p->evidence); i++)
        out[i] = element_value(p->out, p->evidence->expected->type, i);
    return true;
}

/* What the further calls print is not shown. */
static void forget(struct capture *capture, size_t length)
{
    if (capture->text && capture->length > length) {
        capture->length = length;
        capture->text[length] = 0;
    }
}

static enum certainty explain(struct probe *p, char *text)
{
    const struct response *r = p->evidence->expected->response;
    struct session *session = suite_state.session;
    const size_t out = session->process.out.length;
    const size_t err = session->process.err.length;
    const double seconds = session->limits.seconds, start = clock_seconds();
    enum certainty certainty;

    session->limits.seconds = fmin(seconds, 2 * most_seconds);
    certainty = (r->explain ? r->explain : response_explain)(p->evidence, call,
                                                             p, text);
    session->limits.seconds = seconds;
    session->diagnosis_seconds += clock_seconds() - start;
    process_drain(&session->process);
    forget(&session->process.out, out);
    forget(&session->process.err, err);
    return certainty;
}

enum certainty diagnose_response(const struct evidence *evidence, char *text)
{
    const struct response *r = evidence->expected->response;
    struct probe p = {.evidence = evidence, .frame = suite_state.frame,
                      .deadline = clock_seconds() + most_seconds};
    enum certainty certainty = UNKNOWN;

    *text = 0;
    if (!r || !suite_state.session || !suite_state.session->alive
        || suite_state.counters || suite_state.most_bytes
        || suite_state.sparse || evidence->expected->special
        || suite_state.session->diagnosis_seconds > most_seconds_together)
        return UNKNOWN;
    process_drain(&suite_state.session->process);
    p.in = find_input(&p.frame, &r->in);
    p.by = find_input(&p.frame, &r->by);
    if (!p.in || (r->by.argument && !p.by))
        return UNKNOWN;
    if (copy_arrays(&p))
        certainty = explain(&p, text);
    for (unsigned i = 0; i < p.frame.count; i++)
        if (p.frame.arg[i].data != suite_state.frame.arg[i].data)
            free(p.frame.arg[i].data);
    return certainty;
}

int response_detail(const struct evidence *evidence, enum certainty located,
                    enum certainty explained, const char *hint)
{
    if (hint == response_no_hint)
        return diagnose_detail(evidence, UNKNOWN, VAGUE);
    if (hint && hint == response_hint(evidence))
        return diagnose_detail(evidence, CERTAIN, UNKNOWN);
    return diagnose_detail(evidence, located, explained);
}
