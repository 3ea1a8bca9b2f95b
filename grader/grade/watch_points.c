/* SPDX-License-Identifier: MIT */
/* Points of the watched cases: no findings, and counters within the lab's
 * budgets. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grade.h"
#include "common/base/paths.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"

/* Shadow memory, in addition to the lab's limit. */
static const size_t watchers_memory = (size_t)2 << 30;

struct limits grade_watch_limits(const struct lab *lab,
                                 const struct target *target)
{
    struct limits limits = grade_limits(lab, target);

    limits.memory += watchers_memory;
    limits.address_space = 0; /* shadow memory reserves much */
    return limits;
}

bool grade_watch_open(const struct task *task, const char *runner,
                      struct watched_session *opened)
{
    opened->session = (struct session){
        .runner = runner, .folder = opened->scratch, .report = opened->path,
        .limits = grade_watch_limits(task->lab, task->target)};
    opened->watch_run = (struct watch_run){task->lab, task->seed,
                                           &opened->session, task->model_case};
    if (!temp_dir_create(opened->scratch))
        return false;
    text_format(opened->path, sizeof opened->path, "%s/report.json",
                opened->scratch);
    return true;
}

bool grade_watch_run(const struct task *task, const char *runner, int only,
                     struct watch *watch)
{
    struct watched_session opened;

    if (!grade_watch_open(task, runner, &opened))
        return false;
    if (only < 0)
        watch_all(&opened.watch_run, watch);
    else
        json_decref(watch_case(&opened.watch_run, (size_t)only, watch));
    session_free(&opened.session);
    return true;
}

void grade_watch(const struct task *task, const char *runner,
                 struct report *report)
{
    report->watched = grade_watch_run(task, runner, -1, &report->watch);
    if (!report->watched) {
        report->clean.verdict = INTERNAL;
        text_format(report->clean.message, MESSAGE_SIZE, "%s", strerror(errno));
    } else if (task->speed && task->lab->budgets && report->verdict == PASS
               && !interrupted()) {
        grade_watch_baseline(task, &report->watch);
    }
}

double modeled_ratio(const struct task *task,
                     const struct report *report)
{
    const struct watched_case *watched =
        &report->watch.cases[task->lab->budget[0].watched];

    return task->lab->modeled && task->lab->budgets && watched->modeled > 0
               ? watched->modeled_baseline / watched->modeled
               : 0;
}

/* The first watched case that failed, or NULL. */
static const struct watched_case *first_failed_case(const struct watch *watch)
{
    for (size_t i = 0; i < LAB_MAX_WATCHED; i++)
        if (watch->cases[i].was_run && watch->cases[i].outcome.verdict != PASS)
            return &watch->cases[i];
    return NULL;
}

/* A case that the grader could not run or read, or NULL. */
static const struct watched_case *first_internal_case(const struct watch *watch)
{
    for (size_t i = 0; i < LAB_MAX_WATCHED; i++)
        if (watch->cases[i].was_run
            && watch->cases[i].outcome.verdict == INTERNAL)
            return &watch->cases[i];
    return NULL;
}

static void score_findings(const struct task *task, struct report *report)
{
    struct watch_outcome *clean = &report->clean;
    const struct watched_case *internal = first_internal_case(&report->watch);
    const struct watched_case *bad = first_failed_case(&report->watch);

    if (internal) {
        clean->verdict = INTERNAL;
        text_format(clean->message, MESSAGE_SIZE, "%s",
                    internal->outcome.message);
    } else if (report->watch.findings) {
        clean->verdict = WRONG;
        text_format(clean->message, MESSAGE_SIZE, "%s%s%s: %s",
                    report->watch.finding->location,
                    *report->watch.finding->location ? ": " : "",
                    report->watch.finding->title,
                    report->watch.finding->message);
    } else if (bad) {
        clean->verdict = bad->outcome.verdict;
        text_format(clean->message, MESSAGE_SIZE,
                    "in the instrumented run: %.900s", bad->outcome.message);
        memcpy(clean->review, bad->outcome.review, REVIEW_SIZE);
    } else if (report->verdict == PASS) {
        clean->score = task->lab->clean;
    }
}

/* How many tiers of the budget the count meets. */
static size_t tiers_met(const struct lab_budget *wanted,
                        const struct counter *counter)
{
    size_t met = 0;

    while (met < wanted->tiers
           && counter->value <= wanted->limit[met] * counter->unit + 0.5)
        met++;
    return met;
}

/* The ratio, in as many digits as show that it is above the limit. */
static void format_ratio(char text[32], double ratio, double limit)
{
    enum { LEAST = 3, MOST = 9 };

    for (int digits = LEAST; digits <= MOST; digits++) {
        text_format(text, 32, "%.*g", digits, ratio);
        if (strtod(text, NULL) > limit)
            return;
    }
}

/* The count, and the limit of the next tier; or that all are met, and only the
 * `first` budget keeps their points back.  Lowering that count need not lower
 * this one: launches stay as many when they load less. */
static void explain_budget(const struct lab_budget *wanted,
                           const struct counter *counter, size_t met,
                           const char *first, struct watch_outcome *outcome)
{
    const double ratio = counter->value / counter->unit;
    char text[MESSAGE_SIZE], shown[32];

    outcome->waits = met == wanted->tiers;
    if (outcome->waits) {
        text_format(outcome->message, MESSAGE_SIZE, "%s: few enough, but 0 of "
                    "%g points until the budget of %.200s is met",
                    metric_description(wanted->metric),
                    wanted->points[met - 1], first);
        return;
    }
    format_ratio(shown, ratio, wanted->limit[met]);
    text_format(text, sizeof text,
                "%.0f %s, %s %s; at most %.3g for %g point%s", counter->value,
                metric_description(wanted->metric), shown, counter->unit_text,
                wanted->limit[met], wanted->points[met],
                wanted->points[met] == 1 ? "" : "s");
    text_format(outcome->message, MESSAGE_SIZE, "%.700s%s%.200s%s", text,
                first ? ", once the budget of " : "", first ? first : "",
                first ? " is met" : "");
}

/* One budget.  `first` names an earlier budget that is not met, if any. */
static void score_budget(const struct lab_budget *wanted,
                         const struct counter *counter, const char *first,
                         struct watch_outcome *outcome)
{
    size_t met = tiers_met(wanted, counter);

    outcome->verdict = met == wanted->tiers ? PASS : SLOW;
    if (!counter->has_unit) {
        outcome->verdict = UNMEASURED;
        text_format(
            outcome->message, MESSAGE_SIZE,
            "%s: not counted, as the case went wrong, a kernel was too large "
            "to instrument, or there is no report",
            metric_description(wanted->metric));
    } else if (counter->value < counter->minimum - 0.5) {
        outcome->verdict = WRONG;
        text_format(outcome->review, REVIEW_SIZE,
                    "%.0f %s counted, at least %.0f are needed", counter->value,
                    metric_name(wanted->metric), counter->minimum);
        text_format(outcome->message, MESSAGE_SIZE, "impossible count: %s",
                    outcome->review);
    } else {
        if (first)
            outcome->verdict = SLOW;
        else
            outcome->score = met ? wanted->points[met - 1] : 0;
        if (outcome->verdict == SLOW)
            explain_budget(wanted, counter, met, first, outcome);
    }
}

/* All budgets; one earns points once the earlier ones of its case that come
 * first are met. */
static void score_budgets(const struct task *task, struct report *report)
{
    const struct lab *lab = task->lab;
    const char *first = NULL;

    for (size_t i = 0; i < lab->budgets; i++) {
        const struct lab_budget *wanted = &lab->budget[i];
        const struct watched_case *watched =
            &report->watch.cases[wanted->watched];
        struct watch_outcome *outcome = &report->budget[i];

        if (i == 0 || wanted->watched != wanted[-1].watched)
            first = NULL;
        score_budget(wanted, &watched->counter[wanted->metric], first, outcome);
        if (outcome->verdict != PASS && !wanted->is_optional && !first)
            first = metric_description(wanted->metric);
        if (watched->outcome.verdict != PASS || report->verdict != PASS)
            outcome->score = 0;
    }
}

void grade_watch_score(const struct task *task, struct report *report)
{
    const struct lab *lab = task->lab;

    if (report->watched) {
        score_findings(task, report);
        score_budgets(task, report);
    }
    report->score += report->clean.score;
    report->max_score += lab->clean;
    for (size_t i = 0; i < lab->budgets; i++) {
        report->score += report->budget[i].score;
        report->max_score += lab->budget[i].points[lab->budget[i].tiers - 1];
    }
}
