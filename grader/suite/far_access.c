/* SPDX-License-Identifier: MIT */
/* The expectation of calls with sparse arrays: suite_use_sparse_memory(). */
#include <stdio.h>

#include "state.h"
#include "suite.h"

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

/* Inputs, where the lab gives a function of the host that loads them. */
static uint32_t loaded_by_host(const struct facts *facts)
{
    uint32_t bits = 0;

    for (unsigned i = 0; facts->host_work && i < suite_state.frame.count; i++)
        if (arg_is_input(&suite_state.frame.arg[i]))
            bits |= 1u << i;
    return bits;
}

/* Elements of a sparse argument. */
static uint64_t elements_of(unsigned i)
{
    const struct arg *arg = &suite_state.frame.arg[i];

    return (arg->bytes + (uint64_t)arg->integer)
           / suite_state.element_bytes[i];
}

/* Threads of the last launch for each element of the first of these arguments.
 * Of the far end the last block alone has been run, which has nothing to do in
 * a grid that is many times too large. */
static uint64_t threads_for_each(uint32_t bits)
{
    const struct facts *facts = &suite_state.reply.facts;
    double threads = 1;

    for (int i = 0; i < 3; i++)
        threads *= (double)facts->grid[i] * facts->block[i];
    return (uint64_t)(threads
                      / (double)elements_of((unsigned)__builtin_ctz(bits)));
}

/* One of these sparse arguments has not been accessed beyond the largest power
 * of two of elements: where an index of 31 or 32 bits ends. */
static void fail_for_far_end(uint32_t bits)
{
    const unsigned i = (unsigned)__builtin_ctz(bits);
    const struct arg *arg = &suite_state.frame.arg[i];
    const uint64_t elements = elements_of(i);
    const int power = 63 - __builtin_clzll(elements);
    const char *ending = power == 31   ? "st"
                         : power == 32 ? "nd"
                         : power == 33 ? "rd" : "th";
    char text[128];

    snprintf(text, sizeof text, "no element of `%%s` beyond the 2^%d%s was %s: "
             "is an index or a size computed in 32 bits?", power, ending,
             arg->on_device ? "accessed" : "written");
    suite_fail_for_bits(bits, text);
}

/* The last block had nothing to do. */
static void fail_for_large_grid(uint32_t bits)
{
    char text[160];

    snprintf(text, sizeof text, "the last block accessed no element of `%%s`: "
             "the grid has %llu threads for each element",
             (unsigned long long)threads_for_each(bits));
    suite_fail_for_bits(bits, text);
}

static const char grid_hint[] =
    "The grid counts blocks: in each dimension the elements divided by those "
    "of a block, or of a tile, rounded up.";
static const char index_hint[] =
    "int and unsigned have 32 bits, and the product of two is computed in 32 "
    "bits, too: make one factor a size_t first.";

void expect_end(int64_t (*fewer)(void))
{
    /* one loop may take longer than another for no fault */
    enum { MARGIN = 3 };
    const double limit = suite_state.session->limits.seconds;
    const double cpu_seconds = suite_state.reply.cpu_seconds;
    char at[sizeof suite_state.slow_at];

    if (!suite_state.is_slow || suite_should_skip())
        return;
    snprintf(at, sizeof at, "%s", suite_state.slow_at);
    if (fewer() != 0 || suite_state.is_slow || suite_should_skip()
        || suite_state.reply.cpu_seconds * MARGIN > cpu_seconds)
        return; /* a slow kernel, or one that fails: nothing is known */
    suite_fail(WRONG, "did not return within %g s%s; with fewer than 2^32 "
               "elements it took %.2g s: an index of 32 bits starts again at 0 "
               "and never reaches the end",
               limit, at, suite_state.reply.cpu_seconds);
    suite_state.outcome->hint = index_hint;
}

bool expect_far_access(int64_t status, bool far)
{
    enum { MANY = 8 }; /* threads for each element: more than any lab needs */
    const bool failed = suite_failed();
    const struct facts *facts = &suite_state.reply.facts;
    uint32_t untouched;
    bool is_too_large;

    expect_success(status);
    untouched = facts->untouched & large_arguments();
    if (far && facts->abandoned)
        return false; /* what these blocks would have done is not known */
    if (!suite_should_skip() && far)
        suite_fail_for_bits(facts->incomplete & large_arguments()
                                & ~loaded_by_host(facts),
                      "`%s` was not copied as a whole: is a number of bytes or "
                      "elements computed in 32 bits?");
    is_too_large = far && untouched && threads_for_each(untouched) >= MANY;
    if (!suite_should_skip() && is_too_large)
        fail_for_large_grid(untouched);
    if (!suite_should_skip() && far && untouched)
        fail_for_far_end(untouched);
    if (!suite_should_skip())
        suite_fail_for_bits(untouched & facts->astray,
                            "of `%s` the last blocks accessed elements near "
                            "the start, which belong to others: is an index "
                            "computed in 32 bits, or a tile's number in "
                            "fewer?");
    if (!failed && suite_failed()) /* the test's is about other sizes */
        suite_state.outcome->hint =
            is_too_large ? grid_hint
            : untouched & facts->astray && !far
                ? "The index of an element needs a size_t: int and unsigned "
                  "have 32 bits, and so has a product of two.  A short has 16."
                : index_hint;
    /* of a slow call nothing is counted */
    return !suite_should_skip() && facts->counted;
}
