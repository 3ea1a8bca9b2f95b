/* SPDX-License-Identifier: MIT */
/* A cause is told once: findings of several cases, and the failing test that is
 * shown first. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/softgpu/core/core.h"
#include "grader/grade/grade.h"
#include "grader/report/print.h"
#include "grader/report/result.h"
#include "grader/report/result_page.h"
#include "grader/suite/diagnose.h"
#include "common/base/tests/run_tests.h"

static struct watch watch;

/* Add a case with one finding, of lines a and b of x.cu. */
static void add_case(const char *kind, const char *kernel, int a, int b)
{
    json_t *report = json_pack(
        "{s:[{s:s, s:s, s:s, s:i, s:i, s:s, s:i}]}", "findings", "kind", kind,
        "kernel", kernel, "file", "x.cu", "line", a, "column", 9, "other_file",
        "x.cu", "other_line", b);

    collect_findings(report, &watch);
    json_decref(report);
}

/* Are both kept after a first case has one and a second case the other? */
static size_t kept(const char *first, const char *second, const char *kernel,
                   int a, int b)
{
    memset(&watch, 0, sizeof watch);
    add_case(first, "k", 7, 8);
    add_case(second, kernel, a, b);
    return watch.findings;
}

/* A case of one warp has a race in the warp, one of many blocks has it between
 * blocks. */
static void wider_race(void)
{
    CU_ASSERT_EQUAL(kept("lockstep", "race_blocks", "k", 7, 8), 1);
    CU_ASSERT_STRING_EQUAL(watch.finding[0].kind, "race_blocks");
    CU_ASSERT_EQUAL(kept("race_blocks", "lockstep", "k", 8, 7), 1);
    CU_ASSERT_STRING_EQUAL(watch.finding[0].kind, "race_blocks");
    CU_ASSERT_EQUAL(kept("race_global", "race_blocks", "k", 7, 8), 1);
    CU_ASSERT_EQUAL(kept("lockstep", "race_shared", "k", 7, 8), 1);
    CU_ASSERT_EQUAL(kept("lockstep", "race_blocks", "other", 7, 8), 2);
    CU_ASSERT_EQUAL(kept("lockstep", "race_blocks", "k", 7, 9), 2);
    CU_ASSERT_EQUAL(kept("race_shared", "race_blocks", "k", 7, 8), 2);
}

/* A finding of the memory that an access outside of the array meets follows
 * from that access. */
static void stray_access(void)
{
    static const char uninitialized[] = "uninitialized_global";

    CU_ASSERT_EQUAL(kept("race_blocks", "out_of_bounds", "k", 7, 0), 1);
    CU_ASSERT_STRING_EQUAL(watch.finding[0].kind, "out_of_bounds");
    CU_ASSERT_EQUAL(kept("use_after_free", "out_of_bounds", "k", 7, 0), 1);
    CU_ASSERT_EQUAL(kept(uninitialized, "out_of_bounds", "k", 7, 0), 1);
    CU_ASSERT_STRING_EQUAL(watch.finding[0].kind, "out_of_bounds");
    CU_ASSERT_EQUAL(kept(uninitialized, "out_of_bounds", "k", 6, 0), 2);
    CU_ASSERT_EQUAL(kept(uninitialized, "race_blocks", "k", 7, 0), 2);
    CU_ASSERT_EQUAL(kept("race_blocks", "out_of_bounds", "k", 6, 0), 2);
    CU_ASSERT_EQUAL(kept("leak", "out_of_bounds", "k", 7, 0), 2);
}

/* Lanes that have returned take no part in a matrix instruction: what the lanes
 * that are left read without waiting follows from that. */
static void lanes_have_returned(void)
{
    static const char *const messages[] = {
        SOFTGPU_NEEDS_ALL_LANES " of the warp", "illegal address"};

    for (size_t i = 0; i < 2; i++) {
        json_t *report =
            json_pack("{s:[{s:s, s:s, s:s}]}", "findings", "kind", "fault",
                      "kernel", "k", "message", messages[i]);

        CU_ASSERT_PTR_NOT_NULL_FATAL(report);
        memset(&watch, 0, sizeof watch);
        add_case("lockstep", "k", 7, 8);
        collect_findings(report, &watch);
        CU_ASSERT_EQUAL(watch.findings, i ? 2 : 1);
        json_decref(report);
    }
    CU_ASSERT_STRING_EQUAL(watch.finding[0].kind, "lockstep");
}

/* What show_failure() or show_report() prints. */
static char *printed_by(void (*show)(const struct task *,
                                     const struct report *, bool),
                        const struct task *task, const struct report *report)
{
    static char text[4096];
    const int saved = dup(1);
    FILE *file = tmpfile();
    size_t n;

    fflush(stdout);
    dup2(fileno(file), 1);
    show(task, report, false);
    fflush(stdout);
    dup2(saved, 1);
    close(saved);
    rewind(file);
    n = fread(text, 1, sizeof text - 1, file);
    text[n] = 0;
    fclose(file);
    return text;
}

static char *printed_failure(const struct task *task,
                             const struct report *report)
{
    return printed_by(show_failure, task, report);
}

/* The same in the result and on its page. */
static void waiting_costs_of_a_result(const struct task *task,
                                      const struct report *report)
{
    char *text = result_to_json(task, report);
    json_t *result = json_loads(text, 0, NULL), *costs;
    struct html page = {0};
    size_t bytes;

    free(text);
    costs = json_object_get(result, "costs");
    CU_ASSERT_PTR_NULL(json_object_get(json_array_get(costs, 0), "waits"));
    CU_ASSERT_TRUE(
        json_is_true(json_object_get(json_array_get(costs, 1), "waits")));
    page.out = open_memstream(&text, &bytes);
    page_tests(&page, result);
    fclose(page.out);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "<b class=\"bad\">SLOW</b>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "<b class=\"wait\">WAITS</b>"));
    free(text);
    json_decref(result);
}

/* A cost whose own budget is met has a word of its own; one that is not is
 * slow. */
static void waiting_costs(void)
{
    static const struct suite_test cases[] = {{"few", "5 elements", NULL},
                                              {NULL, NULL, NULL}};
    static const struct suite suite = {"99_test", cases, cases, cases};
    static struct lab lab = {
        .suite = &suite, .budgets = 2,
        .budget = {{.metric = METRIC_SECTORS, .tiers = 1, .points = {6}},
                   {.metric = METRIC_CONFLICTS, .tiers = 1, .points = {4}}}};
    static struct report report = {.watched = true};
    static const struct target soft = {.kind = DEVICE_SOFT};
    const struct task task = {.lab = &lab, .source = "x.cu", .only = "few",
                              .target = &soft};
    char *text;

    report.budget[0].verdict = report.budget[1].verdict = SLOW;
    report.budget[1].waits = true;
    text = printed_by(show_report, &task, &report);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "  SLOW       sectors       0/6 "));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "  WAITS      conflicts     0/4 "));
    waiting_costs_of_a_result(&task, &report);
}

/* Of tests that fail by findings the one with the most serious is shown. */
static void most_serious_first(void)
{
    static struct lab lab = {.tests = 3, .test = {{.name = "small"},
                                                  {.name = "edges"},
                                                  {.name = "large"}}};
    static struct report report;
    const struct task task = {.lab = &lab, .source = "x.cu"};

    for (int i = 0; i < 3; i++) {
        report.test[i].verdict = WRONG;
        report.test_has_finding[i] = true;
        report.test_finding_rank[i] = 3;
    }
    report.test_finding_rank[1] = 2;
    CU_ASSERT_PTR_NOT_NULL(strstr(printed_failure(&task, &report),
                                  "Most specific failing test: edges"));
    report.test_finding_rank[1] = 3;
    CU_ASSERT_PTR_NOT_NULL(strstr(printed_failure(&task, &report),
                                  "First failing test: small"));
    report.test_has_finding[1] = false; /* it is wrong without one, too */
    CU_ASSERT_PTR_NOT_NULL(strstr(printed_failure(&task, &report),
                                  "Most specific failing test: edges"));
    report.test_has_finding[0] = false;
    report.test_has_finding[1] = true;
    CU_ASSERT_PTR_NOT_NULL(strstr(printed_failure(&task, &report),
                                  "First failing test: small"));
}

/* Where there is a race, a variable that is never set or a char as an index, no
 * other cause is guessed at, neither in the message nor as a hint. */
static void no_guess_beside_cause(void)
{
    static struct lab lab = {.tests = 1, .test = {{.name = "small"}}};
    static struct report report;
    const struct task task = {.lab = &lab, .source = "x.cu"};

    report.test[0].verdict = WRONG;
    strcpy(report.test[0].message, "c[3] is 7; " DIAGNOSIS_CLOSE ": why?");
    CU_ASSERT_PTR_NOT_NULL(strstr(printed_failure(&task, &report), "close"));
    strcpy(report.warnings, "x.cu:9: 'sum' may be used uninitialized");
    CU_ASSERT_PTR_NULL(strstr(printed_failure(&task, &report), "close"));
    CU_ASSERT_PTR_NOT_NULL(strstr(printed_failure(&task, &report), "is 7\n"));
    *report.warnings = 0;
    report.watch.findings = 1;
    report.watch.finding[0].kind = "race_shared";
    CU_ASSERT_PTR_NULL(strstr(printed_failure(&task, &report), "close"));
    strcpy(report.test[0].message, "c[3] is 7; it is the previous one's");
    CU_ASSERT_PTR_NOT_NULL(strstr(printed_failure(&task, &report), "previous"));
    report.test[0].guess = 9; /* one to three elements show it */
    CU_ASSERT_PTR_NULL(strstr(printed_failure(&task, &report), "previous"));
    CU_ASSERT_PTR_NOT_NULL(strstr(printed_failure(&task, &report), "is 7\n"));
    report.watch.findings = 0;
    CU_ASSERT_PTR_NOT_NULL(strstr(printed_failure(&task, &report), "previous"));
    report.test[0].hint = "Are all copies added?";
    CU_ASSERT_PTR_NOT_NULL(strstr(printed_failure(&task, &report), "copies"));
    strcpy(report.warnings, "x.cu:9: subscript has type 'char' "
                            "[-Wchar-subscripts]");
    CU_ASSERT_PTR_NULL(strstr(printed_failure(&task, &report), "copies"));
}

/* What a kernel read that nothing had written explains any wrong result, and is
 * shown before it; not so shared memory, of which the hint tells more. */
static void uninitialized_read_first(void)
{
    static struct lab lab = {.tests = 1, .test = {{.name = "small"}}};
    static struct report report;
    const struct task task = {.lab = &lab, .source = "x.cu"};

    report.test[0].verdict = WRONG;
    strcpy(report.test[0].message, "c[3] is 7; without the root");
    report.test[0].hint = "Save the root first.";
    report.watch.findings = 1;
    report.watch.finding[0].kind = "uninitialized_shared";
    CU_ASSERT_FALSE(explains_all(&report));
    CU_ASSERT_PTR_NOT_NULL(strstr(printed_failure(&task, &report), "Save"));
    report.watch.finding[0].kind = "uninitialized_global";
    CU_ASSERT_TRUE(explains_all(&report));
    CU_ASSERT_PTR_NULL(strstr(printed_failure(&task, &report), "Save"));
}

/* A function that was written is shown before one that is left to do. */
static void written_first(void)
{
    static struct lab lab = {.tests = 3, .test = {{.name = "sum"},
                                                  {.name = "product"},
                                                  {.name = "power"}}};
    static struct report report;
    const struct task task = {.lab = &lab, .source = "x.cu"};
    static const char to_do[] = "returned 801 (cudaErrorNotSupported: "
                                "operation not supported), should be 0";

    for (int i = 0; i < 3; i++) {
        report.test[i].verdict = WRONG;
        snprintf(report.test[i].message, MESSAGE_SIZE, "%s", to_do);
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(printed_failure(&task, &report),
                                  "First failing test: sum"));
    snprintf(report.test[1].message, MESSAGE_SIZE, "y[0] is 1, should be 2");
    CU_ASSERT_PTR_NOT_NULL(strstr(printed_failure(&task, &report),
                                  "Most specific failing test: product"));
    snprintf(report.test[0].message, MESSAGE_SIZE, "y[0] is 1, should be 2");
    snprintf(report.test[1].message, MESSAGE_SIZE, "%s", to_do);
    report.test[1].detail = report.test[0].detail + 1;
    CU_ASSERT_PTR_NOT_NULL(strstr(printed_failure(&task, &report),
                                  "First failing test: sum"));
}

/* What `warpbook hint` repeats of the last grade: a finding, not the words of
 * the test, but no leak, which makes no result wrong. */
static void finding_is_hint(void)
{
    static struct lab lab = {.tests = 1,
                             .test = {{.name = "small", .hint = "in general"}}};
    static struct report report;
    const struct task task = {.lab = &lab, .source = "x.cu"};
    char hint[400] = "?";

    report.test[0].verdict = WRONG;
    strcpy(report.test[0].message, "c[3] is 7, should be 8");
    report.watch.findings = 1;
    report.watch.finding[0] = (struct finding){
        .kind = "leak", .title = "device memory never freed"};
    find_cause_hint(&task, &report, hint, sizeof hint);
    CU_ASSERT_STRING_EQUAL(hint, "");
    report.watch.finding[0] = (struct finding){
        .kind = "race_shared", .title = "race in shared memory",
        .location = "x.cu:7:9", .message = "no barrier between them"};
    find_cause_hint(&task, &report, hint, sizeof hint);
    CU_ASSERT_STRING_EQUAL(hint, "x.cu:7:9: race in shared memory: no barrier "
                                 "between them");
    report.test[0].hint = "a + b";
    find_cause_hint(&task, &report, hint, sizeof hint);
    CU_ASSERT_PTR_NOT_NULL(strstr(hint, "race in shared memory"));
    report.watch.finding[0].kind = "race_streams";
    find_cause_hint(&task, &report, hint, sizeof hint);
    CU_ASSERT_STRING_EQUAL(hint, "a + b");
    report.watch.findings = 0;
    find_cause_hint(&task, &report, hint, sizeof hint);
    CU_ASSERT_STRING_EQUAL(hint, "a + b");
}

/* A finding about a vector comes with the hint of the test on alignment; any
 * other one with none. */
static void vector_has_hint(void)
{
    static struct lab lab = {
        .tests = 2,
        .test = {{.name = "small", .hint = "in general"},
                 {.name = "misaligned", .hint = "k % 4 is asked"}}};
    static struct report report;
    const struct task task = {.lab = &lab, .source = "x.cu"};
    static const char *const vectors[] = {
        "x.cu:7:9: address not a multiple of the access: 16-byte read at an "
        "address that is 4 bytes past a multiple of 16",
        "x.cu:7:9: access outside an allocation: 16-byte read, crosses the end "
        "of 200 bytes allocated"};

    report.test[0].verdict = WRONG;
    report.test_has_finding[0] = true;
    strcpy(report.test[0].message, vectors[1]); /* a tail may cross it, too */
    CU_ASSERT_PTR_NULL(strstr(printed_failure(&task, &report), "Hint"));
    report.watch.findings = 1;
    report.watch.finding[0].kind = "misaligned";
    for (size_t i = 0; i < 2; i++) {
        strcpy(report.test[0].message, vectors[i]);
        CU_ASSERT_PTR_NOT_NULL(strstr(printed_failure(&task, &report),
                                      "Hint (about vectors)\n  k % 4 is"));
    }
    strcpy(report.test[0].message, "x.cu:7:9: access outside an allocation: "
           "4-byte read, 4 bytes past the end of 200 bytes allocated");
    CU_ASSERT_PTR_NULL(strstr(printed_failure(&task, &report), "Hint"));
    strcpy(report.test[0].message, vectors[0]);
    lab.tests = 1; /* a lab without such a test */
    CU_ASSERT_PTR_NULL(strstr(printed_failure(&task, &report), "Hint"));
}

/* A line is shown also where a column is that of another line. */
static void line_of_far_column(void)
{
    static const struct target target = {.kind = DEVICE_SOFT};
    static struct lab lab = {.tests = 1, .test = {{.name = "small"}}};
    static struct report report;
    const struct task task = {.lab = &lab,
                              .source = "labs/01_vector_add/vector_add.h",
                              .target = &target};

    report.test[0].verdict = WRONG;
    strcpy(report.test[0].stored, "vector_add.h:1:999: note: the elements");
    CU_ASSERT_PTR_NOT_NULL(strstr(printed_failure(&task, &report),
                                  "\n    1 | /* SPDX"));
}

int main(void)
{
    CU_TestInfo tests[] = {
        {"costs that wait for others", waiting_costs},
        {"a wider race explains a narrower one", wider_race},
        {"a stray access explains what it meets", stray_access},
        {"lanes that have returned explain the others", lanes_have_returned},
        {"the most serious finding is shown first", most_serious_first},
        {"no guess beside a cause", no_guess_beside_cause},
        {"an uninitialized read comes first", uninitialized_read_first},
        {"what was written is shown before what is not", written_first},
        {"a finding is what hint repeats", finding_is_hint},
        {"a vector's finding has a hint", vector_has_hint},
        {"a line of a far column", line_of_far_column},
        CU_TEST_INFO_NULL};

    return run_tests("causes of findings", tests);
}
