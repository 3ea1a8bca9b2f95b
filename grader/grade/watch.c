/* SPDX-License-Identifier: MIT */
/* Running a suite's watched cases and tests instrumented, one runner each. */
#include "watch.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/paths.h"
#include "grader/box/box.h"
#include "grader/suite/state.h"
#include "common/base/text.h"

enum { INTERLEAVINGS = 2 }; /* adversarial schedules of a case */
/* Time for a runner to resolve source lines and write its report. */
static const double report_seconds = 20;
/* Largest arrays of a call in a test that is run instrumented: some seconds. */
static const size_t test_bytes = (size_t)16 << 20;

/* The submission kept its runner from writing a report, or the grader
 * failed. */
static void fail_without_report(struct watched_case *watched, bool is_ours,
                                const char *reason)
{
    if (is_ours) {
        watched->outcome.verdict = INTERNAL;
        text_format(watched->outcome.message, MESSAGE_SIZE,
                    "the report of an instrumented run cannot be read: %s",
                    reason);
    }
    if (watched->outcome.verdict != PASS)
        return;
    watched->is_unreported = true;
    watched->outcome.verdict = CRASHED;
    text_format(watched->outcome.message, MESSAGE_SIZE,
                "the instrumented run wrote no report that can be read: %s",
                reason);
}

/* The file in which a boxed runner's report was kept could not be written. */
static bool is_report_lost(const struct session *session, char *reason)
{
    if (!session->box || !session->box->outputs_lost)
        return false;
    text_format(reason, 256, "no room for it in %.200s", session->folder);
    return true;
}

/* Operations that tensor cores should have done and did not. */
static void add_missing_operations(struct counter counter[METRICS])
{
    const struct counter *tensor = &counter[METRIC_TENSOR];

    if (tensor->has_unit && tensor->value < tensor->unit)
        counter[METRIC_ARITHMETIC].value += tensor->unit - tensor->value;
}

static void count(const json_t *report, struct watched_case *watched)
{
    const json_t *kernels = json_object_get(report, "kernels");

    watched->has_no_kernels =
        json_is_array(kernels) && json_array_size(kernels) == 0;
    watched->block_threads = metric_block_threads(kernels);
    for (int i = 0; i < METRICS; i++) {
        struct counter *counter = &watched->counter[i];

        bool is_complete = false;
        bool found = json_array_size(kernels) > 0
                     && metric_read(report, (enum metric)i, &counter->value,
                                    &is_complete);

        counter->is_complete = found && is_complete;
        counter->is_sampled = found && !is_complete;
        counter->has_unit = counter->is_complete && counter->unit > 0;
    }
    add_missing_operations(watched->counter);
}

/* Run a test or a watched case on the session's instrumented runner, and add
 * its findings.
 *  @param most_bytes  of a call's arrays; 0: any
 *  @return the runner's report, or NULL */
static json_t *run_instrumented(const struct watch_run *watch_run,
                                const struct suite_test *test,
                                size_t most_bytes,
                                struct watched_case *watched,
                                struct watch *watch)
{
    const char *path = watch_run->session->report;
    char reason[256] = "it did not end by itself";
    json_t *report = NULL;
    bool is_ours = false;

    *watched = (struct watched_case){.was_run = true};
    unlink(path);
    test_begin(watch_run->session, watch_run->lab, watch_run->seed, test->name,
               &watched->outcome);
    test_count_metrics(watched->counter);
    test_limit_bytes(most_bytes);
    test->run();
    test_end();
    /* a crash of the host writes a report, too */
    if (session_close(watch_run->session, report_seconds)
        || access(path, R_OK) == 0)
        report = read_report(path, reason, &is_ours);
    unlink(path);
    watched->has_report = report != NULL;
    if (!report)
        fail_without_report(
            watched, is_ours || is_report_lost(watch_run->session, reason),
            reason);
    collect_findings(report, watch);
    tell_references(watch_run->lab, watch);
    return report;
}

json_t *watch_case(const struct watch_run *watch_run, size_t index,
                   struct watch *watch)
{
    struct watched_case *watched = &watch->cases[index];
    json_t *report =
        run_instrumented(watch_run,
                         &suite_watched(watch_run->lab->suite)[index], 0,
                         watched, watch);

    count(report, watched);
    watched->modeled = scaled_modeled_us(report);
    watched->is_interleavable =
        json_is_true(json_object_get(report, "interleavable"));
    return report;
}

void watch_test(const struct watch_run *watch_run,
                const struct suite_test *test, struct watch *watch)
{
    json_t *report = run_instrumented(watch_run, test, test_bytes,
                                      &watch->cases[0], watch);

    json_decref(report);
}

/* Run the case again under schedules that stop threads between accesses whose
 * order matters.  Their counts depend on the schedule and are not used. */
static void interleave_case(const struct watch_run *watch_run, size_t index,
                            struct watch *watch)
{
    static struct watched_case again;
    struct watched_case *watched = &watch->cases[index];

    for (unsigned seed = 1; seed <= INTERLEAVINGS && !watch->findings
                            && watched->outcome.verdict == PASS
                            && !interrupted(); seed++) {
        watch_run->session->interleave_seed = seed;
        json_t *report = run_instrumented(
            watch_run, &suite_watched(watch_run->lab->suite)[index], 0, &again,
            watch);

        json_decref(report);
        if (again.outcome.verdict == WRONG
            || again.outcome.verdict == INTERNAL)
            watched->outcome = again.outcome;
    }
    watch_run->session->interleave_seed = 0;
}

/* Is no budget of this case, and no modeled time?  Then nothing is counted: a
 * profile costs as much as the checks. */
static bool is_uncounted(const struct lab *lab, size_t index)
{
    if (lab_model_case(lab) == index)
        return false;
    for (size_t i = 0; i < lab->budgets; i++)
        if (lab->budget[i].watched == index)
            return false;
    return true;
}

void watch_all(const struct watch_run *watch_run, struct watch *watch)
{
    const struct suite_test *test = suite_watched(watch_run->lab->suite);

    for (size_t i = 0; test[i].name && i < LAB_MAX_WATCHED && !interrupted();
         i++) {
        if (i + 1 == watch_run->lab->model_case && !watch_run->model_case)
            continue;
        watch_run->session->uncounted = is_uncounted(watch_run->lab, i);
        watch_run->session->unchecked = i + 1 == watch_run->lab->model_case;
        json_decref(watch_case(watch_run, i, watch));
        watch_run->session->uncounted = false;
        watch_run->session->unchecked = false;
        if (watch->cases[i].is_interleavable)
            interleave_case(watch_run, i, watch);
        if (watch->cases[i].outcome.verdict != PASS
            && watch->cases[i].outcome.verdict != WRONG)
            break;
    }
}
