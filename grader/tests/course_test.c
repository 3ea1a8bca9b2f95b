/* SPDX-License-Identifier: MIT */
/* The settings of a course: what they mean, values that they refuse, and
 * thresholds that reach the lab. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "grader/autograde/course.h"
#include "grader/autograde/job.h"
#include "grader/autograde/settings.h"
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
    CU_ASSERT_EQUAL(course_lab(&course, "01_vector_add")->deadline.seconds,
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

/* One lab's keys may be indented, and in two sections; other labs have the
 * same. */
static void sections(void)
{
    static struct course course;
    struct failure failure = {""};

    CU_ASSERT(read_course(
        "\xef\xbb\xbf[lab 01]\r\n  points = 20\r\n\tweight = 2 ; each\r\n"
        "  \r\n[lab 02]\r\npoints = 30\r\n[lab 1]\r\ntime = 3\r\n",
        &course, &failure));
    CU_ASSERT_STRING_EQUAL(failure.text, "");
    CU_ASSERT_EQUAL(course_lab(&course, "01_vector_add")->points, 20);
    CU_ASSERT_EQUAL(course_lab(&course, "01_vector_add")->weight, 2);
    CU_ASSERT_EQUAL(course_lab(&course, "01_vector_add")->seconds, 3);
    CU_ASSERT_EQUAL(course_lab(&course, "02_blur")->points, 30);
}

static char long_line[240] = "[course]\nname = ";

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
        {"[lab 01]\ntime = 0.01\n", "less than 0.5"},
        {"[lab 01]\nmemory = 2 GiB\n", "not a number"},
        {"[lab 01]\nmemory = 2\n", "less than 512"},
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
        {"[labs]\npoints = 3\n", "unknown section"},
        {"[lab 01]\npoints = 3\npoints = 4\n", ":3: \"points\" is set a sec"},
        {"[lab 01]\ntime = 3\n[lab vector_add]\ntime = 4\n",
         ":4: \"time\" is set a second time"},
        {"[course]\nlate = refuse\nlate = accept\n", ":3: \"late\" is set a"},
        {"[course]\nlate = 10%/day max 0\n", "no late policy"},
        {"[course]\nlate = 10%/day max 3 max 5\n", "no late policy"},
        {"[course]\nlate = refuse grace 5 grace 5\n", "no late policy"},
        {"[lab 01]\npoints = 3\n  4\n", ":3: not `key = value`"},
        {long_line, ":2: this line is too long"}};
    static struct course course;
    struct failure failure;

    memset(long_line + 16, 'x', sizeof long_line - 17);
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

/* The time zone of this machine from now on. */
static void move_to(const char *zone)
{
    setenv("TZ", zone, 1);
    tzset();
}

/* A results folder that was made in New York, read in Tokyo, with deadlines of
 * the course, of a lab, and of the command line. */
static void zones(void)
{
    static const char text[] = "[course]\ndeadline = 2026-03-01\n[lab 02]\n"
                               "deadline: 2026-03-01T05:00 ; sharp";
    static struct course course;
    struct failure failure = {""};
    struct roster roster;
    struct store store;
    char folder[PATH_MAX], due[TIME_TEXT];
    struct given given = {.course = scratch("zones.ini", text, strlen(text)),
                          .stem = "01_vector_add",
                          .deadline = "2026-03-01T05:00"};

    CU_ASSERT_FATAL(temp_dir_create(folder));
    CU_ASSERT_FATAL(store_open(folder, STORE_CREATE, &store, &failure));
    move_to("EST5");
    CU_ASSERT(settings_store(&store, &given, &failure));
    for (int i = 0; i < 2; i++) {
        move_to(i ? "JST-9" : "EST5");
        CU_ASSERT_FATAL(settings_load(&store, &(struct given){0}, &course,
                                      &roster, &failure));
        roster_free(&roster);
        for (int lab = 0; lab < 2; lab++) {
            const struct deadline *deadline = &course_lab(
                &course, lab ? "02_blur" : "01_vector_add")->deadline;

            CU_ASSERT_EQUAL(deadline->seconds, 1772359200);
            CU_ASSERT_STRING_EQUAL(deadline_format(due, deadline),
                                   "2026-03-01T05:00:00-05:00");
        }
        CU_ASSERT_EQUAL(course.deadline.seconds, 1772427599);
    }
    store_close(&store);
}

/* Platforms that tell a time without a zone mean the same everywhere. */
static void times_without_zone(void)
{
    struct deadline deadline;
    int64_t seconds = 0;
    char text[TIME_TEXT];

    move_to("IST-5:30");
    CU_ASSERT(time_parse("2026-03-01 10:00:00", &seconds));
    CU_ASSERT_EQUAL(seconds, 1772359200);
    CU_ASSERT(deadline_parse("2026-03-01T15:30", &deadline));
    CU_ASSERT_EQUAL(deadline.seconds, 1772359200);
    CU_ASSERT_STRING_EQUAL(deadline_format(text, &deadline),
                           "2026-03-01T15:30:00+05:30");
    deadline.seconds = 0;
    CU_ASSERT_STRING_EQUAL(deadline_format(text, &deadline), "");
}

int main(void)
{
    CU_TestInfo tests[] = {{"settings of a course", courses},
                           {"sections", sections},
                           {"refused settings", refused_settings},
                           {"thresholds", thresholds},
                           {"results of another time zone", zones},
                           {"times without a zone", times_without_zone},
                           CU_TEST_INFO_NULL};

    return paths_init() ? run_tests("courses", tests) : 2;
}
