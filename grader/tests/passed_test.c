/* SPDX-License-Identifier: MIT */
/* What is said of the cases before the one that failed. */
#include <stdio.h>
#include <string.h>

#include "common/base/tests/run_tests.h"
#include "grader/suite/passed.h"

static struct outcome outcome;
static struct suite_state state;

static void begin(void)
{
    memset(&outcome, 0, sizeof outcome);
    memset(&state, 0, sizeof state);
    state.outcome = &outcome;
}

static void name(const char *text)
{
    note_passed_case(&state);
    snprintf(state.case_text, sizeof state.case_text, "%s", text);
    state.is_checked = true;
}

static void says(const char *text)
{
    outcome.passed[0] = 0;
    name_passed_cases(&state);
    CU_ASSERT_STRING_EQUAL(outcome.passed, text);
}

/* Nothing passed before the first case; then one, some, many. */
static void some_cases(void)
{
    begin();
    says("");
    name("n = 1");
    says("");
    name("n = 2");
    says("The case before it passes: n = 1");
    name("n = 3");
    name("n = 3");
    says("The cases before it pass: n = 1; n = 2");
    for (int n = 4; n < 8; n++) {
        char text[16];

        snprintf(text, sizeof text, "n = %d", n);
        name(text);
    }
    says("The 6 cases before it pass, at last: n = 3; n = 4; n = 5; n = 6");
}

/* A case that passed with one set of data, and fails with another one. */
static void case_twice(void)
{
    begin();
    name("n = 1");
    name("n = 2");
    name("n = 2");
    says("The case before it passes: n = 1");
}

/* A case that made no call has not passed. */
static void empty_case(void)
{
    begin();
    name("n = 1");
    state.is_checked = false;
    name("n = 2");
    says("");
}

/* Long texts: as many of the last ones as there is room for. */
static void long_texts(void)
{
    char text[120];

    begin();
    for (int i = 0; i < 4; i++) {
        snprintf(text, sizeof text, "%d%0100d", i, 0);
        name(text);
    }
    name_passed_cases(&state);
    CU_ASSERT_PTR_NOT_NULL(strstr(outcome.passed, "The 3 cases before it"));
    CU_ASSERT_PTR_NOT_NULL(strstr(outcome.passed, "20000"));
    CU_ASSERT(strlen(outcome.passed) < sizeof outcome.passed);
}

int main(void)
{
    CU_TestInfo tests[] = {{"some cases before it", some_cases},
                           {"the same case with other data", case_twice},
                           {"a case without a call", empty_case},
                           {"long texts", long_texts},
                           CU_TEST_INFO_NULL};

    return run_tests("cases that passed", tests);
}
