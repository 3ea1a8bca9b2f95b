/* SPDX-License-Identifier: MIT */
/* State, arrays and failure of the running test. */
#include <CUnit/CUnit.h>
#include <CUnit/TestRun.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "passed.h"
#include "state.h"
#include "suite.h"
#include "common/base/text.h"

struct suite_state suite_state;

void test_begin(struct session *session, const struct lab *lab, uint64_t seed,
                const char *name, struct outcome *outcome)
{
    *outcome = (struct outcome){.verdict = PASS};
    suite_state = (struct suite_state){.session = session, .lab = lab,
                                       .outcome = outcome};
    session_begin_test();
    session->schedule_seed = session->multiprocessors = 0;
    session->sparse = session->sampled = false;
    random_seed(seed, name);
}

void test_measure_overhead(void)
{
    suite_state.mode = CALL_EMPTY;
}

void suite_capture_graph(void)
{
    if (suite_state.mode == CALL_LAB)
        suite_state.mode = CALL_IN_GRAPH;
}

void test_count_metrics(struct counter *counters)
{
    suite_state.counters = counters;
}

void test_limit_bytes(size_t bytes)
{
    suite_state.most_bytes = bytes;
}

void test_end(void)
{
    while (suite_state.arrays) {
        struct allocation *next = suite_state.arrays->next;

        free(suite_state.arrays->block);
        suite_state.arrays = next;
    }
    free(suite_state.previous);
    suite_state.previous = NULL;
    if (suite_state.sparse)
        suite_state.session->limits.seconds = suite_state.call_seconds;
}

/* Without memory for its arrays the grader cannot go on. */
static void *allocate(size_t n, size_t bytes)
{
    /* Room for the list, before aligned data.  calloc(): the pages of a large
     * array are zeros that nobody has to write. */
    char *block = calloc(1, n * bytes + 3 * SUITE_ALIGNMENT);
    struct allocation *made = (struct allocation *)(
        block + (-(uintptr_t)block & (SUITE_ALIGNMENT - 1)));

    if (!block) {
        fprintf(stderr, "warpbook: out of memory for a test's arrays\n");
        exit(EXIT_FAILURE);
    }
    *made = (struct allocation){suite_state.arrays, n * bytes, block, NULL};
    suite_state.arrays = made;
    return (char *)made + SUITE_ALIGNMENT;
}

float *suite_floats(size_t n)
{
    return allocate(n, sizeof(float));
}

float *suite_kept_floats(const void *key, size_t n)
{
    struct allocation *kept = suite_state.arrays;
    float *made;

    while (kept && kept->key != key)
        kept = kept->next;
    if (kept)
        return (float *)(void *)((char *)kept + SUITE_ALIGNMENT);
    made = suite_floats(n);
    suite_state.arrays->key = key;
    return made;
}

double *suite_doubles(size_t n)
{
    return allocate(n, sizeof(double));
}

int32_t *suite_ints(size_t n)
{
    return allocate(n, sizeof(int32_t));
}

uint8_t *suite_bytes(size_t n)
{
    return allocate(n, 1);
}

size_t suite_size(size_t soft, size_t gpu)
{
    return suite_state.session->gpu ? gpu : soft;
}

void suite_case(const char *format, ...)
{
    va_list arguments;

    if (suite_failed()) {
        suite_state.is_past_failure = true;
        return;
    }
    note_passed_case(&suite_state);
    va_start(arguments, format);
    vsnprintf(suite_state.case_text, sizeof suite_state.case_text, format,
              arguments);
    va_end(arguments);
}

void suite_case_more(const char *text)
{
    const size_t length = strlen(suite_state.case_text);

    if (!suite_failed() && !strstr(suite_state.case_text, text))
        snprintf(suite_state.case_text + length,
                 sizeof suite_state.case_text - length, "%s", text);
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

void suite_check_frees(void (*check)(size_t n), size_t most)
{
    for (size_t n = 10; n <= most && !suite_failed(); n *= 10) {
        check(n);
        expect_no_leak();
    }
}

void suite_forget_stderr(void)
{
    process_drain(&suite_state.session->process);
    suite_state.failure_printed = suite_state.session->process.err.length;
}

/* Save the end of the submission's stderr, from the last call on that did not
 * have to fail. */
static void save_stderr(struct outcome *outcome)
{
    const struct capture *err = &suite_state.session->process.err;
    size_t from;

    process_drain(&suite_state.session->process);
    if (!err->text)
        return;
    from = suite_state.failure_printed <= err->length
               ? suite_state.failure_printed : 0;
    if (err->length - from >= PRINTED_SIZE)
        from = err->length - PRINTED_SIZE + 1;
    snprintf(outcome->printed, sizeof outcome->printed, "%s",
             err->text + from);
    make_printable(outcome->printed);
}

/* Timed runs are not CUnit tests: outside of one, CUnit must not be called. */
void suite_assert(bool ok, const char *message)
{
    if (CU_get_current_test())
        CU_assertImplementation(ok, 0, message, suite_state.lab->stem, "",
                                CU_FALSE);
}

/* The function of the last call: the lab's only one where no stub names the
 * parameters, none where it names these alone. */
static void name_function(char *name, size_t bytes)
{
    const char *call = suite_state.parameters;
    const size_t length = call ? strcspn(call, "(") : 0;

    if (call)
        snprintf(name, bytes, "%.*s", (int)length, call);
    else if (suite_state.lab)
        snprintf(name, bytes, "%s", suite_state.lab->function);
}

void suite_fail(enum verdict verdict, const char *format, ...)
{
    struct outcome *outcome = suite_state.outcome;
    char text[MESSAGE_SIZE - 160];
    va_list arguments;

    if (suite_failed())
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    make_printable(text);
    outcome->verdict = verdict;
    name_function(outcome->function, sizeof outcome->function);
    snprintf(outcome->message, sizeof outcome->message, "%s%s%s%s",
             suite_state.case_text,
             suite_state.mode == CALL_IN_GRAPH ? ", captured into a graph" : "",
             *suite_state.case_text ? ": " : "", text);
    name_passed_cases(&suite_state);
    save_stderr(outcome);
    suite_assert(false, outcome->message);
}

void suite_hint(const char *hint)
{
    if (suite_failed() && hint && !suite_state.outcome->hint
        && !suite_state.is_past_failure)
        suite_state.outcome->hint = hint;
}

void suite_overrun_hint(const char *hint)
{
    suite_state.overrun_hint = hint;
}

void suite_mistakes(mistakes *mistakes, const void *context)
{
    suite_state.mistakes = mistakes;
    suite_state.mistakes_context = context;
}

void suite_response(const struct response *response)
{
    suite_state.response = response;
}

bool suite_says(const char *words)
{
    return suite_failed() && strstr(suite_state.outcome->message, words);
}

static bool is_identifier_char(char c)
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
    while (end > at + 1 && !is_identifier_char(end[-1]))
        end--;
    for (at = end; is_identifier_char(at[-1]);)
        at--;
    if (end > at)
        snprintf(text, bytes, "%.*s", (int)(end - at), at);
}
