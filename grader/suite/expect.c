/* SPDX-License-Identifier: MIT */
/* The expectations of suite.h, and their messages for students. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diagnose.h"
#include "state.h"
#include "suite.h"

enum { MIN_SUPPLIED = 8192 }; /* bytes of parameters that any call may pass */

/* True when expectations have no effect: the test has failed, or only the
 * overhead is measured. */
static bool should_skip(void)
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

static void fail_for_bits(uint32_t bits, const char *format)
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

/* Bytes of the outputs in that memory; 0 when one is in the other. */
static size_t output_bytes_at(bool on_device, const struct frame *frame)
{
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
    if (!facts->counted || !output_bytes_at(true, &suite_state.frame))
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

void expect_success(int64_t status)
{
    struct facts *facts = &suite_state.reply.facts;

    if (should_skip())
        return;
    suite_assert(true, "");
    facts->status_text[FACT_SIZE - 1] = facts->error_text[FACT_SIZE - 1] = 0;
    if (status != 0)
        suite_fail(error_verdict(status), "returned %lld (%s), should be 0",
                   (long long)status,
                   facts->status_text[0] ? facts->status_text
                   : "no cudaError_t");
    else if (facts->error)
        suite_fail(error_verdict(facts->error),
                   "returned 0, but left an error behind: %s",
                   facts->error_text);
    fail_for_bits(facts->overrun,
                  "wrote outside of `%s`, before its start or past its end");
    fail_for_bits(facts->modified, "modified its input `%s`");
    fail_for_bits(facts->unsynchronized,
                  "`%s` was not complete when the default stream was: a "
                  "kernel or copy that writes it runs on a stream that "
                  "nothing waits for");
    check_traffic(facts);
}

/* Sparse arrays that are large enough for indices beyond 2^31. */
static uint32_t large_arguments(void)
{
    uint32_t bits = 0;

    for (unsigned i = 0; i < suite_state.frame.count; i++)
        if (arg_is_array(&suite_state.frame.arg[i])
            && suite_state.frame.arg[i].integer > INT32_MAX)
            bits |= 1u << i;
    return bits;
}

/* One of these sparse arguments has not been accessed beyond the largest power
 * of two of elements: where an index of 31 or 32 bits ends. */
static void fail_for_far_end(uint32_t bits)
{
    const unsigned i = (unsigned)__builtin_ctz(bits);
    const struct arg *arg = &suite_state.frame.arg[i];
    const uint64_t elements = (arg->bytes + (uint64_t)arg->integer)
                              / suite_state.element_bytes[i];
    const int power = 63 - __builtin_clzll(elements);
    char text[128];

    snprintf(text, sizeof text, "no element of `%%s` beyond the 2^%d%s was %s: "
             "is an index or a size computed in 32 bits?", power,
             power == 31 ? "st" : power == 32 ? "nd" : "th",
             arg->on_device ? "accessed" : "written");
    fail_for_bits(bits, text);
}

bool expect_far_access(int64_t status, bool far)
{
    const bool failed = suite_failed();
    const struct facts *facts = &suite_state.reply.facts;
    uint32_t untouched;

    expect_success(status);
    untouched = facts->untouched & large_arguments();
    if (!should_skip() && far)
        fail_for_bits(facts->incomplete,
                      "`%s` was not copied as a whole: is a number of bytes or "
                      "elements computed in 32 bits?");
    if (!should_skip() && far && untouched)
        fail_for_far_end(untouched);
    if (!failed && suite_failed())
        suite_state.outcome->hint = ""; /* the test's is about other sizes */
    return !should_skip() && facts->counted; /* nothing is, of a slow call */
}

void expect_error(int64_t status)
{
    if (!should_skip() && status == 0)
        suite_fail(WRONG, "returned 0; the contract asks for an error here");
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

/* The call's argument that is this output, or NULL. */
static const struct arg *find_argument(const struct expected *expected,
                                       unsigned *index)
{
    const struct frame *frame = &suite_state.frame;

    for (*index = 0; *index < frame->count; ++*index)
        if (frame->arg[*index].data == expected->got
            && arg_is_output(&frame->arg[*index]))
            return &frame->arg[*index];
    return NULL;
}

/* Content of the output before the call (poison), or NULL. */
static unsigned char *poison_pattern(const struct expected *expected,
                                     bool *on_device)
{
    unsigned index;
    const struct arg *arg = find_argument(expected, &index);
    unsigned char *poison;

    *on_device = arg && arg->on_device;
    if (!arg || arg->kind != ARG_OUT
        || arg->bytes != expected_count(expected)
                             * element_bytes(expected->type))
        return NULL;
    poison = malloc(arg->bytes + 1);
    if (poison)
        poison_fill(poison, arg->bytes, suite_state.poison, index);
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
    suite_state.outcome->detail =
        1 + 2 * (int)explained + (located == CERTAIN);
    suite_state.outcome->is_explained = explained == CERTAIN;
    if (suite_state.inputs <= SMALL_CASE_ARRAYS)
        small_case_draw(e, suite_state.input, suite_state.inputs,
                        suite_state.outcome->values);
    suite_state.outcome->hint = hint;
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
}

void suite_mistakes(mistakes *mistakes, const void *context)
{
    suite_state.mistakes = mistakes;
    suite_state.mistakes_context = context;
}

void expect_elements(const struct expected *expected)
{
    struct expected with_mistakes = *expected;
    struct comparison comparison;
    unsigned char *poison;
    bool on_device;

    if (should_skip())
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

void expect_no_leak(void)
{
    struct facts *facts = &suite_state.reply.facts;

    if (should_skip())
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
             && output_bytes_at(true, &suite_state.frame))
        suite_fail(WRONG,
                   "allocated %llu bytes of device memory: the call needs "
                   "none",
                   (unsigned long long)facts->allocated_bytes);
}

/* All inputs of the host must be copied to the device, and all outputs back;
 * managed memory counts once for each launch. */
static void check_copies(const struct facts *facts, const struct frame *frame)
{
    const uint64_t d2h_bytes = output_bytes_at(false, frame);
    const uint64_t shared = facts->managed_bytes * facts->launches;
    uint64_t h2d_bytes = 0;

    for (uint32_t i = 0; i < frame->count; i++)
        if (arg_is_input(&frame->arg[i]) && !frame->arg[i].on_device)
            h2d_bytes += frame->arg[i].bytes;
    if (facts->h2d_bytes + shared < h2d_bytes)
        suite_fail(WRONG,
                   "copied %llu bytes to the device; the inputs have %llu",
                   (unsigned long long)facts->h2d_bytes,
                   (unsigned long long)h2d_bytes);
    if (facts->d2h_bytes + shared < d2h_bytes)
        suite_fail(WRONG, "copied %llu bytes from the device; the outputs have "
                   "%llu", (unsigned long long)facts->d2h_bytes,
                   (unsigned long long)d2h_bytes);
}

/* The host may tell the device sizes and pointers, but not the result. */
static bool is_supplied(const struct facts *facts, const struct frame *frame)
{
    const uint64_t allowed = output_bytes_at(false, frame) / 16;

    return facts->supplied_bytes
           > (allowed > MIN_SUPPLIED ? allowed : MIN_SUPPLIED);
}

/* The host did the device's work: no test counts, and a person should look. */
static void note_host_work(const char *review)
{
    struct outcome *outcome = suite_state.outcome;

    outcome->host_work = true;
    if (!*outcome->review)
        snprintf(outcome->review, sizeof outcome->review, "%s", review);
}

/* What the device process saw (runner/soft/transfers.c). */
static void check_supplied(const struct facts *facts)
{
    const struct frame *frame = &suite_state.frame;
    const bool supplied = is_supplied(facts, frame);

    if (supplied)
        note_host_work("the host passed a result to the device");
    if (supplied)
        suite_fail(WRONG, "the device got %llu bytes from the host that are no "
                   "input's: it must compute the result itself",
                   (unsigned long long)facts->supplied_bytes);
}

void expect_inputs_copied(void)
{
    const struct facts *facts = &suite_state.reply.facts;

    if (should_skip() || !facts->counted)
        return;
    suite_state.outcome->host_work |= facts->not_copied != 0;
    fail_for_bits(facts->not_copied,
                  "`%s` was not copied to the device as a whole");
    check_supplied(facts);
}

void expect_kernel(void)
{
    const struct facts *facts = &suite_state.reply.facts;

    if (should_skip())
        return;
    if (facts->launches == 0 && facts->graph_launches == 0)
        suite_fail(WRONG, "no kernel was launched: the device should do the "
                   "work, not the host");
    else if (facts->counted && facts->graph_launches == 0)
        check_copies(facts, &suite_state.frame);
    if (facts->host_written)
        note_host_work("the host wrote to an output");
    fail_for_bits(facts->host_written,
                  "the host wrote to `%s`: the result must be what the device "
                  "copies there");
}

void expect_host_work(const char *function, size_t calls, size_t elements)
{
    const struct facts *facts = &suite_state.reply.facts;

    if (!should_skip() && facts->host_work == 0)
        suite_fail(WRONG, "%s was not called; it should be called %zu times, "
                   "for %zu elements in all", function, calls, elements);
    else if (!should_skip() && facts->host_work != calls + elements)
        suite_fail(WRONG, "%s was called more or fewer times, or for more or "
                   "fewer elements, than %zu times for %zu elements in all",
                   function, calls, elements);
}

void expect_launches_at_most(unsigned launches)
{
    const struct facts *facts = &suite_state.reply.facts;

    if (!should_skip() && facts->counted && facts->launches > launches)
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

    if (should_skip() || ok)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    suite_fail(WRONG, "%s", text);
}
