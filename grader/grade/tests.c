/* SPDX-License-Identifier: MIT */
/* Running a lab's suite through CUnit, with a new runner for each test.
 *
 * CUnit has the registry, the order and the counts; it prints nothing, because
 * the handlers are replaced. */
#include <CUnit/CUnit.h>
#include <CUnit/TestDB.h>
#include <CUnit/TestRun.h>
#include <string.h>

#include "grade.h"
#include "common/base/text.h"

/* Arguments of CUnit's handlers. */
static struct {
    const struct task *task;
    struct session *session;
    struct report *report;
} current;

static size_t test_index(const struct CU_Test *test)
{
    const struct suite_test *tests = current.task->lab->suite->tests;
    size_t i = 0;

    while (strcmp(tests[i].name, test->pName))
        i++;
    return i;
}

static void on_test_start(const CU_pTest test, const CU_pSuite suite)
{
    (void)suite;
    if (current.task->begin && !interrupted())
        current.task->begin(test->pName);
    test_begin(current.session, current.task->lab, current.task->seed,
               test->pName, &current.report->test[test_index(test)]);
}

/* Deactivate all tests after this one. */
static void skip_remaining(const struct CU_Test *test, const char *reason)
{
    const struct task *task = current.task;

    while ((test = test->pNext)) {
        struct outcome *outcome = &current.report->test[test_index(test)];

        CU_set_test_active((CU_pTest)test, CU_FALSE);
        outcome->verdict = UNMEASURED;
        text_format(outcome->message, MESSAGE_SIZE, "%s", reason);
        if (task->progress && !interrupted())
            task->progress(task->lab, test_index(test), outcome);
    }
}

static void on_test_end(const CU_pTest test, const CU_pSuite suite,
                        const CU_pFailureRecord failure)
{
    size_t i = test_index(test);
    struct outcome *outcome = &current.report->test[i];

    (void)suite;
    (void)failure;
    test_end();
    session_kill(current.session);
    if (interrupted() && outcome->verdict == PASS)
        outcome->verdict = INTERNAL;
    if (current.task->progress && !interrupted())
        current.task->progress(current.task->lab, i, outcome);
    if (current.task->should_stop
        && current.task->should_stop(outcome, current.task->stop_data))
        skip_remaining(test, "");
    else if (outcome->verdict == TIMEOUT)
        skip_remaining(test, "not run: an earlier test took too long");
}

/* CUnit must have counted a failed assertion if, and only if, a test failed;
 * otherwise the grader has a defect. */
static void check_consistency(struct report *report, size_t tests)
{
    bool failed = false;

    for (size_t i = 0; i < tests; i++)
        failed |= report->test[i].verdict != PASS;
    if (failed == (CU_get_number_of_failures() > 0) || interrupted())
        return;
    report->test[0].verdict = INTERNAL;
    text_format(report->test[0].message, MESSAGE_SIZE,
                "CUnit counts %u failures, the report says otherwise",
                CU_get_number_of_failures());
}

void grade_tests(const struct task *task, struct session *session,
                 struct report *report)
{
    const struct suite_test *test = task->lab->suite->tests;
    CU_pSuite suite;

    current.task = task;
    current.session = session;
    current.report = report;
    CU_initialize_registry();
    suite = CU_add_suite(task->lab->stem, NULL, NULL);
    for (; suite && test->name; test++)
        if (!task->only || !strcmp(task->only, test->name))
            CU_add_test(suite, test->name, test->run);
    CU_set_test_start_handler(on_test_start);
    CU_set_test_complete_handler(on_test_end);
    CU_set_error_action(CUEA_IGNORE);
    CU_set_fail_on_inactive(CU_FALSE);
    CU_run_all_tests();
    check_consistency(report, task->lab->tests);
    CU_cleanup_registry();
}
