/* SPDX-License-Identifier: MIT */
/* A report on the terminal. */
#include "show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

void show_head(const struct task *task)
{
    printf("Lab %02d: %s, on the %s device (%s)\n\n", task->lab->number,
           task->lab->title, device_name(task->target->kind),
           task->target->model);
    fflush(stdout);
}

void show_test(const struct lab *lab, size_t test,
               const struct outcome *outcome)
{
    double points = lab->test[test].points;

    printf("  %-10s %-11s %3g/%-3g  %s\n", verdict_name(outcome->verdict),
           lab->test[test].name, outcome->verdict == PASS ? points : 0, points,
           lab->suite->tests[test].title);
    if (*outcome->review)
        printf("             REVIEW(%s)\n", outcome->review);
    fflush(stdout);
}

static void show_speed(const struct task *task, const struct report *report)
{
    const struct lab *lab = task->lab;
    enum device_kind device = task->target->kind;
    bool graded = false;

    for (size_t i = 0; i < lab->speeds; i++) {
        const struct speed_outcome *speed = &report->speed[i];
        double points = lab->speed[i].points[device];
        bool known = speed->verdict == PASS || speed->verdict == SLOW;

        graded |= points > 0;
        printf("  %-10s %-11s ",
               points > 0 || !known ? verdict_name(speed->verdict) : "speed",
               lab->speed[i].name);
        if (points > 0)
            printf("%3g/%-3g  ", speed->score, points);
        if (known)
            printf("%.2f x the baseline (+-%.0f %%), ", speed->ratio,
                   50 * speed->spread);
        printf("%s\n", lab->suite->speeds[i].title);
        if (!known)
            text_wrap(stdout, 4, speed->message);
    }
    if (!graded && device == DEVICE_SOFT)
        printf("%13s(on the soft device times are this computer's and carry no "
               "points)\n", "");
}

/* The first failing test, or NULL. */
static const struct outcome *first_failure(const struct task *task,
                                           const struct report *report,
                                           size_t *index)
{
    for (*index = 0; *index < task->lab->tests; ++*index)
        if (report->test[*index].verdict != PASS)
            return &report->test[*index];
    return NULL;
}

/* The last lines of what a program wrote to stderr. */
static void show_printed(const char *who, const char *printed, int lines)
{
    const char *at = printed + strlen(printed);

    if (!*printed)
        return;
    while (at > printed && at[-1] == '\n')
        at--;
    while (at > printed && (at[-1] != '\n' || --lines > 0))
        at--;
    printf("\n  %s printed:\n", who);
    text_wrap(stdout, 4, at);
}

static void show_failure(const struct task *task, const struct report *report,
                         bool verbose)
{
    size_t i;
    const struct outcome *outcome = first_failure(task, report, &i);

    if (!outcome)
        return;
    printf("\nThe first to mend: %s\n", task->lab->test[i].name);
    text_wrap(stdout, 2, outcome->message);
    show_printed("It", outcome->printed, verbose ? 1000 : 4);
    if (*task->lab->test[i].hint) {
        printf("\nHint\n");
        text_wrap(stdout, 2, task->lab->test[i].hint);
    }
}

void show_report(const struct task *task, const struct report *report,
                 bool verbose)
{
    if (*report->message) {
        text_wrap(stdout, 2, report->message);
        if (verbose)
            show_printed("The compiler", report->test[0].printed, 1000);
        if (report->verdict == INTERNAL)
            printf("\nNot graded (INTERNAL): no fault of your file\n");
        else
            printf("\nScore: 0 of %g (%s)\n", report->max_score,
                   verdict_name(report->verdict));
        return;
    }
    if (report->timed)
        show_speed(task, report);
    show_failure(task, report, verbose);
    printf("\nScore: %g of %g", report->score, report->max_score);
    if (verbose)
        printf("   seed %" PRIu64 "   %.1f s", task->seed, report->seconds);
    printf("\n");
    if (report->score >= report->max_score && *task->lab->next) {
        printf("\nNext\n");
        text_wrap(stdout, 2, task->lab->next);
    }
}
