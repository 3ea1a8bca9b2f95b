/* SPDX-License-Identifier: MIT */
/* How points are shared out between checks, costs and speed, without a
 * measurement. */
#include <stdio.h>
#include <string.h>

#include "common/base/paths.h"
#include "common/base/tests/run_tests.h"
#include "grader/grade/grade.h"
#include "grader/grade/score.h"
#include "grader/suite/suite.h"

/* Each lab is worth 100 points on a card: speed earns there what checks and
 * costs earn on the soft device.  A point that is not measured is not lost. */
static void a_hundred_points(void)
{
    static struct report report;
    static struct lab other;
    char error[LAB_ERROR_SIZE];

    for (size_t i = 0; suites[i]; i++)
        for (int kind = DEVICE_GPU; kind <= DEVICE_SOFT; kind++) {
            const struct target on = {.kind = (enum device_kind)kind};
            const struct task task = {.lab = &other, .target = &on};

            CU_ASSERT_TRUE(lab_open(suites[i]->stem, &other, error));
            memset(&report, 0, sizeof report);
            report.timed = kind == DEVICE_GPU;
            for (size_t k = 0; k < other.speeds; k++)
                report.speed[k].verdict = UNMEASURED;
            grade_score(&task, &report);
            CU_ASSERT_EQUAL(report.max_score, 100);
            CU_ASSERT_TRUE(kind == DEVICE_SOFT || report.unmeasured >= 10);
            if (report.max_score != 100)
                printf("    %s: %g\n", other.stem, report.max_score);
        }
}

/* Points are shared out as the settings say, in whole points. */
static void points_are_shared_out(void)
{
    static struct report report;
    const struct target card = {.kind = DEVICE_GPU};
    static struct lab two;
    const struct task task = {.lab = &two, .target = &card};

    two = (struct lab){.suite = suites[0], .clean = 5, .budgets = 1,
                       .speeds = 2};
    two.budget[0] = (struct lab_budget){.tiers = 2, .points = {3, 6}};
    two.speed[0].points[DEVICE_GPU] = 2;
    two.speed[1].points[DEVICE_GPU] = 1;
    CU_ASSERT_EQUAL(speed_points(&task, 0), 7);
    CU_ASSERT_EQUAL(speed_points(&task, 1), 4);
    report.timed = true;
    report.speed[0] = (struct speed_outcome){.ratio = 2, .target = 4};
    report.speed[1] = (struct speed_outcome){.verdict = UNMEASURED,
                                             .ratio = 4, .target = 4};
    grade_score(&task, &report);
    CU_ASSERT_EQUAL(report.score, 3.5);
    CU_ASSERT_EQUAL(report.unmeasured, 4);
    CU_ASSERT_EQUAL(report.max_score, 11);
    report.speed[0] = (struct speed_outcome){.ratio = 1, .target = 4};
    report.speed[1].verdict = PASS;
    report.speed[1].ratio = 5;
    grade_score(&task, &report);
    CU_ASSERT_EQUAL(report.speed[0].verdict, SLOW);
    CU_ASSERT_EQUAL(report.speed[1].score, 4);
    CU_ASSERT_EQUAL(report.score, 4);
    CU_ASSERT_EQUAL(report.unmeasured, 0);
}

/* --- checks and costs ------------------------------------------------------
 * A lab of one watched case: 10 points when clean, two budgets of 8 and 4. */

static const struct suite_test none[] = {{0}};
static const struct suite suite = {"99_test", none, none, none};
static struct lab lab;
static struct report report;

/* A count of the first watched case. */
static struct counter *set_counter(enum metric metric, double value,
                                   double minimum)
{
    struct counter *counter = &report.watch.cases[0].counter[metric];

    *counter = (struct counter){.has_unit = true,
                                .value = value,
                                .minimum = minimum,
                                .unit = 100,
                                .unit_text = "x the least"};
    return counter;
}

/* A report with two costs. */
static void begin(double sectors, double conflicts)
{
    memset(&report, 0, sizeof report);
    lab = (struct lab){
        .suite = &suite, .clean = 10, .budgets = 2,
        .budget = {{.metric = METRIC_SECTORS, .tiers = 2, .limit = {8, 1.05},
                  .points = {2, 8}},
                 {.metric = METRIC_CONFLICTS, .tiers = 1, .limit = {0},
                  .points = {4}}}};
    report.watched = true;
    report.watch.cases[0].was_run = true;
    set_counter(METRIC_SECTORS, sectors, 100);
    set_counter(METRIC_CONFLICTS, conflicts, 0);
}

/* Points of all checks and costs. */
static double score(void)
{
    const struct target target = {.kind = DEVICE_SOFT};
    const struct task task = {.lab = &lab, .target = &target};

    grade_watch_score(&task, &report);
    CU_ASSERT_EQUAL(report.max_score, 22);
    return report.score;
}

static void says(int budget, const char *part)
{
    CU_ASSERT_PTR_NOT_NULL(strstr(report.budget[budget].message, part));
}

/* At a limit, and one above. */
static void tiers(void)
{
    begin(100, 0);
    CU_ASSERT_EQUAL(score(), 22);
    begin(105, 0); /* the limit itself */
    CU_ASSERT_EQUAL(score(), 22);
    begin(106, 0); /* later budgets earn nothing yet */
    CU_ASSERT_EQUAL(score(), 12);
    CU_ASSERT_EQUAL(report.budget[0].verdict, SLOW);
    says(0, "at most 1.05 for 8 points");
    says(1, ": few enough, but 0 of 4 points until the budget of sectors");
    CU_ASSERT_TRUE(report.budget[1].waits);
    CU_ASSERT_FALSE(report.budget[0].waits); /* it is over its own limit */
    begin(105011, 0); /* which three digits would not show */
    report.watch.cases[0].counter[METRIC_SECTORS].unit = 100000;
    score();
    says(0, ", 1.0501 x the least; at most 1.05 for 8 points");
    begin(801, 1);
    CU_ASSERT_EQUAL(score(), 10);
    says(1, "; at most 0 for 4 points, once the budget of sectors");
    CU_ASSERT_FALSE(report.budget[1].waits);
    begin(100, 1);
    CU_ASSERT_EQUAL(score(), 18);
    begin(100, 0);
    report.watch.cases[0].counter[METRIC_SECTORS].has_unit = false;
    CU_ASSERT_EQUAL(score(), 10);
    CU_ASSERT_EQUAL(report.budget[0].verdict, UNMEASURED);
}

/* A count below the minimum earns nothing and is flagged. */
static void rejects_impossible_counts(void)
{
    begin(99, 0);
    CU_ASSERT_EQUAL(score(), 10);
    CU_ASSERT_PTR_NOT_NULL(strstr(report.budget[0].review, "at least 100"));
    CU_ASSERT_STRING_EQUAL(report.budget[1].review, "");
}

/* Only correct programs earn points for checks and budgets. */
static void wrong_programs(void)
{
    begin(100, 0);
    report.verdict = WRONG;
    CU_ASSERT_EQUAL(score(), 0);
    begin(100, 0);
    report.watch.cases[0].outcome.verdict = CRASHED;
    CU_ASSERT_EQUAL(score(), 0);
    CU_ASSERT_EQUAL(report.clean.verdict, CRASHED);
    begin(100, 0);
    report.watch.findings = 1;
    report.watch.finding[0] = (struct finding){.kind = "leak", .title = "leak"};
    CU_ASSERT_EQUAL(score(), 12);
    CU_ASSERT_EQUAL(report.clean.verdict, WRONG);
    begin(100, 0);
    report.watched = false; /* not run: no points, no failure */
    CU_ASSERT_EQUAL(score(), 0);
    CU_ASSERT_EQUAL(report.clean.verdict, PASS);
}

/* Does a program with so many sectors, minimum 100, fail for missing work? */
static bool device_work_missing(double sectors, bool all_blocks)
{
    static const struct suite_test one[] = {{"one", "a case", NULL}, {0}};
    static const struct suite watched = {"99_test", none, none, one};
    const struct task task = {.lab = &lab};

    begin(100, 0);
    lab.suite = &watched;
    lab.tests = 1;
    set_counter(METRIC_SECTORS, sectors, 100)->has_unit = all_blocks;
    report.watch.cases[0].counter[METRIC_SECTORS].is_sampled = !all_blocks;
    check_device_work(&task, &report);
    CU_ASSERT_EQUAL(report.test[0].verdict,
                    report.device_work_missing ? WRONG : PASS);
    return report.device_work_missing;
}

/* A kernel too large to instrument does not hide missing work. */
static void rejects_too_little_work(void)
{
    CU_ASSERT_FALSE(device_work_missing(100, true));
    CU_ASSERT_TRUE(device_work_missing(99, true));
    CU_ASSERT_FALSE(device_work_missing(60, false));
    CU_ASSERT_TRUE(device_work_missing(40, false));
}

int main(void)
{
    CU_TestInfo list[] = {
        {"every lab is worth 100 points on a card", a_hundred_points},
        {"speed's points are shared out", points_are_shared_out},
        {"tiers", tiers},
        {"impossible counts", rejects_impossible_counts},
        {"wrong programs earn nothing", wrong_programs},
        {"missing device work", rejects_too_little_work},
        CU_TEST_INFO_NULL};

    return paths_init() ? run_tests("points", list) : 2;
}
