/* SPDX-License-Identifier: MIT */
/* Grading one submission: build it, run the suite, time it, sum the points. */
#include "grade.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grader/build/build.h"
#include "grader/session/canary.h"
#include "common/base/paths.h"
#include "score.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"

struct limits grade_limits(const struct lab *lab, const struct target *target)
{
    struct limits limits = {.seconds = lab->seconds, .memory = lab->memory,
                            .file = (size_t)16 << 20,
                            .processes = MAX_PROCESSES, .drop_user = true};

    if (target->kind == DEVICE_GPU)
        limits.memory = lab->memory_gpu;
    /* The soft device reserves address space for stacks and device memory, a
     * GPU's driver terabytes: resident memory is what is limited. */
    if (target->kind == DEVICE_SOFT)
        limits.address_space = lab->memory + ((size_t)288 << 30);
    return limits;
}

static void fail_all_tests(const struct task *task, enum verdict verdict,
                           const char *message, struct report *report)
{
    report->verdict = verdict;
    text_format(report->message, MESSAGE_SIZE, "%s", message);
    for (size_t i = 0; i < task->lab->tests; i++) {
        report->test[i].verdict = verdict;
        text_format(report->test[i].message, MESSAGE_SIZE, "%s", message);
    }
}

enum verdict overall_verdict(const struct task *task,
                             const struct report *report)
{
    for (size_t i = 0; i < task->lab->tests; i++)
        if (report->test[i].verdict != PASS)
            return report->test[i].verdict;
    return PASS;
}

/* Points of a timed run, which only a correct program has. */
static void score_speed(const struct task *task, size_t index,
                        struct report *report)
{
    struct speed_outcome *speed = &report->speed[index];
    const double points = speed_points(task, index);

    report->max_score += points;
    if (!report->timed || !(points > 0))
        return;
    if (speed->verdict == UNMEASURED)
        report->unmeasured += points;
    if (speed->verdict != PASS)
        return;
    speed->score =
        round_points(points * score_fraction(speed->ratio, speed->target));
    if (speed->score == 0)
        speed->verdict = SLOW;
    report->score += speed->score;
}

void grade_score(const struct task *task, struct report *report)
{
    const struct lab *lab = task->lab;
    enum device_kind device = task->target->kind;

    report->score = report->max_score = report->unmeasured = 0;
    for (size_t i = 0; i < lab->tests; i++) {
        report->test_score[i] =
            report->test[i].verdict == PASS ? lab->test[i].points : 0;
        report->score += report->test_score[i];
        report->max_score += lab->test[i].points;
    }
    for (size_t i = 0; i < lab->speeds; i++)
        score_speed(task, i, report);
    if (device == DEVICE_SOFT)
        grade_watch_score(task, report);
    report->score = round_points(report->score);
    report->max_score = round_points(report->max_score);
}

/* A build for a task, with the memory of its paths. */
struct task_build {
    struct target target;
    char output[PATH_MAX], object[PATH_MAX];
    struct build build;
};

/* Watched runs earn points, and explain why a test failed; after a timeout or
 * a limit they would take long and fail in the same way. */
static bool should_watch(enum verdict verdict)
{
    return (verdict == PASS || verdict == WRONG || verdict == CRASHED)
           && !interrupted();
}

/* The first timeout ends a grade. */
static bool has_timeout(const struct task *task, const struct report *report)
{
    for (size_t i = 0; i < task->lab->tests; i++)
        if (report->test[i].verdict == TIMEOUT)
            return true;
    return false;
}

/* Does it lie in solutions/? */
static bool is_reference(const char *source)
{
    char folder[PATH_MAX];

    root_path(folder, "solutions/");
    return !strncmp(source, folder, strlen(folder))
           && !strstr(source + strlen(folder), "..");
}

static bool start_build(const struct task *task, unsigned watch,
                        struct task_build *made)
{
    struct build_request request = {.target = &made->target,
                                    .lab = task->lab,
                                    .source = task->source,
                                    .output = made->output,
                                    .effort = task->effort};
    char folder[PATH_MAX];

    made->target = *task->target;
    made->target.watch = watch;
    if (task->object_folder) {
        text_format(made->object, PATH_MAX, "%s/%s.o", task->object_folder,
                    watch ? "watched" : "plain");
        request.object = made->object;
    }
    request.is_ours = task->step || is_reference(task->source);
    if (task->step) {
        if (!ladder_step_path(&made->target, task->lab, task->step,
                              made->output))
            return false;
    } else if (task->runners) {
        text_format(made->output, PATH_MAX, "%s/%s", task->runners,
                    watch ? "watched" : "plain");
    } else if (!temp_dir_create(folder)) {
        return false;
    } else {
        text_format(made->output, PATH_MAX, "%s/runner", folder);
    }
    build_start(&request, &made->build);
    return true;
}

/* The plain build succeeds.  A submission that the instrumented build refuses
 * keeps its kernels from being seen: it earns nothing. */
static void fail_unwatched(const struct task *task,
                           const struct build_result *built,
                           struct report *report)
{
    report->clean.verdict = built->verdict;
    for (size_t i = 0; i < task->lab->tests && built->verdict == BUILD; i++) {
        struct outcome *outcome = &report->test[i];

        if (outcome->verdict != PASS)
            continue;
        outcome->verdict = report->verdict = BUILD;
        text_format(outcome->message, MESSAGE_SIZE,
                    "the instrumented build failed: %.400s", built->message);
        text_format(outcome->review, REVIEW_SIZE,
                    "it builds, but not instrumented");
        report->device_work_missing = true;
        text_format(report->missing_work, MESSAGE_SIZE, "%s",
                    outcome->message);
    }
}

static void run_watched_build(const struct task *task,
                              struct task_build *watched,
                              struct report *report)
{
    struct build_result built;

    if (task->begin)
        task->begin("checks");
    build_wait(&watched->build, &built);
    if (built.verdict == PASS) {
        grade_watch(task, built.runner, report);
        fail_tests_with_findings(task, built.runner, report);
        check_device_work(task, report);
        return;
    }
    fail_unwatched(task, &built, report);
    text_format(report->clean.message, MESSAGE_SIZE,
                "the instrumented build failed: %.400s", built.message);
}

static void run_submission(const struct task *task,
                           const struct build_result *built,
                           const char *scratch, struct task_build *watched,
                           struct report *report)
{
    struct session session = {
        .runner = built->runner, .folder = scratch,
        .limits = grade_limits(task->lab, task->target),
        .gpu = task->target->kind == DEVICE_GPU};

    grade_tests(task, &session, report);
    check_host_work(task, report);
    report->verdict = overall_verdict(task, report);
    if (watched->build.is_pending && should_watch(report->verdict)
        && !has_timeout(task, report))
        run_watched_build(task, watched, report);
    if (task->speed && report->verdict == PASS && !interrupted()) {
        if (task->begin)
            task->begin("speed");
        grade_speed(task, &session, report);
    }
    session_free(&session);
}

/* The instrumented runner is compiled while the plain one is tested. */
static bool start_watched_build(const struct task *task,
                                struct task_build *watched)
{
    if (!task->watch || task->target->kind != DEVICE_SOFT
        || (task->lab->clean <= 0 && task->lab->budgets == 0))
        return true;
    return start_build(task, WATCH_FINDINGS | WATCH_COUNTS, watched);
}

static void grade_builds(const struct task *task, const char *scratch,
                         struct task_build *plain, struct task_build *watched,
                         struct report *report)
{
    struct build_result built;

    if (task->watch_only) {
        run_watched_build(task, watched, report);
        return;
    }
    build_wait(&plain->build, &built);
    text_format(report->warnings, PRINTED_SIZE, "%s", built.warnings);
    if (built.verdict == PASS && task->target->kind == DEVICE_SOFT)
        review_program(built.runner, built.review);
    text_format(report->review, REVIEW_SIZE, "%s", built.review);
    if (built.verdict == PASS) {
        run_submission(task, &built, scratch, watched, report);
        return;
    }
    fail_all_tests(task, built.verdict, built.message, report);
    memcpy(report->test[0].printed, built.log, PRINTED_SIZE);
}

/* Unless another error is known. */
static void explain_no_folder(char *message)
{
    if (!*message)
        text_format(message, MESSAGE_SIZE,
                    "cannot make a temporary folder in %s: %s", build_root(),
                    strerror(errno));
}

/* The runners' folder; nothing is graded outside of a closed sandbox. */
static bool make_scratch(const struct task *task, char *scratch, char *message)
{
    const struct limits limits = grade_limits(task->lab, task->target);
    char reason[400];

    if (!temp_dir_create(scratch))
        return false;
    if (sandbox_is_closed(&limits, scratch, reason, sizeof reason))
        return true;
    text_format(message, MESSAGE_SIZE, "no sandbox, no grade: %s", reason);
    return false;
}

void grade(const struct task *task, struct report *report)
{
    char scratch[PATH_MAX], message[MESSAGE_SIZE] = "";
    double start = clock_seconds();
    struct task_build *plain = calloc(1, sizeof *plain);
    struct task_build *watched = calloc(1, sizeof *watched);

    memset(report, 0, sizeof *report);
    session_begin_grade(task->lab->seconds);
    if (plain && watched && make_scratch(task, scratch, message)
        && start_watched_build(task, watched)
        && (task->watch_only || start_build(task, 0, plain))) {
        grade_builds(task, scratch, plain, watched, report);
    } else {
        explain_no_folder(message);
        fail_all_tests(task, INTERNAL, message, report);
    }
    if (watched)
        build_cancel(&watched->build);
    free(plain);
    free(watched);
    grade_score(task, report);
    report->seconds = clock_seconds() - start;
}
