/* SPDX-License-Identifier: MIT */
/* Grading one file: build it, run the suite, time it, add up. */
#include "grade.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "build.h"
#include "house.h"
#include "score.h"
#include "text.h"

struct limits grade_limits(const struct lab *lab, const struct target *target)
{
    struct limits limits = {.seconds = lab->seconds, .memory = lab->memory,
                            .file = (size_t)16 << 20,
                            .processes = PROCESSES_MOST, .drop_user = true};

    if (target->kind == DEVICE_GPU)
        limits.memory = lab->memory_gpu;
    /* The soft device reserves address space for stacks and device memory; a
     * GPU's driver reserves terabytes.  Resident memory is the real limit. */
    if (target->kind == DEVICE_SOFT)
        limits.address_space = lab->memory + ((size_t)64 << 30);
    return limits;
}

static void all_failed(const struct task *task, enum verdict verdict,
                       const char *message, struct report *report)
{
    report->verdict = verdict;
    text_put(report->message, MESSAGE_TEXT, "%s", message);
    for (size_t i = 0; i < task->lab->tests; i++) {
        report->test[i].verdict = verdict;
        text_put(report->test[i].message, MESSAGE_TEXT, "%s", message);
    }
}

/* The first failure is the overall verdict. */
static enum verdict overall(const struct task *task,
                            const struct report *report)
{
    for (size_t i = 0; i < task->lab->tests; i++)
        if (report->test[i].verdict != PASS)
            return report->test[i].verdict;
    return PASS;
}

void grade_score(const struct task *task, struct report *report)
{
    const struct lab *lab = task->lab;
    enum device_kind device = task->target->kind;

    report->score = report->max_score = 0;
    for (size_t i = 0; i < lab->tests; i++) {
        report->test_score[i] =
            report->test[i].verdict == PASS ? lab->test[i].points : 0;
        report->score += report->test_score[i];
        report->max_score += lab->test[i].points;
    }
    for (size_t i = 0; i < lab->speeds; i++) {
        struct speed_outcome *speed = &report->speed[i];
        double points = lab->speed[i].points[device];

        if (report->timed && speed->verdict == PASS)
            speed->score = score_points(
                points * score_share(speed->ratio,
                                     lab->speed[i].target[device]));
        if (points > 0 && speed->verdict == PASS && speed->score == 0)
            speed->verdict = SLOW;
        report->score += speed->score;
        report->max_score += points;
    }
    if (device == DEVICE_SOFT)
        grade_watch_score(task, report);
    report->score = score_points(report->score);
    report->max_score = score_points(report->max_score);
}

/* A scratch folder inside `folder`: the runner's own, it may write there. */
static bool make_scratch(const char *folder, char *scratch)
{
    text_put(scratch, PATH_MAX, "%s/scratch", folder);
    return mkdir(scratch, 0700) == 0;
}

/* Watched runs earn points, and tell why a test failed; of one that hung or
 * took too much they would take long to say the same. */
static bool is_worth_watching(enum verdict verdict)
{
    return (verdict == PASS || verdict == WRONG || verdict == CRASHED)
           && !interrupted();
}

static void watch_built(const struct task *task, struct building *building,
                        struct report *report)
{
    struct built built;

    build_end(building, &built);
    if (built.verdict == PASS) {
        grade_watch(task, built.runner, report);
        grade_work(task, report);
        return;
    }
    report->clean.verdict = INTERNAL; /* the plain build went well */
    text_put(report->clean.message, MESSAGE_TEXT,
             "the watched build failed: %.400s", built.message);
}

static void run_built(const struct task *task, const struct built *built,
                      const char *scratch, struct building *building,
                      struct report *report)
{
    struct session session = {
        .runner = built->runner, .folder = scratch,
        .limits = grade_limits(task->lab, task->target),
        .gpu = task->target->kind == DEVICE_GPU};

    grade_tests(task, &session, report);
    report->verdict = overall(task, report);
    if (building->running && is_worth_watching(report->verdict))
        watch_built(task, building, report);
    if (task->speed && report->verdict == PASS && !interrupted())
        grade_speed(task, &session, report);
    session_free(&session);
}

/* The watched build goes on while the plain one is made and tested. */
static void begin_watched(const struct task *task, struct building *building)
{
    struct target target = *task->target;
    char folder[PATH_MAX];

    target.watch = WATCH_FINDINGS | WATCH_COUNTS;
    if (task->watch && target.kind == DEVICE_SOFT
        && (task->lab->clean > 0 || task->lab->costs > 0)
        && make_temporary(folder))
        build_begin(&target, task->lab, task->source, folder, building);
}

void grade(const struct task *task, struct report *report)
{
    char folder[PATH_MAX], scratch[PATH_MAX], message[MESSAGE_TEXT];
    double start = clock_seconds();
    struct building building = {0};
    struct built built;

    memset(report, 0, sizeof *report);
    if (!make_temporary(folder) || !make_scratch(folder, scratch)) {
        text_put(message, sizeof message,
                 "cannot make a temporary folder in %s: %s", house_build(),
                 strerror(errno));
        all_failed(task, INTERNAL, message, report);
    } else {
        begin_watched(task, &building);
        build_runner(task->target, task->lab, task->source, folder, &built);
        if (built.verdict == PASS)
            run_built(task, &built, scratch, &building, report);
        else
            all_failed(task, built.verdict, built.message, report);
        if (built.verdict != PASS)
            memcpy(report->test[0].printed, built.log, PRINTED_TEXT);
        build_drop(&building);
    }
    grade_score(task, report);
    report->seconds = clock_seconds() - start;
}
