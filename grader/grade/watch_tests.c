/* SPDX-License-Identifier: MIT */
/* Tests in which the sanitizer finds a race or a stray access.  Their outputs
 * are right by luck: on another card, or in another order, they would not be.
 *
 * The watched cases find such a defect at little cost.  Only then the tests are
 * run once more, instrumented, to see which of them it concerns: those of one
 * function of a lab may, while those of another one do not. */
#include <string.h>

#include "common/base/text.h"
#include "common/softgpu/watch/findings.h"
#include "grade.h"

/* No further test starts after this time; those not run keep their verdict. */
static const double rerun_seconds = 60;
/* Instrumented, a call may take so many times the lab's limit: a runner that
 * is killed leaves no report. */
static const double slower = 4;

/* Does a finding of this kind mean that outputs are right by luck?  Not so of
 * leaks, of values that may be unused, and of API calls that fail; what uses
 * the host's memory is a matter of check_device_work(). */
static bool makes_outputs_unreliable(const struct finding *finding)
{
    switch ((enum softgpu_finding_kind)finding->rank) {
    case SOFTGPU_FIND_OUT_OF_BOUNDS:
    case SOFTGPU_FIND_USE_AFTER_FREE:
    case SOFTGPU_FIND_NULL_POINTER:
    case SOFTGPU_FIND_MISALIGNED:
    case SOFTGPU_FIND_RACE_SHARED:
    case SOFTGPU_FIND_RACE_GLOBAL:
    case SOFTGPU_FIND_RACE_BLOCKS:
    case SOFTGPU_FIND_RACE_HOST:
    case SOFTGPU_FIND_RACE_NESTED:
    case SOFTGPU_FIND_BARRIER_DIVERGED:
    case SOFTGPU_FIND_BARRIER_MISSED:
    case SOFTGPU_FIND_BAD_MASK:
    case SOFTGPU_FIND_NO_PROGRESS:
    case SOFTGPU_FIND_LOCKSTEP:
    case SOFTGPU_FIND_FAULT:
        return true;
    default:
        return false;
    }
}

/* Why a test fails. */
struct reason {
    struct outcome outcome; /* verdict and message */
    int rank;               /* of the finding's kind; behind all kinds when it
                               is none */
};

/* A finding that makes outputs unreliable, or what explains it among those of
 * all cases.  @return false: there is none */
static bool find_finding(const struct watch *watch, const struct watch *all,
                         struct reason *reason)
{
    for (size_t i = 0; i < watch->findings; i++) {
        const struct finding *finding = &watch->finding[i];
        const struct finding *cause = find_cause(all, finding);

        if (!makes_outputs_unreliable(finding))
            continue;
        finding = cause ? cause : finding;
        reason->rank = finding->rank;
        reason->outcome.verdict = WRONG;
        text_format(reason->outcome.message, MESSAGE_SIZE, "%s%s%s: %s",
                    finding->location, *finding->location ? ": " : "",
                    finding->title, finding->message);
        return true;
    }
    return false;
}

bool has_unreliable_outputs(const struct watch *watch)
{
    struct reason reason;

    return find_finding(watch, watch, &reason);
}

/* The same, or a wrong output of a case in spite of right ones in the tests:
 * the two builds run threads in different orders. */
static bool find_reason(const struct watch *watch, const struct watch *all,
                        struct reason *reason)
{
    if (find_finding(watch, all, reason))
        return true;
    for (size_t i = 0; i < LAB_MAX_WATCHED; i++) {
        const struct outcome *outcome = &watch->cases[i].outcome;

        if (!watch->cases[i].was_run || outcome->verdict != WRONG)
            continue;
        reason->rank = SOFTGPU_FINDING_KIND_COUNT;
        reason->outcome.verdict = WRONG;
        text_format(reason->outcome.message, MESSAGE_SIZE,
                    "in the instrumented run: %.900s", outcome->message);
        return true;
    }
    return false;
}

static void fail_test(struct report *report, size_t index,
                      const struct reason *reason)
{
    struct outcome *outcome = &report->test[index];

    outcome->verdict = reason->outcome.verdict;
    memcpy(outcome->message, reason->outcome.message, MESSAGE_SIZE);
    report->test_has_finding[index] = true;
    report->test_finding_rank[index] = reason->rank;
}

/* Run a test instrumented.
 *  @param all  findings of all cases
 *  @return true when it fails then, or when the grader does */
static bool fails_instrumented(const struct watch_run *watch_run, size_t index,
                               const struct watch *all, struct reason *reason)
{
    static struct watch watch;

    memset(&watch, 0, sizeof watch);
    watch_test(watch_run, &watch_run->lab->suite->tests[index], &watch);
    if (watch.cases[0].outcome.verdict != INTERNAL)
        return find_reason(&watch, all, reason);
    reason->outcome = watch.cases[0].outcome;
    reason->rank = SOFTGPU_FINDING_KIND_COUNT;
    return true;
}

static void rerun_tests(const struct task *task,
                        const struct watch_run *watch_run,
                        struct report *report)
{
    const double end = clock_seconds() + rerun_seconds;
    struct reason reason;
    bool is_enough = false;

    for (size_t i = 0; i < task->lab->tests && !is_enough; i++) {
        if (report->test[i].verdict != PASS)
            continue;
        if (interrupted() || clock_seconds() > end)
            return;
        if (!fails_instrumented(watch_run, i, &report->watch, &reason))
            continue;
        fail_test(report, i, &reason);
        is_enough = task->watch_only; /* only the verdict matters */
    }
}

/* A defect that only the watched cases show concerns all tests. */
static void fail_all_passed(const struct task *task,
                            const struct reason *reason,
                            struct report *report)
{
    for (size_t i = 0; i < task->lab->tests; i++)
        if (report->test[i].verdict == PASS)
            fail_test(report, i, reason);
}

void fail_tests_with_findings(const struct task *task, const char *runner,
                              struct report *report)
{
    struct watched_session opened;
    const struct watch *watch = &report->watch;
    struct reason reason;

    if (!report->watched)
        return;
    if (report->verdict == PASS ? !find_reason(watch, watch, &reason)
                                : !find_finding(watch, watch, &reason))
        return;
    if (grade_watch_open(task, runner, &opened)) {
        opened.session.limits.seconds *= slower;
        opened.session.interleave_seed = 1;
        rerun_tests(task, &opened.watch_run, report);
        session_free(&opened.session);
    }
    if (interrupted())
        return;
    if (overall_verdict(task, report) == PASS)
        fail_all_passed(task, &reason, report);
    report->verdict = overall_verdict(task, report);
}
