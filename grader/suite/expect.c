/* SPDX-License-Identifier: MIT */
/* The expectations of suite.h, and their messages for students. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose.h"
#include "diagnose_unwritten.h"
#include "error_hint.h"
#include "overrun.h"
#include "response.h"
#include "state.h"
#include "stored.h"
#include "suite.h"

bool suite_should_skip(void)
{
    return suite_failed() || suite_state.mode == CALL_EMPTY;
}

/* The verdict for a CUDA error: some mean that a kernel crashed. */
static enum verdict error_verdict(int64_t error)
{
    enum { OUT_OF_MEMORY = 2, ILLEGAL_ADDRESS = 700, LAUNCH_TIMEOUT = 702,
           ASSERT = 710, FIRST_FAULT = 714, LAUNCH_FAILURE = 719 };

    if (error == OUT_OF_MEMORY)
        return MEMORY;
    if (error == LAUNCH_TIMEOUT)
        return TIMEOUT;
    if (error == ILLEGAL_ADDRESS || error == ASSERT
        || (error >= FIRST_FAULT && error <= LAUNCH_FAILURE))
        return CRASHED;
    return WRONG;
}

void suite_fail_for_bits(uint32_t bits, const char *format)
{
    const char *names = suite_state.parameters ? suite_state.parameters
                                               : suite_state.lab->prototype;
    char name[64], text[256];

    for (unsigned i = 0; i < suite_state.frame.count; i++) {
        if (!(bits >> i & 1))
            continue;
        parameter_name(names, i, name, sizeof name);
        snprintf(text, sizeof text, format, name);
        suite_fail(WRONG, "%s", text);
    }
}

size_t suite_output_bytes(bool on_device)
{
    const struct frame *frame = &suite_state.frame;
    size_t bytes = 0;

    for (uint32_t i = 0; i < frame->count; i++) {
        const struct arg *arg = &frame->arg[i];

        if (!arg_is_output(arg))
            continue;
        if (arg->on_device != on_device)
            return 0;
        bytes += arg->bytes;
    }
    return bytes;
}

/* When all arrays are in device memory and nothing is copied to the host, the
 * host cannot compute the result. */
static void check_traffic(const struct facts *facts)
{
    if (!facts->counted || !suite_output_bytes(true))
        return;
    if (facts->d2h_bytes)
        suite_fail(WRONG, "copied %llu bytes from the device to the host: the "
                   "device computes the result, which stays there",
                   (unsigned long long)facts->d2h_bytes);
    else if (facts->managed_bytes)
        suite_fail(WRONG, "allocated %llu bytes of managed or pinned memory: "
                   "the device computes the result in its own",
                   (unsigned long long)facts->managed_bytes);
}

/* A file that looks for how it is graded is no submission. */
static void note_settings(void)
{
    struct outcome *outcome = suite_state.outcome;

    suite_fail(WRONG, "host code asks the environment for a setting of the "
               "software GPU (SOFTGPU_...): a graded program must not depend "
               "on where it runs");
    if (!*outcome->review)
        snprintf(outcome->review, sizeof outcome->review,
                 "asks how it is graded");
}

void expect_success(int64_t status)
{
    enum { NOT_READY = 600 }; /* the answer of a query, no failure */
    struct facts *facts = &suite_state.reply.facts;

    if (suite_should_skip())
        return;
    suite_state.is_checked = true;
    suite_assert(true, "");
    facts->status_text[FACT_SIZE - 1] = facts->error_text[FACT_SIZE - 1] = 0;
    suite_check_kept_error(status);
    if (status != 0)
        suite_fail(error_verdict(status), "returned %lld (%s), should be 0",
                   (long long)status,
                   facts->status_text[0] ? facts->status_text
                   : "no cudaError_t");
    if (status == 0 && facts->error && facts->error != NOT_READY)
        suite_fail(error_verdict(facts->error),
                   "returned 0, but left an error behind: %s",
                   facts->error_text);
    suite_hint(error_hint(status, facts->error, suite_state.outcome->printed));
    if (facts->settings)
        note_settings();
    suite_check_overrun();
    suite_check_overread();
    suite_fail_for_bits(facts->modified, "modified its input `%s`");
    suite_fail_for_bits(facts->unsynchronized,
                  "`%s` was not complete when the default stream was: a "
                  "kernel or copy that writes it runs on a stream that "
                  "nothing waits for");
    check_traffic(facts);
}

void expect_error(int64_t status)
{
    if (suite_should_skip())
        return;
    suite_state.is_checked = true;
    if (status == 0)
        suite_fail(WRONG, "returned 0; the contract asks for an error here");
    else
        suite_forget_stderr();
}

/* Both numbers, with as many digits as they need to differ. */
static void format_pair(enum element type, double got, double want, char *text,
                        size_t bytes)
{
    char a[40], b[40];
    int digits = 6;

    do {
        element_format(type, got, digits, a, sizeof a);
        element_format(type, want, digits, b, sizeof b);
    } while (!strcmp(a, b) && ++digits <= 17);
    snprintf(text, bytes, "is %s, should be %s", a, b);
}

/* Content of the output before the call (poison), or NULL. */
static unsigned char *poison_pattern(const struct expected *expected,
                                     bool *on_device)
{
    unsigned index;
    const struct arg *arg = suite_output_argument(expected, &index);
    unsigned char *poison;

    *on_device = arg && arg->on_device;
    if (!arg || arg->kind != ARG_OUT)
        return NULL;
    poison = malloc(arg->bytes + 1);
    if (!poison)
        return NULL;
    poison_fill(poison, arg->bytes, suite_state.poison, index);
    memmove(poison,
            poison + ((const char *)expected->got - (const char *)arg->data),
            expected_count(expected) * element_bytes(expected->type));
    return poison;
}

static void fail_elements(const struct evidence *e)
{
    const struct comparison *c = e->comparison;
    char name[96], numbers[128], thread[DIAGNOSIS_SIZE];
    char where[DIAGNOSIS_SIZE], what[DIAGNOSIS_SIZE];
    enum certainty located, explained;
    const char *hint;

    if (suite_failed())
        return;
    element_name(e->expected, c->first, name, sizeof name);
    format_pair(e->expected->type, c->got, c->want, numbers, sizeof numbers);
    located = diagnose_location(e, where);
    explained = diagnose_values(e, what, &hint);
    diagnose_thread(e, c->first, thread);
    suite_fail(WRONG, "%s %s: %zu of %zu wrong%s%s%s%s%s%s%s", name, numbers,
               c->wrong, c->count, *where ? ", " : "", where,
               *thread ? " (" : "", thread, *thread ? ")" : "",
               *what ? "; " : "", what);
    suite_state.outcome->detail = response_detail(e, located, explained, hint);
    suite_state.outcome->is_explained = explained == CERTAIN;
    suite_state.outcome->shows_terms =
        hint && (hint == response_hint(e) || hint == response_no_hint);
    if (c->wrong < 4 && (strstr(what, "it is ") || strstr(what, "element is ")))
        suite_state.outcome->guess =
            (unsigned)(strlen(suite_state.outcome->message) - strlen(what) - 2);
    if (suite_state.inputs <= SMALL_CASE_ARRAYS) {
        small_case_draw(e, suite_state.input, suite_state.inputs,
                        VALUES_COLUMNS, suite_state.outcome->values);
        small_case_draw(e, suite_state.input, suite_state.inputs,
                        NARROW_VALUES_COLUMNS,
                        suite_state.outcome->narrow_values);
    }
    suite_state.outcome->hint = hint;
    suite_compare_stores(e, suite_state.outcome->stored);
}

/* More elements than this are not kept. */
enum { MOST_KEPT = 1 << 22 };

/* Keep a correct output: a later one that equals it is stale. */
static void save_output(const struct expected *expected)
{
    size_t count = expected_count(expected);
    double *copy = count <= MOST_KEPT ? malloc((count + 1) * sizeof *copy)
                                      : NULL;

    if (!copy)
        return;
    for (size_t i = 0; i < count; i++)
        copy[i] = element_value(expected->got, expected->type, i);
    free(suite_state.previous);
    suite_state.previous = copy;
    suite_state.previous_count = count;
    suite_state.previous_frame = suite_state.frame;
    memcpy(suite_state.previous_grid, suite_state.reply.facts.grid,
           sizeof suite_state.previous_grid);
    suite_state.rounded_up |= suite_state.reply.facts.launches == 1
                              && launched_threads(&suite_state.reply.facts) > count;
}

void expect_elements(const struct expected *expected)
{
    struct expected with_mistakes = *expected;
    struct comparison comparison;
    unsigned char *poison;
    bool on_device;

    if (suite_should_skip())
        return;
    suite_assert(true, "");
    if (!compare(expected, &comparison)) {
        suite_fail(INTERNAL, "no memory to compare");
        return;
    }
    if (comparison.wrong) {
        if (!with_mistakes.mistakes) {
            with_mistakes.mistakes = suite_state.mistakes;
            with_mistakes.context = suite_state.mistakes_context;
        }
        if (!with_mistakes.response)
            with_mistakes.response = suite_state.response;
        poison = poison_pattern(expected, &on_device);
        fail_elements(&(struct evidence){
            &with_mistakes, &comparison, poison, suite_state.previous,
            suite_state.previous_count,
            /* launches of libraries are not known */
            *suite_state.lab->libraries ? NULL : &suite_state.reply.facts,
            on_device});
        free(poison);
    } else {
        save_output(expected);
    }
    free(comparison.wrong_mask);
}

/* ", the first by cudaMalloc, vector_add.cu:31"; empty when not known. */
static const char *by_call(const char *before, char *fact)
{
    static char text[FACT_SIZE + 32];

    fact[FACT_SIZE - 1] = 0;
    snprintf(text, sizeof text, "%s%s", *fact ? before : "", fact);
    return text;
}

/* What destroys a graph does not destroy what was made from it. */
static const char *leak_hint(const char *call)
{
    return strstr(call, "StreamEndCapture") || strstr(call, "GraphCreate")
                   || strstr(call, "GraphInstantiate")
               ? "A graph and the executable graph that is instantiated from "
                 "it are two: cudaGraphDestroy, cudaGraphExecDestroy."
               : NULL;
}

void expect_no_leak(void)
{
    struct facts *facts = &suite_state.reply.facts;
    const bool failed = suite_failed();

    if (suite_should_skip())
        return;
    if (facts->unreleased > 0) /* first: pinned blocks are allocations, too */
        suite_fail(WRONG,
                   "did not destroy %d of the streams, events, graphs, handles "
                   "or pinned blocks that it created%s",
                   (int)facts->unreleased,
                   by_call(", the first by ", facts->unreleased_text));
    else if (facts->leaked)
        suite_fail(WRONG, "%llu bytes of device memory were not freed%s",
                   (unsigned long long)facts->leaked,
                   by_call(", the first allocated by ", facts->leaked_text));
    else if (facts->released_twice_text[0])
        suite_fail(WRONG, "released something twice%s",
                   by_call(": the second time by ",
                           facts->released_twice_text));
    else if (facts->allocated_bytes && !*suite_state.lab->libraries
             && suite_output_bytes(true))
        suite_fail(WRONG,
                   "allocated %llu bytes of device memory: the call needs "
                   "none",
                   (unsigned long long)facts->allocated_bytes);
    if (failed || !suite_failed())
        return;
    suite_state.outcome->detail =
        suite_state.reply.status ? LEAK_AFTER_ERROR : LEAK;
    if (facts->unreleased > 0)
        suite_state.outcome->hint = leak_hint(facts->unreleased_text);
}

void expect_launches_at_most(unsigned launches)
{
    const struct facts *facts = &suite_state.reply.facts;

    if (!suite_should_skip() && facts->counted && facts->launches > launches)
        suite_fail(WRONG, "launched %u kernels of its own, %u are allowed",
                   (unsigned)facts->launches, launches);
}

void expect_metric(enum metric metric, double minimum, double unit,
                   const char *unit_text)
{
    struct counter *counter = suite_state.counters;

    if (!counter || suite_failed())
        return;
    counter[metric].minimum += minimum;
    counter[metric].unit += unit;
    snprintf(counter[metric].unit_text, sizeof counter->unit_text, "%s",
             unit_text);
}

void expect_that(bool ok, const char *format, ...)
{
    char text[256];
    va_list arguments;

    if (suite_should_skip() || ok)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    suite_fail(WRONG, "%s", text);
}
