/* SPDX-License-Identifier: MIT */
/* The gradebook as XML: JUnit's and CUnit's reports.  The writer of HTML pages
 * escapes text for XML, too, and replaces the characters that XML forbids. */
#include <string.h>

#include "common/base/html.h"
#include "common/base/json_member.h"
#include "gradebook.h"

static const char *const lists[] = {"tests", "checks", "costs", "speed"};
enum { LISTS = sizeof lists / sizeof *lists };

/* These reports may reach students: what hidden tests found stays here. */
static const char *shown_message(const json_t *test)
{
    return is_hidden_result(test) ? "a hidden test"
                                  : member_text(test, "message", "");
}

/* The verdict decides: a passed test may still miss points for its costs. */
static bool is_pass(const json_t *test)
{
    return !strcmp(member_text(test, "verdict", ""), "PASS");
}

/* Tests of a cell.  @param[out] failed  how many did not pass */
static size_t count_tests(const struct cell *cell, size_t *failed)
{
    const json_t *result = json_object_get(cell_result(cell), "result"), *test;
    size_t count = 0, k;

    *failed = 0;
    for (size_t i = 0; i < LISTS; i++)
        json_array_foreach(json_object_get(result, lists[i]), k, test) {
            count++;
            *failed += !is_pass(test);
        }
    return count;
}

/* --- JUnit ---------------------------------------------------------------- */

/* A JUnit test case. */
static void write_case(struct html *xml, const char *class, const json_t *test)
{
    html_open_with(xml, "testcase", "classname='%s' name='%s'", class,
                   member_text(test, "name", "?"));
    if (!is_pass(test)) {
        html_open_with(xml, "failure", "type='%s' message='%s'",
                       member_text(test, "verdict", "?"),
                       shown_message(test));
        html_close(xml);
    }
    html_close(xml);
    html_newline(xml);
}

/* A submission without tests is one test case: refused, missing, or an error of
 * the grader. */
static void write_untested(struct html *xml, const char *class,
                           const struct cell *cell)
{
    html_open_with(xml, "testcase", "classname='%s' name='submission'", class);
    html_open_with(xml, cell->state == CELL_PENDING ? "error" : "failure",
                   "type='%s' message='%s'", cell->verdict, cell->notes);
    html_close(xml);
    html_close(xml);
    html_newline(xml);
}

/* A JUnit test suite for one student and lab; a pending cell is an error, a
 * refused one a failure. */
static void write_suite(struct html *xml, const char *stem,
                        const struct student *student, const struct cell *cell)
{
    const json_t *result = json_object_get(cell_result(cell), "result"), *test;
    size_t failed, k, count = count_tests(cell, &failed);
    bool is_pending = cell->state == CELL_PENDING;
    char class[200];

    snprintf(class, sizeof class, "%s.%s", stem, student->id);
    html_open_with(xml, "testsuite",
                   "name='%s' tests=%zu failures=%zu errors=%d", class,
                   count ? count : 1, count ? failed : (size_t)!is_pending,
                   (int)is_pending);
    html_newline(xml);
    for (size_t i = 0; i < LISTS; i++)
        json_array_foreach(json_object_get(result, lists[i]), k, test)
            write_case(xml, class, test);
    if (!count)
        write_untested(xml, class, cell);
    html_close(xml);
    html_newline(xml);
}

bool print_junit(FILE *out, const struct gradebook *book,
                 struct failure *failure)
{
    struct html xml = {.out = out};

    (void)failure;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
    html_open(&xml, "testsuites");
    html_newline(&xml);
    for (size_t i = 0; i < book->rows; i++)
        for (int k = 0; k < book->labs; k++)
            write_suite(&xml, book->stem[k], &book->row[i].student,
                        &book->row[i].cell[k]);
    html_close(&xml);
    html_newline(&xml);
    return true;
}

/* --- CUnit: CUnit-Run.dtd ------------------------------------------------- */

/* A test in CUnit's own result format. */
static void write_record(struct html *xml, const json_t *test)
{
    html_open(xml, "CUNIT_RUN_TEST_RECORD");
    if (is_pass(test)) {
        html_open(xml, "CUNIT_RUN_TEST_SUCCESS");
        html_element(xml, "TEST_NAME", member_text(test, "name", "?"));
    } else {
        html_open(xml, "CUNIT_RUN_TEST_FAILURE");
        html_element(xml, "TEST_NAME", member_text(test, "name", "?"));
        html_element(xml, "FILE_NAME", "-");
        html_element(xml, "LINE_NUMBER", "0");
        html_open(xml, "CONDITION");
        html_textf(xml, "%s: %s", member_text(test, "verdict", "?"),
                   shown_message(test));
        html_close(xml);
    }
    html_close(xml);
    html_close(xml);
    html_newline(xml);
}

/* A suite in CUnit's own result format. */
static void write_run_suite(struct html *xml, const char *stem,
                            const struct student *student,
                            const struct cell *cell)
{
    const json_t *result = json_object_get(cell_result(cell), "result"), *test;
    size_t k;

    html_open(xml, "CUNIT_RUN_SUITE");
    html_open(xml, cell_result(cell) ? "CUNIT_RUN_SUITE_SUCCESS"
                                : "CUNIT_RUN_SUITE_FAILURE");
    html_open(xml, "SUITE_NAME");
    html_textf(xml, "%s.%s", stem, student->id);
    html_close(xml);
    if (!cell_result(cell)) {
        html_open(xml, "FAILURE_REASON");
        html_textf(xml, "%s: %s", cell->verdict, cell->notes);
        html_close(xml);
    }
    for (size_t i = 0; i < LISTS; i++)
        json_array_foreach(json_object_get(result, lists[i]), k, test)
            write_record(xml, test);
    html_close(xml);
    html_close(xml);
    html_newline(xml);
}

bool print_cunit(FILE *out, const struct gradebook *book,
                 struct failure *failure)
{
    struct html xml = {.out = out};

    (void)failure;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<!DOCTYPE CUNIT_TEST_RUN_REPORT SYSTEM \"CUnit-Run.dtd\">\n", out);
    html_open(&xml, "CUNIT_TEST_RUN_REPORT");
    html_element(&xml, "CUNIT_HEADER", "");
    html_open(&xml, "CUNIT_RESULT_LISTING");
    html_newline(&xml);
    for (size_t i = 0; i < book->rows; i++)
        for (int k = 0; k < book->labs; k++)
            write_run_suite(&xml, book->stem[k], &book->row[i].student,
                            &book->row[i].cell[k]);
    html_close(&xml);
    html_element(&xml, "CUNIT_FOOTER", "warpbook autograde");
    html_close(&xml);
    html_newline(&xml);
    return true;
}
