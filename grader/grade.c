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
    report->score = score_points(report->score);
    report->max_score = score_points(report->max_score);
}

/* A scratch folder inside `folder`: the runner's own, it may write there. */
static bool make_scratch(const char *folder, char *scratch)
{
    text_put(scratch, PATH_MAX, "%s/scratch", folder);
    return mkdir(scratch, 0700) == 0;
}

static void run_built(const struct task *task, const struct built *built,
                      const char *scratch, struct report *report)
{
    struct session session = {
        .runner = built->runner, .folder = scratch,
        .limits = grade_limits(task->lab, task->target),
        .gpu = task->target->kind == DEVICE_GPU};

    grade_tests(task, &session, report);
    report->verdict = overall(task, report);
    if (task->speed && report->verdict == PASS && !interrupted())
        grade_speed(task, &session, report);
    session_free(&session);
}

void grade(const struct task *task, struct report *report)
{
    char folder[PATH_MAX], scratch[PATH_MAX], message[MESSAGE_TEXT];
    double start = clock_seconds();
    struct built built;

    memset(report, 0, sizeof *report);
    if (!make_temporary(folder) || !make_scratch(folder, scratch)) {
        text_put(message, sizeof message,
                 "cannot make a temporary folder in %s: %s", house_build(),
                 strerror(errno));
        all_failed(task, INTERNAL, message, report);
    } else {
        build_runner(task->target, task->lab, task->source, folder, &built);
        if (built.verdict == PASS)
            run_built(task, &built, scratch, report);
        else
            all_failed(task, built.verdict, built.message, report);
        if (built.verdict != PASS)
            memcpy(report->test[0].printed, built.log, PRINTED_TEXT);
    }
    grade_score(task, report);
    report->seconds = clock_seconds() - start;
}
