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
#include "grader/suite/diagnose.h"
#include "grade.h"

/* No further test starts after calls of these seconds, without what they were
 * starved: which tests fail does not depend on what else the machine does. */
static const double rerun_seconds = 60;
/* No further failed test is run to explain the first after so many. */
static const double explain_seconds = 10;
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

/* Right in one build and wrong in the other one, where nothing was found.  It
 * is no matter of precision. */
static void tell_difference(const char *wrong, char *message)
{
    const char *guess = strstr(wrong, "; " DIAGNOSIS_CLOSE);
    const int length = guess ? (int)(guess - wrong) : 900;

    if (strstr(wrong, DIAGNOSIS_ABSENT_LANE)) {
        text_format(message, MESSAGE_SIZE, "in the instrumented run, where it "
                    "is no number: %.900s", wrong);
        return;
    }
    text_format(message, MESSAGE_SIZE, "in the instrumented run: %.*s; right "
                "in the other build: is a local variable, or an element of a "
                "local array, used before it is set, or does the order of the "
                "threads matter?", length, wrong);
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
        tell_difference(outcome->message, reason->outcome.message);
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

/* @return index of the first test that was not run any more */
static size_t rerun_tests(const struct task *task,
                          const struct watch_run *watch_run,
                          struct report *report)
{
    const double end = session_seconds_used() + rerun_seconds;
    const double last = clock_seconds() + MAX_EXTENSION * rerun_seconds;
    struct reason reason;
    bool is_enough = false;

    for (size_t i = 0; i < task->lab->tests && !is_enough; i++) {
        if (report->test[i].verdict != PASS)
            continue;
        if (interrupted() || session_seconds_used() > end
            || clock_seconds() > last)
            return i;
        if (!fails_instrumented(watch_run, i, &report->watch, &reason))
            continue;
        fail_test(report, i, &reason);
        is_enough = task->watch_only; /* only the verdict matters */
    }
    return task->lab->tests;
}

/* A defect that only the watched cases show concerns all tests; if time was
 * short, those that were not run once more.
 * @param first  index of the first of these */
static void fail_passed(const struct task *task, const struct reason *reason,
                        size_t first, struct report *report)
{
    for (size_t i = first; i < task->lab->tests; i++)
        if (report->test[i].verdict == PASS)
            fail_test(report, i, reason);
}

/* Do both messages name the same element, the same values and as many wrong
 * ones?  The grid is not known of an instrumented run. */
static bool is_same_failure(const struct outcome *a, const struct outcome *b)
{
    const char *end = strstr(a->message, " wrong");

    return a->verdict == WRONG && b->verdict == WRONG && end
           && !strncmp(a->message, b->message, (size_t)(end - a->message) + 6);
}

/* Run a test instrumented and keep its findings, and which line stored the
 * wrong elements; there are no findings yet. */
static void find_in_test(const struct watch_run *watch_run, size_t index,
                         struct report *report)
{
    static struct watch watch;

    memset(&watch, 0, sizeof watch);
    watch_test(watch_run, &watch_run->lab->suite->tests[index], &watch);
    memcpy(report->watch.finding, watch.finding, sizeof watch.finding);
    report->watch.findings = watch.findings;
    if (is_same_failure(&report->test[index], &watch.cases[0].outcome))
        memcpy(report->test[index].stored, watch.cases[0].outcome.stored,
               STORED_SIZE);
}

enum { OF_ELEMENTS = 3 }; /* details of a message about wrong ones */

/* Does the message tell no cause?  A fact about the values, beside which the
 * test's general hint is left out, is none. */
static bool is_unexplained(const struct outcome *outcome)
{
    return !outcome->hint || outcome->shows_terms
           || (!*outcome->hint && !outcome->is_explained);
}

/* The test whose message tells no cause, but most, after those that were run. */
static size_t next_unexplained(const struct report *report, size_t tests,
                               const bool was_run[])
{
    size_t next = tests;

    for (size_t i = 0; i < tests; i++)
        if (report->test[i].verdict == WRONG
            && is_unexplained(&report->test[i]) && !was_run[i]
            && report->test[i].detail >= OF_ELEMENTS
            && (next == tests
                || report->test[i].detail > report->test[next].detail))
            next = i;
    return next;
}

/* Wrong results that have no hint of their own, while the watched cases are clean: a
 * race may need more blocks, or larger arrays, than these have. */
static void explain_failed_tests(const struct task *task, const char *runner,
                                 struct report *report)
{
    enum { MOST = 2 };
    const double end = session_seconds_used() + explain_seconds;
    struct watched_session opened;
    bool was_run[LAB_MAX_TESTS] = {false};
    size_t next;

    if (!grade_watch_open(task, runner, &opened))
        return;
    opened.session.compares_threads = true;
    for (unsigned run = 0; run < MOST && !report->watch.findings
                           && !interrupted() && session_seconds_used() < end;
         run++) {
        next = next_unexplained(report, task->lab->tests, was_run);
        if (next == task->lab->tests)
            break;
        find_in_test(&opened.watch_run, next, report);
        was_run[next] = true;
    }
    session_free(&opened.session);
}

void fail_tests_with_findings(const struct task *task, const char *runner,
                              struct report *report)
{
    struct watched_session opened;
    const struct watch *watch = &report->watch;
    struct reason reason;
    size_t first = 0;

    if (!report->watched)
        return;
    if (report->verdict != PASS && !watch->findings && !task->watch_only)
        explain_failed_tests(task, runner, report);
    if (report->verdict == PASS ? !find_reason(watch, watch, &reason)
                                : !find_finding(watch, watch, &reason))
        return;
    if (grade_watch_open(task, runner, &opened)) {
        opened.session.limits.seconds *= slower;
        opened.session.interleave_seed = 1;
        first = rerun_tests(task, &opened.watch_run, report);
        session_free(&opened.session);
    }
    if (interrupted())
        return;
    if (overall_verdict(task, report) == PASS)
        fail_passed(task, &reason, first < task->lab->tests ? first : 0,
                    report);
    report->verdict = overall_verdict(task, report);
}
