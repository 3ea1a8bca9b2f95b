/* SPDX-License-Identifier: MIT */
/* Did the kernels do the work?  Outputs alone do not tell: on the soft device
 * a kernel reaches the host's memory, and the host can work beside a kernel
 * that does nothing.  What the watchers saw tells. */
#include <string.h>

#include "grade.h"
#include "text.h"

/* On the same line an array of the kernel's own was left: what lies behind it is
 * the host's by chance, and the stray index is told as such. */
static bool is_overrun(const struct watch *watch, const struct finding *host)
{
    const size_t line = strcspn(host->place, ":") + 1;
    const size_t length = line + strcspn(host->place + line, ":");

    for (size_t i = 0; i < watch->findings && *host->place; i++)
        if (!strcmp(watch->finding[i].kind, "out_of_bounds")
            && !strncmp(watch->finding[i].place, host->place, length)
            && watch->finding[i].place[length] == ':')
            return true;
    return false;
}

/* On a card this ends the program: whatever came out, it was not earned. */
static bool used_host_memory(const struct watch *watch, char *why)
{
    for (size_t i = 0; i < watch->findings; i++) {
        const struct finding *finding = &watch->finding[i];

        if (strcmp(finding->kind, "host_pointer")
            && strcmp(finding->kind, "device_pointer"))
            continue;
        if (is_overrun(watch, finding))
            continue;
        text_put(why, MESSAGE_TEXT, "%s%s%s: it would not work on a card",
                 finding->place, *finding->place ? ": " : "", finding->words);
        return true;
    }
    return false;
}

/* Less than any right program needs: of what the suite names a least of.  An
 * estimate from some blocks must be less than half of it. */
static bool did_too_little(const struct watched_case *made, const char *title,
                           char *why)
{
    for (int i = 0; i < COSTS; i++) {
        const struct counted *cost = &made->cost[i];
        const bool counted = cost->known || cost->sampled
                             || (made->told && made->idle);

        const double least = cost->sampled ? cost->least / 2 : cost->least;

        if (!counted || cost->unit <= 0 || cost->value >= least - 0.5)
            continue;
        text_put(why, MESSAGE_TEXT,
                 "the kernels do too little to have done the work: %.0f %s, "
                 "where at least %.0f are needed (%s)", cost->value,
                 cost_words((enum cost)i), cost->least, title);
        return true;
    }
    return false;
}

static bool is_undone(const struct task *task, const struct watch *watch,
                      char *why)
{
    const struct suite_test *cases = suite_watched(task->lab->suite);

    if (used_host_memory(watch, why))
        return true;
    for (size_t i = 0; i < LAB_WATCHED && cases[i].name; i++)
        if (watch->cases[i].done && watch->cases[i].outcome.verdict == PASS
            && did_too_little(&watch->cases[i], cases[i].title, why))
            return true;
    return false;
}

void grade_work(const struct task *task, struct report *report)
{
    char why[MESSAGE_TEXT];

    if (!report->watched || !is_undone(task, &report->watch, why))
        return;
    for (size_t i = 0; i < task->lab->tests; i++) {
        if (report->test[i].verdict != PASS)
            continue;
        report->undone = true;
        report->test[i].verdict = WRONG;
        text_put(report->test[i].message, MESSAGE_TEXT, "%s", why);
    }
    if (report->verdict == PASS)
        report->verdict = WRONG;
}
