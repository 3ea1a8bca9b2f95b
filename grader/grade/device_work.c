/* SPDX-License-Identifier: MIT */
/* Did the kernels compute the outputs?  On the soft device a kernel can access
 * host memory, and the host can compute while a kernel does nothing.  The
 * findings and counters of the watched cases show that. */
#include <string.h>

#include "grade.h"
#include "common/base/text.h"
#include "grader/lab/hidden.h"

/* An out-of-bounds index of the same line can reach host memory by accident:
 * the finding for it is enough. */
static bool is_overrun(const struct watch *watch, const struct finding *host)
{
    const size_t line = strcspn(host->location, ":") + 1;
    const size_t length = line + strcspn(host->location + line, ":");

    for (size_t i = 0; i < watch->findings && *host->location; i++)
        if (!strcmp(watch->finding[i].kind, "out_of_bounds")
            && !strncmp(watch->finding[i].location, host->location, length)
            && watch->finding[i].location[length] == ':')
            return true;
    return false;
}

/* On a card such an access ends the program. */
static bool used_host_memory(const struct watch *watch, char *reason)
{
    for (size_t i = 0; i < watch->findings; i++) {
        const struct finding *finding = &watch->finding[i];

        if (strcmp(finding->kind, "host_pointer")
            && strcmp(finding->kind, "device_pointer"))
            continue;
        if (is_overrun(watch, finding))
            continue;
        text_format(reason, MESSAGE_SIZE,
                    "%s%s%s: it would not work on a card", finding->location,
                    *finding->location ? ": " : "", finding->title);
        return true;
    }
    return false;
}

/* A counter below the suite's minimum; an extrapolated one must be below half
 * of it. */
static bool is_below_minimum(const struct watched_case *watched,
                             const char *title, char *reason)
{
    for (int i = 0; i < METRICS; i++) {
        const struct counter *counter = &watched->counter[i];
        const bool is_counted =
            counter->has_unit || counter->is_sampled
            || (watched->has_report && watched->has_no_kernels);

        const double minimum =
            counter->is_sampled ? counter->minimum / 2 : counter->minimum;

        if (!is_counted || counter->unit <= 0
            || counter->value >= minimum - 0.5)
            continue;
        text_format(
            reason, MESSAGE_SIZE,
            "the kernels do too little to have done the work: %.0f %s, "
            "where at least %.0f are needed (%s)",
            counter->value, metric_description((enum metric)i),
            counter->minimum, title);
        return true;
    }
    return false;
}

/* Nothing is known of kernels whose report is missing, forged or damaged; the
 * report of an honest program never is. */
static bool is_unreported(const struct watch *watch, char *reason)
{
    for (size_t i = 0; i < LAB_MAX_WATCHED; i++)
        if (watch->cases[i].was_run && watch->cases[i].is_unreported) {
            text_format(reason, MESSAGE_SIZE, "%s",
                        watch->cases[i].outcome.message);
            return true;
        }
    return false;
}

static bool find_missing_work(const struct task *task,
                              const struct watch *watch, char *reason)
{
    const struct suite_test *cases = suite_watched(task->lab->suite);

    if (used_host_memory(watch, reason) || is_unreported(watch, reason))
        return true;
    for (size_t i = 0; i < LAB_MAX_WATCHED && cases[i].name; i++)
        if (watch->cases[i].was_run && watch->cases[i].outcome.verdict == PASS
            && is_below_minimum(&watch->cases[i], cases[i].title, reason))
            return true;
    return false;
}

/* No test that passed counts. */
static void discard_tests(const struct task *task, const char *reason,
                          struct report *report)
{
    for (size_t i = 0; i < task->lab->tests; i++) {
        if (report->test[i].verdict != PASS)
            continue;
        report->device_work_missing = true;
        report->test[i].verdict = WRONG;
        text_format(report->test[i].message, MESSAGE_SIZE, "%s", reason);
        text_format(report->missing_work, MESSAGE_SIZE, "%s", reason);
    }
    if (report->verdict == PASS)
        report->verdict = WRONG;
}

void check_device_work(const struct task *task, struct report *report)
{
    char reason[MESSAGE_SIZE];

    if (report->watched && find_missing_work(task, &report->watch, reason))
        discard_tests(task, reason, report);
}

/* Students may not know what a hidden test does, nor where it found that. */
static void name_host_work(const struct task *task, const struct report *report,
                           size_t test, char *reason)
{
    if (is_hidden_test(task->lab, test))
        text_format(reason, MESSAGE_SIZE, "in a hidden test the host did the "
                    "work of the device");
    else
        text_format(reason, MESSAGE_SIZE, "in `%s': %.800s",
                    task->lab->test[test].name, report->test[test].message);
}

void check_host_work(const struct task *task, struct report *report)
{
    char reason[MESSAGE_SIZE];

    for (size_t i = 0; i < task->lab->tests; i++) {
        if (!report->test[i].host_work)
            continue;
        name_host_work(task, report, i, reason);
        discard_tests(task, reason, report);
        return;
    }
}
