/* SPDX-License-Identifier: MIT */
/* Printing the timed runs. */
#include <stdio.h>

#include "common/base/text.h"
#include "grader/grade/score.h"
#include "print.h"

/* "as fast as step 3 of 5" */
static void describe_step(const struct lab *lab,
                          const struct speed_outcome *speed, char *text,
                          size_t bytes)
{
    if (!speed->step_known)
        text_format(text, bytes, "%s", "");
    else if (speed->step)
        text_format(text, bytes, ", as fast as step %zu of %zu", speed->step,
                    lab->steps);
    else
        text_format(text, bytes, ", slower than step 1 of %zu", lab->steps);
}

/* Speedup with its spread, the step that is as fast, and the target. */
static void show_ratio(const struct lab *lab,
                       const struct speed_outcome *speed, double points)
{
    char step[64], text[256], target[64] = "";

    describe_step(lab, speed, step, sizeof step);
    if (points > 0 && speed->score < points)
        text_format(target, sizeof target, "; all points at %.2f",
                    speed->target);
    text_format(text, sizeof text, "%.2f x the baseline (+-%.1f %%)%s%s",
                speed->ratio, 50 * (speed->high - speed->low) / speed->ratio,
                step, target);
    text_wrap(stdout, 13, text);
    if (*speed->note)
        text_wrap(stdout, 13, speed->note);
}

/* A row of a timed run; without points it is only told. */
static void show_run(const struct task *task, const struct report *report,
                     size_t index)
{
    const struct lab *lab = task->lab;
    const struct speed_outcome *speed = &report->speed[index];
    const double points = speed_points(task, index);
    const bool known = speed->verdict == PASS || speed->verdict == SLOW;

    printf("  %-10s %-11s ",
           points > 0 || !known ? verdict_name(speed->verdict) : "speed",
           lab->speed[index].name);
    if (points > 0 && speed->verdict == UNMEASURED)
        printf("%3s/%-3g  ", "-", points);
    else if (points > 0)
        printf("%3g/%-3g  ", speed->score, points);
    printf("%s\n", lab->suite->speeds[index].title);
    if (known)
        show_ratio(lab, speed, points);
    else
        text_wrap(stdout, 13, speed->message);
}

void show_speed(const struct task *task, const struct report *report)
{
    const enum device_kind device = task->target->kind;

    for (size_t i = 0; i < task->lab->speeds; i++)
        if (task->lab->speed[i].is_timed[device])
            show_run(task, report, i);
    if (device == DEVICE_SOFT)
        printf("%13s(on the soft device times are this computer's)\n", "");
}

void show_untimed(const struct task *task, const struct report *report)
{
    double points = 0;

    for (size_t i = 0; i < task->lab->speeds; i++)
        points += speed_points(task, i);
    if (points > 0)
        printf("  %-10s %-11s %3d/%-3g  %s\n", "-", "speed", 0, points,
               report->verdict == PASS ? "not timed"
                                       : "graded once all tests pass");
}

/* The first budget of several tiers whose count differs from the baseline's, or
 * the first. */
static const struct lab_budget *first_changed_budget(
    const struct task *task, const struct report *report)
{
    for (size_t i = 0; i < task->lab->budgets; i++) {
        const struct lab_budget *budget = &task->lab->budget[i];
        const struct counter *counter =
            &report->watch.cases[budget->watched].counter[budget->metric];

        if (budget->tiers > 1 && counter->value > 0
            && counter->baseline > 1.05 * counter->value)
            return budget;
    }
    return task->lab->budget;
}

void describe_speedup(const struct task *task, const struct report *report,
                      char *text, size_t bytes)
{
    const struct lab_budget *budget = first_changed_budget(task, report);
    const struct counter *counter =
        &report->watch.cases[budget->watched].counter[budget->metric];

    text_format(text, bytes, "-");
    if (report->timed && report->speed[0].verdict == PASS)
        text_format(text, bytes, "%.2f x +-%.0f %%", report->speed[0].ratio,
                    50 * report->speed[0].spread);
    else if (report->timed)
        text_format(text, bytes, "%s", verdict_name(report->speed[0].verdict));
    else if (modeled_ratio(task, report) > 0)
        text_format(text, bytes, "%.2f x modeled",
                    modeled_ratio(task, report));
    else if (task->lab->budgets && counter->baseline > 0 && counter->value > 0)
        text_format(text, bytes, "%.1f x by %s",
                    counter->baseline / counter->value,
                    metric_name(budget->metric));
}
