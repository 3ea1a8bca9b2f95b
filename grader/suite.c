/* SPDX-License-Identifier: MIT */
/* A test of a suite: its state, its arrays, its failure. */
#include <CUnit/CUnit.h>
#include <CUnit/TestRun.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite_state.h"
#include "text.h"

struct suite_state suite_state;

void test_begin(struct session *session, const struct lab *lab, uint64_t seed,
                const char *name, struct outcome *outcome)
{
    *outcome = (struct outcome){.verdict = PASS};
    suite_state = (struct suite_state){.session = session, .lab = lab,
                                       .outcome = outcome};
    session->order = 0;
    random_start(seed, name);
}

void test_measure_channel(void)
{
    suite_state.mode = CALL_NOTHING;
}

void suite_captured(void)
{
    if (suite_state.mode == CALL_LAB)
        suite_state.mode = CALL_CAPTURED;
}

void test_count_costs(struct counted *costs)
{
    suite_state.costs = costs;
}

void test_end(void)
{
    while (suite_state.arrays) {
        struct allocation *next = suite_state.arrays->next;

        free(suite_state.arrays);
        suite_state.arrays = next;
    }
    free(suite_state.previous);
    suite_state.previous = NULL;
}

/* Our own memory running out is nobody's defect; there is no way on. */
static void *array(size_t n, size_t bytes)
{
    enum { ALIGNED = 64 }; /* room for the list, and the data stays aligned */
    size_t size = (n * bytes + 2 * ALIGNED) / ALIGNED * ALIGNED;
    struct allocation *made = aligned_alloc(ALIGNED, size);

    if (!made) {
        fprintf(stderr, "warpbook: out of memory for a test's arrays\n");
        exit(EXIT_FAILURE);
    }
    memset(made, 0, size);
    made->next = suite_state.arrays;
    suite_state.arrays = made;
    return (char *)made + ALIGNED;
}

float *suite_floats(size_t n)
{
    return array(n, sizeof(float));
}

double *suite_doubles(size_t n)
{
    return array(n, sizeof(double));
}

int32_t *suite_ints(size_t n)
{
    return array(n, sizeof(int32_t));
}

uint8_t *suite_bytes(size_t n)
{
    return array(n, 1);
}

size_t suite_size(size_t soft, size_t gpu)
{
    return suite_state.session->gpu ? gpu : soft;
}

void suite_case(const char *format, ...)
{
    va_list arguments;

    if (suite_failed())
        return;
    va_start(arguments, format);
    vsnprintf(suite_state.about, sizeof suite_state.about, format, arguments);
    va_end(arguments);
}

bool suite_failed(void)
{
    return suite_state.outcome->verdict != PASS;
}

void suite_each(void (*check)(size_t n), const size_t *sizes, size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++)
        check(sizes[i]);
}

void suite_frees(void (*check)(size_t n), size_t most)
{
    for (size_t n = 10; n <= most && !suite_failed(); n *= 10) {
        check(n);
        expect_no_leak();
    }
}

/* The last lines that the student's code wrote to stderr. */
static void keep_printed(struct outcome *outcome)
{
    const struct capture *err = &suite_state.session->process.err;
    const char *from;

    process_drain(&suite_state.session->process);
    if (!err->text)
        return;
    from = err->length < PRINTED_TEXT
               ? err->text : err->text + err->length - PRINTED_TEXT + 1;
    snprintf(outcome->printed, sizeof outcome->printed, "%s", from);
    printable(outcome->printed);
}

/* Timed runs are no CUnit tests: outside of one, CUnit must not be called. */
void suite_assert(bool ok, const char *message)
{
    if (CU_get_current_test())
        CU_assertImplementation(ok, 0, message, suite_state.lab->stem, "",
                                CU_FALSE);
}

void suite_fail(enum verdict verdict, const char *format, ...)
{
    struct outcome *outcome = suite_state.outcome;
    char text[MESSAGE_TEXT - 160];
    va_list arguments;

    if (suite_failed())
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printable(text);
    outcome->verdict = verdict;
    snprintf(outcome->message, sizeof outcome->message, "%s%s%s%s",
             suite_state.about,
             suite_state.mode == CALL_CAPTURED ? ", captured into a graph" : "",
             *suite_state.about ? ": " : "", text);
    keep_printed(outcome);
    suite_assert(false, outcome->message);
}

static bool in_name(char c)
{
    return c == '_' || (c >= '0' && c <= '9')
           || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* The name is the last identifier of the parameter's declaration. */
void parameter_name(const char *prototype, unsigned index, char *text,
                    size_t bytes)
{
    const char *at = strchr(prototype, '('), *end;

    snprintf(text, bytes, "argument %u", index + 1);
    for (; at && index > 0; index--)
        at = strchr(at + 1, ',');
    if (!at || !(end = strpbrk(at + 1, ",)")))
        return;
    while (end > at + 1 && !in_name(end[-1]))
        end--;
    for (at = end; in_name(at[-1]);)
        at--;
    if (end > at)
        snprintf(text, bytes, "%.*s", (int)(end - at), at);
}
