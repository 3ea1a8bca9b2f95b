/* SPDX-License-Identifier: MIT */
/* The timed runs of a lab: builds baseline and reference, and shares out the
 * points that speed earns. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "grader/build/build.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"
#include "grade.h"
#include "score.h"

/* Do the settings have a timed run for this device? */
static bool is_timed(const struct task *task)
{
    for (size_t i = 0; i < task->lab->speeds; i++)
        if (task->lab->speed[i].is_timed[task->target->kind])
            return true;
    return false;
}

double speed_points(const struct task *task, size_t index)
{
    const struct lab *lab = task->lab;
    const enum device_kind device = task->target->kind;
    double rest = lab->clean, shares = 0, before = 0;

    if (device != DEVICE_GPU)
        return lab->speed[index].points[device];
    for (size_t i = 0; i < lab->budgets; i++)
        rest += lab->budget[i].points[lab->budget[i].tiers - 1];
    for (size_t i = 0; i < lab->speeds; i++) {
        before += i < index ? lab->speed[i].points[device] : 0;
        shares += lab->speed[i].points[device];
    }
    if (!(shares > 0))
        return 0;
    return round(rest * (before + lab->speed[index].points[device]) / shares)
           - round(rest * before / shares);
}

/* Build a step and describe a session with it. */
static bool open_step(const struct task *task, const char *step,
                      const char *scratch, struct build_result *built,
                      struct session *session)
{
    build_ladder_step(task->target, task->lab, step, built);
    *session = (struct session){
        .runner = built->runner, .folder = scratch,
        .limits = grade_limits(task->lab, task->target),
        .gpu = task->target->kind == DEVICE_GPU};
    return built->verdict == PASS;
}

static void fail_all(const struct task *task, const char *step,
                     const char *message, struct report *report)
{
    for (size_t i = 0; i < task->lab->speeds; i++) {
        report->speed[i].verdict = UNMEASURED;
        text_format(report->speed[i].message, MESSAGE_SIZE,
                    "%s cannot be built: %.900s", step, message);
    }
}

static void measure_runs(const struct task *task,
                         struct session *session[SIDES], struct report *report)
{
    const struct lab *lab = task->lab;
    const enum device_kind device = task->target->kind;
    struct speed_task speed = {
        .run = {.lab = lab, .seed = task->seed, .card = task->card},
        .rules = &card_rules,
        .calibration = device == DEVICE_GPU ? task->calibration : NULL};

    memcpy(speed.run.session, session, sizeof speed.run.session);
    for (size_t i = 0; i < lab->speeds; i++) {
        report->speed[i].verdict = UNMEASURED;
        if (!lab->speed[i].is_timed[device] || interrupted())
            continue;
        speed.run.index = i;
        speed.target = lab->speed[i].target[device];
        speed.is_graded = speed_points(task, i) > 0;
        measure_speed(&speed, &report->speed[i]);
    }
}

void grade_speed(const struct task *task, struct session *session,
                 struct report *report)
{
    const struct lab *lab = task->lab;
    static struct build_result built[2];
    struct session baseline = {0}, reference = {0};
    char scratch[PATH_MAX];

    if (!is_timed(task))
        return;
    report->timed = true;
    if (!temp_dir_create(scratch))
        fail_all(task, lab->baseline, strerror(errno), report);
    else if (!open_step(task, lab->baseline, scratch, &built[0], &baseline))
        fail_all(task, lab->baseline, built[0].message, report);
    else if (!open_step(task, lab->reference, scratch, &built[1], &reference))
        fail_all(task, lab->reference, built[1].message, report);
    else
        measure_runs(task, (struct session *[]){&baseline, session,
                                                &reference}, report);
    session_free(&baseline);
    session_free(&reference);
}
