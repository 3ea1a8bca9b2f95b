/* SPDX-License-Identifier: MIT */
/* Expectations about where the work was done: were the inputs copied to the
 * device, the outputs back, and was that all? */
#include <stdio.h>
#include <strings.h>

#include "state.h"
#include "suite.h"

enum {
    MIN_SUPPLIED = 8192, /* bytes of parameters that any call may pass */
    MIN_RESULT = 256,    /* of outputs: smaller than the parameters of a few
                            launches */
    REPEATS = 4,         /* the second call may use what the first one left */
    MIN_REPEATED = 24,   /* bytes that a call may change of the last one's */
    CALLER_BYTES = 128,  /* the same for each of several host threads, whose
                            calls and allocations come in any order */
    MOST_CALLERS = 4     /* that count */
};

/* Arguments that may have to be copied to the device, a bit each. */
struct sources {
    uint32_t inputs;  /* arrays in host memory that the lab reads */
    uint32_t decoded; /* what it decodes from them; 0: nothing */
};

static struct sources find_sources(const struct frame *frame)
{
    struct sources s = {0};

    for (uint32_t i = 0; i < frame->count; i++)
        if (frame->arg[i].kind == ARG_DECODED)
            s.decoded |= 1u << i;
        else if (arg_is_input(&frame->arg[i]) && !frame->arg[i].on_device)
            s.inputs |= 1u << i;
    return s;
}

/* All inputs of the host must be copied to the device, and all outputs back;
 * managed memory counts once for each launch. */
static void check_copies(const struct facts *facts, const struct frame *frame)
{
    const uint64_t d2h_bytes = suite_output_bytes(false);
    const uint64_t shared = facts->managed_bytes * facts->launches;
    const struct sources sources = find_sources(frame);
    uint64_t h2d_bytes = 0;

    for (uint32_t i = 0; i < frame->count; i++)
        if (sources.inputs >> i & 1)
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
static bool is_supplied(const struct facts *facts)
{
    const uint64_t allowed = suite_output_bytes(false) / 16;

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

/* Could the parameters of the launches be the result?  Honest ones are few, but
 * a launch for each row has as many, so no point is lost. */
static void note_many_parameters(const struct facts *facts)
{
    const uint64_t result = suite_output_bytes(false);
    struct outcome *outcome = suite_state.outcome;

    if (result >= MIN_RESULT && facts->supplied_bytes >= result
        && !*outcome->review)
        snprintf(outcome->review, sizeof outcome->review,
                 "the host passed %llu bytes to the device, and the result has "
                 "%llu: is it computed there?",
                 (unsigned long long)facts->supplied_bytes,
                 (unsigned long long)result);
}

/* Counts of the device process (runner/soft/inputs.c). */
static void check_supplied(const struct facts *facts)
{
    if (!is_supplied(facts)) {
        note_many_parameters(facts);
        return;
    }
    note_host_work("the host passed a result to the device");
    suite_fail(WRONG, "the device got %llu bytes from the host that are no "
               "input's: it must compute the result itself",
               (unsigned long long)facts->supplied_bytes);
    suite_hint("A table of constants that the host sends may have 8 KiB; a "
               "larger one can be a __constant__ array with initial values, or "
               "be computed by a kernel.");
}

void suite_check_overread(void)
{
    struct facts *facts = &suite_state.reply.facts;
    const unsigned index = (unsigned)ffs((int)facts->overread) - 1;
    char name[64], from[48] = "";

    if (!facts->overread || index >= suite_state.frame.count)
        return;
    parameter_name(suite_state.parameters ? suite_state.parameters
                                          : suite_state.lab->prototype,
                   index, name, sizeof name);
    if (facts->overread_first)
        snprintf(from, sizeof from, " from byte %llu on",
                 (unsigned long long)facts->overread_first);
    facts->overread_text[FACT_SIZE - 1] = 0;
    suite_fail(WRONG, "%s%sthe copy reads %llu bytes of `%s`%s, which has %zu",
               facts->overread_text, *facts->overread_text ? ": " : "",
               (unsigned long long)(facts->overread_end
                                    - facts->overread_first),
               name, from, (size_t)suite_state.frame.arg[index].bytes);
    suite_hint("A copy has as many bytes as the host's array: sizeof of an "
               "element, not of a pointer, times their number. A __constant__ "
               "or device array with room for the largest case may be longer, "
               "and what lies behind the host's may not even be readable.");
}

uint32_t suite_missing_inputs(const struct facts *facts)
{
    const struct sources sources = find_sources(&suite_state.frame);

    /* one that decodes on the device breaks another rule */
    return !sources.decoded || facts->not_copied & sources.decoded
               ? facts->not_copied & sources.inputs : 0;
}

void expect_inputs_copied(void)
{
    const struct facts *facts = &suite_state.reply.facts;
    const struct sources sources = find_sources(&suite_state.frame);
    const uint32_t missing = suite_missing_inputs(facts);

    if (suite_should_skip() || !facts->counted)
        return;
    if (missing) {
        suite_state.outcome->host_work = true;
        suite_fail_for_bits(missing, sources.decoded
                      ? "what the host decodes from `%s` was not copied to the "
                        "device as a whole"
                      : "`%s` was not copied to the device as a whole");
    }
    check_supplied(facts);
}

/* Did the last call tell the device what the one before it did, with other
 * data?  Less than a result that is worth points. */
static bool is_repeated(const struct facts *facts, bool may_use_threads)
{
    const uint32_t callers = !may_use_threads ? 0
                             : facts->callers < MOST_CALLERS ? facts->callers
                                                             : MOST_CALLERS;

    return facts->supplied_bytes
           <= suite_output_bytes(false) / 16 + MIN_REPEATED
                  + (callers > 1 ? callers * CALLER_BYTES : 0);
}

static void repeat(void (*check)(const void *context), const void *context,
                   bool may_use_threads)
{
    const struct facts *facts = &suite_state.reply.facts;
    static const char review[] =
        "what the host passes to the device depends on the data";
    struct outcome *outcome = suite_state.outcome;
    uint64_t result;
    const bool had_review = *outcome->review;

    for (int i = 0; i < REPEATS; i++) {
        check(context);
        if (suite_failed() || !facts->counted)
            return;
        if (i && is_repeated(facts, may_use_threads)) {
            if (!had_review) /* it was the first call's parameters */
                *outcome->review = 0;
            return;
        }
    }
    result = suite_output_bytes(false);
    suite_fail(WRONG, "called again with the same shape and other data, the "
               "host passed %llu other bytes to the device: launches, their "
               "arguments and copies must not depend on the data",
               (unsigned long long)facts->supplied_bytes);
    suite_hint("The kernel computes the result from the inputs that were "
               "copied.  An argument that counts calls, and memory that is "
               "copied but was never written, differ from call to call, too.");
    if (result >= MIN_RESULT && 2 * facts->supplied_bytes >= result)
        note_host_work(review);
    else if (!*outcome->review)
        snprintf(outcome->review, sizeof outcome->review, "%s", review);
}

void suite_repeat(void (*check)(const void *context), const void *context)
{
    repeat(check, context, false);
}

void suite_repeat_threads(void (*check)(const void *context),
                          const void *context)
{
    repeat(check, context, true);
}

void expect_kernel(void)
{
    const struct facts *facts = &suite_state.reply.facts;

    if (suite_should_skip())
        return;
    if (facts->launches == 0 && facts->graph_launches == 0)
        suite_fail(WRONG, "no kernel was launched: the device should do the "
                   "work, not the host");
    else if (facts->counted && facts->graph_launches == 0)
        check_copies(facts, &suite_state.frame);
    if (facts->host_written)
        note_host_work("the host wrote to an output");
    suite_fail_for_bits(facts->host_written,
                  "the host wrote to `%s`: the result must be what the device "
                  "copies there");
}

/* "a multiple of a batch" tells that whole ones were processed again. */
static void fail_for_calls(const struct facts *facts, const char *function,
                           size_t calls, size_t elements)
{
    const uint64_t done = facts->host_work - facts->host_calls;
    const uint64_t times = facts->host_calls;
    const bool are_whole =
        calls && done == times * (elements / calls) && times != calls;

    suite_fail(WRONG, "%s was called %llu time%s for %llu elements in all, "
               "should be %zu time%s for %zu", function,
               (unsigned long long)times, times == 1 ? "" : "s",
               (unsigned long long)done, calls, calls == 1 ? "" : "s",
               elements);
    if (are_whole && times > calls)
        suite_hint(times == calls + 1
                       ? "Is one past the last one loaded ahead (only where b "
                         "+ 1 < batches), or the first one before a loop, and "
                         "again in it?"
                       : "Is something processed once before a loop, and again "
                         "in it?");
}

void expect_host_work(const char *function, size_t calls, size_t elements)
{
    const struct facts *facts = &suite_state.reply.facts;

    if (!suite_should_skip() && facts->host_work == 0)
        suite_fail(WRONG, "%s was not called; it should be called %zu times, "
                   "for %zu elements in all", function, calls, elements);
    else if (!suite_should_skip()
             && (facts->host_work != calls + elements
                 || facts->host_calls != calls))
        fail_for_calls(facts, function, calls, elements);
}
