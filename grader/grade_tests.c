/* SPDX-License-Identifier: MIT */
/* Running a lab's suite through CUnit, a fresh runner for each test.
 *
 * CUnit keeps the registry, the order and the counts; it prints nothing,
 * because its handlers are ours. */
#include <CUnit/CUnit.h>
#include <CUnit/TestDB.h>
#include <CUnit/TestRun.h>
#include <string.h>

#include "grade.h"
#include "text.h"

/* CUnit's handlers take no argument of ours. */
static struct {
    const struct task *task;
    struct session *session;
    struct report *report;
} now;

static size_t index_of(const struct CU_Test *test)
{
    const struct suite_test *tests = now.task->lab->suite->tests;
    size_t i = 0;

    while (strcmp(tests[i].name, test->pName))
        i++;
    return i;
}

static void before(const CU_pTest test, const CU_pSuite suite)
{
    (void)suite;
    test_begin(now.session, now.task->lab, now.task->seed, test->pName,
               &now.report->test[index_of(test)]);
}

/* What comes behind this test is not run. */
static void leave_out(const struct CU_Test *test)
{
    while ((test = test->pNext)) {
        CU_set_test_active((CU_pTest)test, CU_FALSE);
        now.report->test[index_of(test)].verdict = UNMEASURED;
    }
}

static void after(const CU_pTest test, const CU_pSuite suite,
                  const CU_pFailureRecord failure)
{
    size_t i = index_of(test);
    struct outcome *outcome = &now.report->test[i];

    (void)suite;
    (void)failure;
    test_end();
    session_end(now.session);
    if (interrupted() && outcome->verdict == PASS)
        outcome->verdict = INTERNAL;
    if (now.task->progress && !interrupted())
        now.task->progress(now.task->lab, i, outcome);
    if (now.task->enough && now.task->enough(outcome, now.task->wanted))
        leave_out(test);
}

/* A suite in which no failed assertion was counted, but a test failed, or the
 * other way round, is a defect of ours. */
static void cross_check(struct report *report, size_t tests)
{
    bool failed = false;

    for (size_t i = 0; i < tests; i++)
        failed |= report->test[i].verdict != PASS;
    if (failed == (CU_get_number_of_failures() > 0) || interrupted())
        return;
    report->test[0].verdict = INTERNAL;
    text_put(report->test[0].message, MESSAGE_TEXT,
             "CUnit counts %u failures, the report says otherwise",
             CU_get_number_of_failures());
}

void grade_tests(const struct task *task, struct session *session,
                 struct report *report)
{
    const struct suite_test *test = task->lab->suite->tests;
    CU_pSuite suite;

    now.task = task;
    now.session = session;
    now.report = report;
    CU_initialize_registry();
    suite = CU_add_suite(task->lab->stem, NULL, NULL);
    for (; suite && test->name; test++)
        CU_add_test(suite, test->name, test->run);
    CU_set_test_start_handler(before);
    CU_set_test_complete_handler(after);
    CU_set_error_action(CUEA_IGNORE);
    CU_set_fail_on_inactive(CU_FALSE);
    CU_run_all_tests();
    cross_check(report, task->lab->tests);
    CU_cleanup_registry();
}
