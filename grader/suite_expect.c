/* SPDX-License-Identifier: MIT */
/* The expectations of suite.h, in the learner's words. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose.h"
#include "suite_state.h"
#include "watch.h"

/* True when an expectation has nothing to say: the test failed before, or
 * only the channel is being measured. */
static bool idle(void)
{
    return suite_failed() || suite_state.mode == CALL_NOTHING;
}

/* A CUDA error as a verdict: some mean that a kernel broke. */
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

static void check_bit(uint32_t bits, const char *format)
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

/* Outputs of this call that lie there; 0 when one lies elsewhere. */
static size_t outputs_at(bool on_device, const struct frame *frame)
{
    size_t bytes = 0;

    for (uint32_t i = 0; i < frame->count; i++) {
        const struct arg *arg = &frame->arg[i];

        if (!arg_comes_back(arg))
            continue;
        if (arg->on_device != on_device)
            return 0;
        bytes += arg->bytes;
    }
    return bytes;
}

/* Where all arrays are the device's, the host has no way to see an input: what
 * it does not see it cannot work out. */
static void check_traffic(const struct facts *facts)
{
    if (!facts->counted || !outputs_at(true, &suite_state.frame))
        return;
    if (facts->down)
        suite_fail(WRONG, "copied %llu bytes from the device to the host: the "
                   "work is the device's, and nothing need come back",
                   (unsigned long long)facts->down);
    else if (facts->together)
        suite_fail(WRONG, "took %llu bytes of memory that the host can use "
                   "too: the work is the device's",
                   (unsigned long long)facts->together);
}

void expect_success(int64_t status)
{
    struct facts *facts = &suite_state.answer.facts;

    if (idle())
        return;
    suite_assert(true, "");
    facts->status_text[FACT_TEXT - 1] = facts->error_text[FACT_TEXT - 1] = 0;
    if (status != 0)
        suite_fail(error_verdict(status), "returned %lld (%s), should be 0",
                   (long long)status,
                   facts->status_text[0] ? facts->status_text
                                         : "no cudaError_t");
    else if (facts->error)
        suite_fail(error_verdict(facts->error),
                   "returned 0, but left an error behind: %s",
                   facts->error_text);
    check_bit(facts->overrun, "wrote outside of `%s`, beside its ends");
    check_bit(facts->changed, "changed its input `%s`");
    check_bit(facts->late, "`%s` was not there when the default stream's work "
                           "was done: what makes it runs on a stream that "
                           "nothing waits for");
    check_traffic(facts);
}

void expect_refusal(int64_t status)
{
    if (!idle() && status == 0)
        suite_fail(WRONG, "returned 0; the contract asks for an error here");
}

/* The numbers with as few digits as tell them apart; a NaN without its sign. */
static void two_numbers(double got, double want, char *text, size_t bytes)
{
    char a[40], b[40];
    int digits = 6;

    got = isnan(got) ? NAN : got;
    want = isnan(want) ? NAN : want;
    do {
        snprintf(a, sizeof a, "%.*g", digits, got);
        snprintf(b, sizeof b, "%.*g", digits, want);
    } while (!strcmp(a, b) && ++digits <= 17);
    snprintf(text, bytes, "is %s, should be %s", a, b);
}

/* The poison that stood in the output before the call, or NULL. */
static unsigned char *poison_of(const struct expected *expected)
{
    const struct frame *frame = &suite_state.frame;

    for (uint32_t i = 0; i < frame->count; i++) {
        const struct arg *arg = &frame->arg[i];
        unsigned char *poison;

        if (arg->kind != ARG_OUT || arg->data != expected->got
            || arg->bytes != expected_count(expected)
                                 * element_bytes(expected->type))
            continue;
        poison = malloc(arg->bytes + 1);
        if (poison)
            poison_fill(poison, arg->bytes, suite_state.poison, i);
        return poison;
    }
    return NULL;
}

static void fail_elements(const struct evidence *e)
{
    const struct comparison *c = e->comparison;
    char name[96], numbers[128], thread[DIAGNOSIS_TEXT];
    char where[DIAGNOSIS_TEXT], what[DIAGNOSIS_TEXT];

    element_name(e->expected, c->first, name, sizeof name);
    two_numbers(c->got, c->want, numbers, sizeof numbers);
    diagnose_where(e, where);
    diagnose_what(e, what);
    diagnose_thread(e, c->first, thread);
    suite_fail(WRONG, "%s %s: %zu of %zu wrong%s%s%s%s%s%s%s", name, numbers,
               c->wrong, c->count, *where ? ", " : "", where,
               *thread ? " (" : "", thread, *thread ? ")" : "",
               *what ? "; " : "", what);
}

/* Keeps a right output: a later one that equals it is stale. */
static void remember(const struct expected *expected)
{
    size_t count = expected_count(expected);
    double *copy = malloc((count + 1) * sizeof *copy);

    if (!copy)
        return;
    for (size_t i = 0; i < count; i++)
        copy[i] = element_at(expected->got, expected->type, i);
    free(suite_state.previous);
    suite_state.previous = copy;
    suite_state.previous_count = count;
}

void expect_elements(const struct expected *expected)
{
    struct comparison comparison;
    unsigned char *poison;

    if (idle())
        return;
    suite_assert(true, "");
    if (!compare(expected, &comparison)) {
        suite_fail(INTERNAL, "no memory to compare");
        return;
    }
    if (comparison.wrong) {
        poison = poison_of(expected);
        fail_elements(&(struct evidence){
            expected, &comparison, poison, suite_state.previous,
            suite_state.previous_count,
            /* of a library's kernels nothing is known */
            *suite_state.lab->libraries ? NULL : &suite_state.answer.facts});
        free(poison);
    } else {
        remember(expected);
    }
    free(comparison.bad);
}

void expect_no_leak(void)
{
    const struct facts *facts = &suite_state.answer.facts;

    if (!idle() && facts->held > 0) /* pinned blocks take memory, too */
        suite_fail(WRONG, "kept %d of the streams, events, graphs or pinned "
                   "blocks that it made", (int)facts->held);
    else if (!idle() && facts->leaked)
        suite_fail(WRONG, "%llu bytes of device memory were not freed",
                   (unsigned long long)facts->leaked);
    else if (!idle() && facts->taken && !*suite_state.lab->libraries
             && outputs_at(true, &suite_state.frame))
        suite_fail(WRONG, "took %llu bytes of device memory, if only for the "
                   "call: nothing need be allocated",
                   (unsigned long long)facts->taken);
}

/* All of the host's inputs must go up, and its outputs come down; or there is
 * memory for both sides, which each launch may have worked on anew. */
static void check_way(const struct facts *facts, const struct frame *frame)
{
    const uint64_t down = outputs_at(false, frame);
    const uint64_t shared = facts->together * facts->launches;
    uint64_t up = 0;

    for (uint32_t i = 0; i < frame->count; i++)
        if (arg_goes_in(&frame->arg[i]) && !frame->arg[i].on_device)
            up += frame->arg[i].bytes;
    if (facts->up + shared < up)
        suite_fail(WRONG, "copied %llu bytes to the device of %llu that are to "
                   "be worked on there", (unsigned long long)facts->up,
                   (unsigned long long)up);
    if (facts->down + shared < down)
        suite_fail(WRONG, "copied %llu bytes from the device of %llu that "
                   "are to be made there", (unsigned long long)facts->down,
                   (unsigned long long)down);
}

void expect_kernel(void)
{
    const struct facts *facts = &suite_state.answer.facts;

    if (idle())
        return;
    if (facts->launches == 0 && facts->replays == 0)
        suite_fail(WRONG, "no kernel was launched: the device should do the "
                   "work, not the host");
    else if (facts->counted && facts->replays == 0)
        check_way(facts, &suite_state.frame);
}

void expect_launches_at_most(unsigned launches)
{
    const struct facts *facts = &suite_state.answer.facts;

    if (!idle() && facts->counted && facts->launches > launches)
        suite_fail(WRONG, "launched %u kernels of its own, %u are allowed",
                   (unsigned)facts->launches, launches);
}

void expect_cost(enum cost cost, double least, double unit, const char *per)
{
    struct counted *counted = suite_state.costs;

    if (!counted || suite_failed())
        return;
    counted[cost].least += least;
    counted[cost].unit += unit;
    snprintf(counted[cost].per, sizeof counted->per, "%s", per);
}

void expect_that(bool ok, const char *format, ...)
{
    char text[256];
    va_list arguments;

    if (idle() || ok)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    suite_fail(WRONG, "%s", text);
}
