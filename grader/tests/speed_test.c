/* SPDX-License-Identifier: MIT */
/* Timing, thresholds, drift and retries, with runners that sleep: real
 * processes and the real clock.  A sleeper wakes up late on a busy machine:
 * what comes out wrong is measured again, with longer sleeps.  A defect is
 * wrong each time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/tests/run_tests.h"
#include "common/base/text.h"
#include "grader/build/build.h"
#include "grader/grade/grade.h"
#include "grader/grade/score.h"
#include "grader/suite/suite.h"
#include "labs/01_vector_add/vector_add.h"
#include "stand_in.h"

/* Few rounds, and much room for noise. */
static const struct timing_rules rules = {
    .min_rounds = 3, .max_rounds = 3, .attempts = 6, .max_drift = 0.5,
    .max_noise = 0.7, .max_width = 1};

static struct lab lab;       /* lab 01 with this test's timed run */
static struct target target; /* the soft device */
static struct build_result built;
static char folder[PATH_MAX], scratch[PATH_MAX];

/* A test that does nothing. */
static void nothing(void)
{
}

/* One call of a hundred elements. */
static void add_some(void)
{
    enum { N = 100 };
    float *a = suite_floats(N), *b = suite_floats(N), *c = suite_floats(N);
    double *want = suite_doubles(N);

    random_floats(a, N, -1, 1);
    random_floats(b, N, -1, 1);
    expect_success(vector_add(a, b, c, N));
    for (int i = 0; i < N; i++)
        want[i] = a[i] + b[i];
    expect_elements(&(struct expected){.name = "c", .got = c, .want = want,
                                       .type = FLOAT32, .size = {N}});
}

static const struct suite_test tests[] = {{"none", "nothing", nothing}, {0}};
static const struct suite_test speeds[] = {{"sleep", "a sleep", add_some}, {0}};
static const struct suite suite = {"01_vector_add", tests, speeds, NULL};

/* How much longer all sleep: more in each attempt. */
static int scale = 1;

/* The first error of this attempt, or NULL. */
static const char *wrong;

#define EXPECT(condition) expect(condition, #condition)

static bool expect(bool condition, const char *words)
{
    if (!condition && !wrong)
        wrong = words;
    return condition;
}

/* "20+5" as "60+15". */
static void scale_numbers(const char *name, char *scaled, size_t bytes)
{
    size_t used = 0;

    while (*name) {
        const size_t digits = strspn(name, "0123456789");

        if (digits)
            text_format(scaled + used, bytes - used, "%d", atoi(name) * scale);
        else
            text_format(scaled + used, bytes - used, "%c", *name);
        used += strlen(scaled + used);
        name += digits ? digits : 1;
    }
}

/* A session with a runner of that name; see programs/sleeps.cu. */
static struct session sleeper(const char *name)
{
    static char paths[64][PATH_MAX + 32];
    static int used;
    char *path = paths[used++ % 64], scaled[32] = "";

    scale_numbers(name, scaled, sizeof scaled);
    text_format(path, sizeof *paths, "%s/sleeps_%s", folder, scaled);
    if (access(path, X_OK) && link(built.runner, path))
        perror(path); /* the session will not start */
    return (struct session){.runner = path, .folder = scratch,
                            .limits = grade_limits(&lab, &target)};
}

/* Measure a file beside a baseline of 80 ms and a reference of 20 ms. */
static struct speed_outcome measure(struct speed_task *task,
                                    const char *baseline, const char *file)
{
    struct session sessions[SIDES] = {sleeper(baseline), sleeper(file),
                                      sleeper("20")};
    struct speed_outcome speed;

    task->run.lab = &lab;
    task->run.seed = 1;
    for (int i = 0; i < SIDES; i++)
        task->run.session[i] = &sessions[i];
    measure_speed(task, &speed);
    for (int i = 0; i < SIDES; i++)
        session_free(&sessions[i]);
    if (speed.verdict != PASS)
        printf("    %s: %s\n", file, speed.message);
    return speed;
}

/* All points at 0.9 of the reference's speedup, none at the baseline, half
 * between them. */
static void graded_between_baseline_and_reference(void)
{
    struct speed_task task = {.rules = &rules, .is_graded = true};
    struct speed_outcome speed = measure(&task, "80", "40");
    double fraction = score_fraction(speed.ratio, speed.target);

    EXPECT(speed.verdict == PASS);
    EXPECT(speed.ratio > 1.4 && speed.ratio < 2.8);
    EXPECT(speed.reference_ratio > 2.6 && speed.reference_ratio < 6);
    EXPECT(fabs(speed.target - 0.9 * speed.reference_ratio) <= 1e-9);
    EXPECT(fraction > 0.25 && fraction < 0.85);
    EXPECT(speed.baseline > 0.06 && speed.seconds < speed.baseline
           && speed.reference < speed.seconds);
    speed = measure(&task, "80", "20");
    EXPECT(score_fraction(speed.ratio, speed.target) > 0.8);
    speed = measure(&task, "80", "80");
    EXPECT(score_fraction(speed.ratio, speed.target) < 0.2);
    task.target = 1.2; /* the settings' own: the reference does not count */
    speed = measure(&task, "80", "40");
    EXPECT(speed.target == 1.2);
    EXPECT(score_fraction(speed.ratio, speed.target) == 1);
}

/* A measurement that is not fit is made again, then UNMEASURED. */
static void unfit_is_measured_again(void)
{
    struct timing_rules few = rules;
    struct speed_task task = {.rules = &few, .is_graded = true};
    struct speed_outcome speed;

    few.attempts = 2;
    few.max_drift = 0.2;
    speed = measure(&task, "20+20", "20");
    EXPECT(speed.verdict == UNMEASURED);
    EXPECT(speed.attempts == 2);
    EXPECT(speed.rounds == 6); /* twice the first attempt's */
    EXPECT(strstr(speed.message, "baseline's own time"));
    EXPECT(strstr(speed.message, "(measured 2 times)"));
    few.max_noise = 0.3;
    speed = measure(&task, "80", "20_80");
    EXPECT(speed.verdict == UNMEASURED);
    EXPECT(strstr(speed.message, "the rounds differ"));
    EXPECT(speed.score == 0);
}

/* Another process leaves after the first attempt; lowered clocks stay. */
static void unfit_card_is_waited_for(void)
{
    struct card *card = stand_in_open(folder, "", "1");
    struct timing_rules few = rules;
    struct speed_task task = {.rules = &few, .run = {.card = card}};
    struct speed_outcome speed;

    if (!EXPECT(card != NULL))
        return;
    *stand_in.processes = SIDES; /* the runners themselves */
    speed = measure(&task, "20", "20");
    EXPECT(speed.verdict == PASS);
    *stand_in.guest_queries = (unsigned)rules.min_rounds;
    speed = measure(&task, "20", "20");
    EXPECT(speed.verdict == PASS);
    EXPECT(speed.attempts >= 2);
    EXPECT(*stand_in.guest_queries == 0);
    *stand_in.reasons = 0x20;
    few.attempts = 2;
    speed = measure(&task, "20", "20");
    EXPECT(speed.verdict == UNMEASURED);
    EXPECT(speed.attempts == 2);
    EXPECT(strstr(speed.message, "lowered its clocks"));
    card_close(card);
}

/* Ratios 1, 2 and 4 of a ladder measured here before. */
static void calibrate(struct calibration *calibration, double baseline)
{
    struct calibrated_run run = {.date = "2026-01-31",
                                 .baseline = scale * baseline,
                                 .reference = scale * 0.02,
                                 .ratio = {1, 2, 4}};
    const struct card_facts facts = {.name = "Card", .driver = "1"};
    char error[LAB_ERROR_SIZE];

    EXPECT(calibration_read("/nowhere/calibration.json", &facts, calibration,
                            error));
    calibration_set(calibration, &lab, 0, &run);
}

/* A speed between two steps is named for the slower one. */
static void step_is_named(void)
{
    struct timing_rules few = rules;
    struct calibration calibration;
    struct speed_task task = {.rules = &few, .calibration = &calibration};
    struct speed_outcome speed;

    calibrate(&calibration, 0.08);
    speed = measure(&task, "80", "28");
    EXPECT(speed.verdict == PASS);
    EXPECT(speed.step_known);
    EXPECT(speed.step == 2);
    few.attempts = 2;
    speed = measure(&task, "80", "26_64"); /* on both sides of 1.9 */
    EXPECT(speed.verdict == UNMEASURED);
    EXPECT(speed.attempts == 2);
    EXPECT(strstr(speed.message, "step 2 of 3 needs 1.9"));
    calibration_free(&calibration);
}

/* The step is not named, but the points stay. */
static void drift_asks_for_another_calibration(void)
{
    struct calibration calibration;
    struct speed_task task = {.rules = &rules, .calibration = &calibration};
    struct speed_outcome speed;

    calibrate(&calibration, 0.02);
    speed = measure(&task, "80", "28");
    EXPECT(speed.verdict == PASS);
    EXPECT(!speed.step_known);
    EXPECT(strstr(speed.note, "the baseline takes"));
    EXPECT(strstr(speed.note, "longer than on 2026-01-31"));
    EXPECT(strstr(speed.note, "warpbook calibrate 01"));
    calibration_free(&calibration);
}

/* A ladder is measured, stored, read again, and names a file's step. */
static void ladder_is_measured(void)
{
    struct speed_task task = {.rules = &rules, .run = {.lab = &lab}};
    struct session steps[] = {sleeper("80"), sleeper("40"), sleeper("20")};
    struct session baseline = sleeper("80"), reference = sleeper("20");
    struct session *pointers[] = {&steps[0], &steps[1], &steps[2]};
    struct calibrated_run run;
    char reason[MESSAGE_SIZE] = "";

    task.run.session[SIDE_BASELINE] = &baseline;
    EXPECT(measure_ladder(&task, pointers, &reference, &run, reason));
    EXPECT(run.ratio[0] > 0.7 && run.ratio[0] < 1.4);
    EXPECT(run.ratio[1] > 1.4 && run.ratio[1] < 2.8);
    EXPECT(run.ratio[2] > 2.8 && run.ratio[2] < 6);
    EXPECT(run.baseline > 0.06 && run.reference > 0.015);
    EXPECT(strlen(run.date) == 10);
    session_free(&baseline);
    session_free(&reference);
    for (int i = 0; i < 3; i++) {
        EXPECT(!steps[i].alive); /* its place on the card is free */
        session_free(&steps[i]);
    }
}

/* Their bodies are of EXPECT()s. */
static const CU_TestInfo timed_tests[] = {
    {"graded from the baseline to the reference",
     graded_between_baseline_and_reference},
    {"an unfit measurement is made again", unfit_is_measured_again},
    {"an unfit card is waited for", unfit_card_is_waited_for},
    {"the step that was reached is named", step_is_named},
    {"a drift asks for another calibration",
     drift_asks_for_another_calibration},
    {"a ladder is measured", ladder_is_measured}};
enum { TIMED = sizeof timed_tests / sizeof *timed_tests };

/* The body of the current CUnit test, until nothing is wrong. */
static void attempt(void)
{
    const char *name = CU_get_current_test()->pName;
    const CU_TestInfo *timed = timed_tests;

    while (strcmp(timed->pName, name) != 0)
        timed++;
    for (scale = 1; scale <= 16; scale *= 2) {
        wrong = NULL;
        timed->pTestFunc();
        if (!wrong)
            break;
        printf("    wrong, with sleeps %d times as long: %s\n", scale, wrong);
    }
    CU_ASSERT_PTR_NULL(wrong);
}

/* Outside of CUnit's tests, which would count the suite's failed assertions: a
 * file that takes too long, and a baseline that does. */
static struct speed_outcome slow_file, slow_baseline;

/* Files that are too slow, crash, or give wrong results while timed. */
static void measure_failures(void)
{
    struct timing_rules few = rules;
    struct speed_task task = {.rules = &few};

    few.attempts = 2;
    lab.seconds = 0.8;
    slow_file = measure(&task, "20", "5000");
    slow_baseline = measure(&task, "5000", "20");
    lab.seconds = 10;
}

/* A file that fails is not measured again; a baseline that fails is, and never
 * costs the file its verdict. */
static void failures(void)
{
    CU_ASSERT_EQUAL(slow_file.verdict, TIMEOUT);
    CU_ASSERT_EQUAL(slow_file.attempts, 1);
    CU_ASSERT_EQUAL(slow_baseline.verdict, UNMEASURED);
    CU_ASSERT_EQUAL(slow_baseline.attempts, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(slow_baseline.message,
                                  "the baseline failed: did not return"));
}

/* Build the three steps once. */
static bool prepare(void)
{
    static char source[PATH_MAX], output[PATH_MAX + 16], error[LAB_ERROR_SIZE];
    const struct build_request request = {
        .target = &target, .lab = &lab, .source = source, .output = output,
        .effort = EFFORT_LESS};
    static const char *const steps[] = {"1_slow.cu", "2_fair.cu", "3_fast.cu"};

    if (!paths_init() || !target_find("soft", &target, error)
        || !lab_open("01", &lab, error) || !temp_dir_create(folder)
        || !temp_dir_create(scratch))
        return false;
    lab.suite = &suite;
    lab.seconds = 10;
    lab.steps = 3;
    for (int i = 0; i < 3; i++)
        strcpy(lab.step[i], steps[i]);
    strcpy(lab.speed[0].name, "sleep");
    root_path(source, "grader/tests/programs/sleeps.cu");
    text_format(output, sizeof output, "%s/runner", folder);
    build_runner(&request, &built);
    if (built.verdict != PASS)
        printf("%s\n%s\n", built.message, built.log);
    return built.verdict == PASS;
}

int main(void)
{
    CU_TestInfo list[TIMED + 2] = {{"a file or a baseline fails", failures}};
    int status;

    isolate_process();
    if (!prepare())
        return 2;
    measure_failures();
    for (int i = 0; i < TIMED; i++)
        list[i + 1] = (CU_TestInfo){timed_tests[i].pName, attempt};
    status = run_tests("speed", list);
    temp_dirs_remove();
    return status;
}
