/* SPDX-License-Identifier: MIT */
/* The settings of a course: what they mean, values that they refuse, and
 * thresholds that reach the lab. */
#include <stdlib.h>
#include <string.h>

#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "grader/autograde/course.h"
#include "grader/autograde/job.h"
#include "scratch.h"

/* Settings of this text. */
static bool read_course(const char *text, struct course *course,
                        struct failure *failure)
{
    course_default(course);
    return course_read(scratch("course.ini", text, strlen(text)), course,
                       failure);
}

/* A lab's settings replace the course's. */
static void courses(void)
{
    static struct course course;
    struct failure failure;

    CU_ASSERT_FATAL(read_course(
        "[course]\nname = GPUs\nlate = 10%/day, max 2\nattempts = best\n"
        "feedback = first\n[lab 01]\npoints = 20\nvisibility = after_due\n"
        "deadline = 2026-03-01T10:00Z\n[lab blur]\nlate = refuse\n",
        &course, &failure));
    CU_ASSERT(course.takes_best && course.feedback == FEEDBACK_FIRST);
    CU_ASSERT_EQUAL(course_lab(&course, "01_vector_add")->points, 20);
    CU_ASSERT_EQUAL(course_lab(&course, "01_vector_add")->late.percent, 10);
    CU_ASSERT_EQUAL(course_lab(&course, "01_vector_add")->deadline,
                    1772359200);
    CU_ASSERT(course_lab(&course, "02_blur")->late.is_refused);
    CU_ASSERT_EQUAL(course_lab(&course, "03_transpose")->weight, 1);
    CU_ASSERT_FALSE(read_course("[lab 01]\npionts = 3\n", &course, &failure));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure.text, "course.ini:2: [lab] has no"));
    CU_ASSERT_FALSE(read_course("[lab 99]\npoints = 3\n", &course, &failure));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure.text, "no lab \"99\""));
    CU_ASSERT_FALSE(read_course("[course]\nlate = often\n", &course,
                                &failure));
    CU_ASSERT_PTR_NOT_NULL(strstr(failure.text, "no late policy"));
}

/* Values that no setting may have, and the words of the message. */
static void refused_settings(void)
{
    static const char *const cases[][2] = {
        {"[course]\nattempts = first\n", "neither last nor best"},
        {"[course]\nfeedback = some\n", "neither all, first nor score"},
        {"[course]\ndeadline = soon\n", "not a time like"},
        {"[course]\npoints = 3\n", "[course] has no key"},
        {"[lab 01]\npoints = 0\n", "not above 0"},
        {"[lab 01]\npoints = -1\n", "not a number"},
        {"[lab 01]\npoints = nan\n", "not a number"},
        {"[lab 01]\nweight = heavy\n", "not a number"},
        {"[lab 01]\nweight = 1e7\n", "not a number"},
        {"[lab 01]\ntime = 0\n", "not above 0"},
        {"[lab 01]\nmemory = 2 GiB\n", "not a number"},
        {"[lab 01]\nvisibility = often\n", "neither visible, hidden"},
        {"[lab 01]\nhidden = no\n", "neither visible, hidden"},
        {"[lab 01]\ndeadline = 2026-13-01\n", "not a time like"},
        {"[lab 01]\nlate = 200%/day\n", "no late policy"},
        {"[lab 01]\nspeed huge = 3\n", "no timed run \"huge\""},
        {"[lab 01]\nspeed large = 1\n", "no speedup above 1"},
        {"[lab 01]\ncost long colors = 3\n", "no budget \"long colors\""},
        {"[lab 01]\ncost long sectors = 3, 1\n", "3 falling limits"},
        {"[lab 01]\ncost long sectors = 1, 2, 3\n", "3 falling limits"},
        {"[lab 01]\ncost long sectors = 9, 3, 1, 1\n", "3 falling limits"},
        {"[labs]\npoints = 3\n", "unknown section"}};
    static struct course course;
    struct failure failure;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CU_ASSERT_FALSE(read_course(cases[i][0], &course, &failure));
        CU_ASSERT_PTR_NOT_NULL(strstr(failure.text, cases[i][1]));
        if (!strstr(failure.text, cases[i][1]))
            printf("    %s\n", failure.text);
    }
}

/* A course's thresholds reach the lab that is graded, and the key of a
 * result. */
static void thresholds(void)
{
    static struct course course;
    static struct lab lab;
    struct batch batch = {.course = &course, .secret_bytes = 1};
    struct failure failure;
    char *plain, *own;

    course_default(&course);
    CU_ASSERT_FATAL(job_lab(&course, "01_vector_add", &lab, &failure));
    plain = job_settings(&batch, &lab);
    CU_ASSERT_FATAL(read_course("[lab 01]\nspeed large = 3.5\n"
                                "cost long sectors = 9, 2, 1.5\n"
                                "cost long sectors = 8, 4, 2\n", &course,
                                &failure));
    CU_ASSERT_EQUAL(course_lab(&course, "01_vector_add")->thresholds, 2);
    CU_ASSERT_FATAL(job_lab(&course, "01_vector_add", &lab, &failure));
    CU_ASSERT_EQUAL(lab.speed[0].target[DEVICE_GPU], 3.5);
    for (size_t i = 0; i < lab.budgets; i++)
        if (lab.budget[i].metric == METRIC_SECTORS) {
            CU_ASSERT_EQUAL(lab.budget[i].limit[0], 8);
            CU_ASSERT_EQUAL(lab.budget[i].limit[2], 2);
            CU_ASSERT_EQUAL(lab.budget[i].points[2], 8);
        }
    own = job_settings(&batch, &lab);
    CU_ASSERT_FATAL(plain && own);
    CU_ASSERT_STRING_NOT_EQUAL(plain, own);
    CU_ASSERT_PTR_NOT_NULL(strstr(own, "\nthresholds="));
    free(plain);
    free(own);
}

int main(void)
{
    CU_TestInfo tests[] = {{"settings of a course", courses},
                           {"refused settings", refused_settings},
                           {"thresholds", thresholds},
                           CU_TEST_INFO_NULL};

    return paths_init() ? run_tests("courses", tests) : 2;
}
