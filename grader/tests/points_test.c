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

int main(void)
{
    CU_TestInfo list[] = {
        {"every lab is worth 100 points on a card", a_hundred_points},
        {"speed's points are shared out", points_are_shared_out},
        CU_TEST_INFO_NULL};

    return paths_init() ? run_tests("points", list) : 2;
}
