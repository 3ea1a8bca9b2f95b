/* SPDX-License-Identifier: MIT */
/* Points on the soft device for what the watchers saw: no findings, and counts
 * within the lab's budgets. */
#include <errno.h>
#include <string.h>

#include "build.h"
#include "grade.h"
#include "house.h"
#include "text.h"

/* Beside what the lab may hold: what the watchers keep of each byte. */
static const size_t watchers_memory = (size_t)2 << 30;

struct limits grade_watch_limits(const struct lab *lab,
                                 const struct target *target)
{
    struct limits limits = grade_limits(lab, target);

    limits.memory += watchers_memory;
    limits.address_space = 0; /* shadow memory is reserved whole */
    return limits;
}

/* Runs one case, or all for `only` below 0.  False, with an errno, when there
 * is no folder for the runner. */
static bool run_watched(const struct task *task, const char *runner, int only,
                        struct watch *watch)
{
    char scratch[PATH_MAX], path[PATH_MAX + 16];
    struct session session = {.runner = runner, .folder = scratch,
                              .limits = grade_watch_limits(task->lab,
                                                           task->target),
                              .report = path};
    struct watching watching = {task->lab, task->seed, &session, task->apart};

    if (!make_temporary(scratch))
        return false;
    text_put(path, sizeof path, "%s/report.json", scratch);
    if (only < 0)
        watch_all(&watching, watch);
    else
        json_decref(watch_case(&watching, (size_t)only, watch));
    session_free(&session);
    return true;
}

/* What the ladder's first step counts in the first case with a budget: it is
 * shown beside the submission's. */
static void count_baseline(const struct task *task, struct watch *watch)
{
    static struct watch baseline;
    struct target target = *task->target;
    size_t index = task->lab->cost[0].watched;
    struct built built;

    target.watch = WATCH_FINDINGS | WATCH_COUNTS;
    build_step(&target, task->lab, task->lab->baseline, &built);
    memset(&baseline, 0, sizeof baseline);
    if (built.verdict != PASS
        || !run_watched(task, built.runner, (int)index, &baseline))
        return;
    watch->cases[index].modelled_baseline = baseline.cases[index].modelled;
    for (int i = 0; i < COSTS; i++)
        if (baseline.cases[index].cost[i].known)
            watch->cases[index].cost[i].baseline =
                baseline.cases[index].cost[i].value;
}

void grade_watch(const struct task *task, const char *runner,
                 struct report *report)
{
    report->watched = run_watched(task, runner, -1, &report->watch);
    if (!report->watched) {
        report->clean.verdict = INTERNAL;
        text_put(report->clean.message, MESSAGE_TEXT, "%s", strerror(errno));
    } else if (task->speed && task->lab->costs && report->verdict == PASS
               && !interrupted()) {
        count_baseline(task, &report->watch);
    }
}

double grade_modelled_ratio(const struct task *task,
                            const struct report *report)
{
    const struct watched_case *made =
        &report->watch.cases[task->lab->cost[0].watched];

    return task->lab->modelled && task->lab->costs && made->modelled > 0
               ? made->modelled_baseline / made->modelled
               : 0;
}

/* The first watched case that did not come through, or NULL. */
static const struct watched_case *broken(const struct watch *watch)
{
    for (size_t i = 0; i < LAB_WATCHED; i++)
        if (watch->cases[i].done && watch->cases[i].outcome.verdict != PASS)
            return &watch->cases[i];
    return NULL;
}

static void judge_findings(const struct task *task, struct report *report)
{
    struct watch_outcome *clean = &report->clean;
    const struct watched_case *bad = broken(&report->watch);

    if (report->watch.findings) {
        clean->verdict = WRONG;
        text_put(clean->message, MESSAGE_TEXT, "%s%s%s: %s",
                 report->watch.finding->place,
                 *report->watch.finding->place ? ": " : "",
                 report->watch.finding->words, report->watch.finding->message);
    } else if (bad) {
        clean->verdict = bad->outcome.verdict;
        text_put(clean->message, MESSAGE_TEXT, "under the watchers: %.900s",
                 bad->outcome.message);
        memcpy(clean->review, bad->outcome.review, REVIEW_TEXT);
    } else if (report->verdict == PASS) {
        clean->score = task->lab->clean;
    }
}

/* How many tiers of the budget the count keeps within. */
static size_t tiers_met(const struct lab_cost *wanted,
                        const struct counted *counted)
{
    size_t met = 0;

    while (met < wanted->tiers
           && counted->value <= wanted->most[met] * counted->unit + 0.5)
        met++;
    return met;
}

/* What was counted, and what the next tier asks. */
static void say_cost(const struct lab_cost *wanted,
                     const struct counted *counted, size_t met,
                     struct watch_outcome *cost)
{
    double ratio = counted->value / counted->unit;

    text_put(cost->message, MESSAGE_TEXT,
             "%.0f %s, %.3g %s; at most %.3g for %g points",
             counted->value, cost_words(wanted->cost), ratio, counted->per,
             wanted->most[met], wanted->points[met]);
}

/* One budget.  `first` names the budget above it that is not kept, if any. */
static void judge_cost(const struct lab_cost *wanted,
                       const struct counted *counted, const char *first,
                       struct watch_outcome *cost)
{
    size_t met = tiers_met(wanted, counted);

    cost->verdict = met == wanted->tiers ? PASS : SLOW;
    if (!counted->known) {
        cost->verdict = UNMEASURED;
        text_put(cost->message, MESSAGE_TEXT, "the %s of all blocks were not "
                 "counted: a kernel did too much to be watched, or no report "
                 "came", cost_words(wanted->cost));
    } else if (counted->value < counted->least - 0.5) {
        cost->verdict = WRONG;
        text_put(cost->review, REVIEW_TEXT,
                 "%.0f %s counted, at least %.0f are needed", counted->value,
                 cost_name(wanted->cost), counted->least);
        text_put(cost->message, MESSAGE_TEXT, "no true count: %s",
                 cost->review);
    } else if (first) {
        cost->verdict = SLOW;
        text_put(cost->message, MESSAGE_TEXT, "first bring down the %s",
                 first);
    } else {
        cost->score = met ? wanted->points[met - 1] : 0;
        if (met < wanted->tiers)
            say_cost(wanted, counted, met, cost);
    }
}

/* All budgets; one counts once those above it for the same case are kept. */
static void judge_costs(const struct task *task, struct report *report)
{
    const struct lab *lab = task->lab;
    const char *first = NULL;

    for (size_t i = 0; i < lab->costs; i++) {
        const struct lab_cost *wanted = &lab->cost[i];
        const struct watched_case *made = &report->watch.cases[wanted->watched];
        struct watch_outcome *cost = &report->cost[i];

        if (i == 0 || wanted->watched != wanted[-1].watched)
            first = NULL;
        judge_cost(wanted, &made->cost[wanted->cost], first, cost);
        if (cost->verdict != PASS && !first)
            first = cost_words(wanted->cost);
        if (made->outcome.verdict != PASS || report->verdict != PASS)
            cost->score = 0;
    }
}

void grade_watch_score(const struct task *task, struct report *report)
{
    const struct lab *lab = task->lab;

    if (report->watched) {
        judge_findings(task, report);
        judge_costs(task, report);
    }
    report->score += report->clean.score;
    report->max_score += lab->clean;
    for (size_t i = 0; i < lab->costs; i++) {
        report->score += report->cost[i].score;
        report->max_score += lab->cost[i].points[lab->cost[i].tiers - 1];
    }
}
