/* SPDX-License-Identifier: MIT */
/* The failing test of a report that says most, its values and its hint. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include "grader/suite/state.h"
#include "async_hint.h"
#include "loop_hint.h"
#include "order_hint.h"
#include "print.h"
#include "source_view.h"

/* The most serious finding that explains wrong results; NULL: there is none. */
static const struct finding *worst_finding(const struct report *report)
{
    for (size_t i = 0; i < report->watch.findings; i++)
        if (strcmp(report->watch.finding[i].kind, "leak")
            && strcmp(report->watch.finding[i].kind, "launch_error_ignored"))
            return &report->watch.finding[i];
    return NULL;
}

bool has_cause(const struct report *report)
{
    return worst_finding(report) != NULL;
}

static bool is_race(const struct finding *finding)
{
    return strstr(finding->kind, "race") || strstr(finding->kind, "lockstep");
}

bool has_race(const struct report *report)
{
    for (size_t i = 0; i < report->watch.findings; i++)
        if (is_race(&report->watch.finding[i]))
            return true;
    return false;
}

/* A warning that explains any wrong result: a variable that is never set, or a
 * char as an index, which may be negative. */
static bool has_telling_warning(const struct report *report)
{
    return strstr(report->warnings, "uninitialized")
           || strstr(report->warnings, "char-subscripts");
}

/* Did a kernel read global memory that nothing had written? */
static bool has_uninitialized_read(const struct report *report)
{
    for (size_t i = 0; i < report->watch.findings; i++)
        if (!strcmp(report->watch.finding[i].kind, "uninitialized_global"))
            return true;
    return false;
}

bool explains_all(const struct report *report)
{
    return has_race(report) || has_uninitialized_read(report);
}

bool is_to_do(const struct outcome *outcome)
{
    return strstr(outcome->message, "(cudaErrorNotSupported") != NULL;
}

/* Does test i say more than test `shown`: about code that was written, about
 * wrong elements, also where `shown` failed by a finding alone, which is shown
 * anyway; or, where both failed so, of a more serious one? */
static bool says_more(const struct report *report, size_t shown, size_t i)
{
    const int detail = report->test[shown].detail;

    if (is_to_do(&report->test[shown]) != is_to_do(&report->test[i]))
        return is_to_do(&report->test[shown]);
    if (report->test_has_finding[shown] && report->test_has_finding[i])
        return report->test_finding_rank[i]
               < report->test_finding_rank[shown];
    if (report->test_has_finding[shown] != report->test_has_finding[i])
        return report->test_has_finding[shown];
    return detail && report->test[i].detail > detail;
}

/* The failing test to be shown first, or NULL.  That is the first one, unless
 * a later one says more than it does. */
static const struct outcome *shown_failure(const struct task *task,
                                           const struct report *report,
                                           size_t *index, bool *is_first)
{
    const struct outcome *shown = NULL;

    *is_first = true;
    for (size_t i = 0; i < task->lab->tests; i++) {
        const struct outcome *outcome = &report->test[i];

        if (outcome->verdict == PASS
            || (shown && !says_more(report, *index, i)))
            continue;
        *is_first = shown == NULL;
        *index = i;
        shown = outcome;
    }
    return shown;
}

/* The message, without a guess at the precision, or at what few elements show,
 * where a race, or a variable that is never set, explains any value. */
static void show_message(const struct report *report,
                         const struct outcome *outcome)
{
    const char *guess = strstr(outcome->message, "; " DIAGNOSIS_CLOSE);
    char text[MESSAGE_SIZE];

    text_format(text, sizeof text, "%s", outcome->message);
    if (has_race(report) || has_telling_warning(report))
        text[guess            ? guess - outcome->message
             : outcome->guess ? (ptrdiff_t)outcome->guess
                              : (ptrdiff_t)strlen(text)] = 0;
    text_wrap(stdout, 2, text);
}

/* A test's hint is about wrong results, not about crashes and CUDA errors; the
 * handout's own error, cudaErrorNotSupported, is an exception. */
static bool hint_fits(const struct outcome *outcome)
{
    return outcome->verdict == WRONG
           && (!strstr(outcome->message, "(cudaError") || is_to_do(outcome));
}

/* Does another test fail with a CUDA error, too?  Then the error is not of what
 * this test asks for. */
static bool is_common_error(const struct task *task,
                            const struct report *report,
                            const struct outcome *outcome)
{
    if (!strstr(outcome->message, "(cudaError") || is_to_do(outcome))
        return false;
    for (size_t i = 0; i < task->lab->tests; i++)
        if (&report->test[i] != outcome
            && strstr(report->test[i].message, "(cudaError")
            && !is_to_do(&report->test[i]))
            return true;
    return false;
}

/* The line that a message about a loop names, of the source; 0: of none. */
static int line_of_loop(const char *source, const char *message)
{
    const char *name = base_name(source);
    const char *at = strstr(message, "running at ");
    const size_t length = strlen(name);

    at = at ? at + strlen("running at ") : NULL;
    return at && !strncmp(at, name, length) && at[length] == ':'
               ? atoi(at + length + 1) : 0;
}

/* A hint that the source gives: about the loop in which the time ran out, about
 * sums whose bits differ from call to call, where no race explains them, or
 * about copies that may not have been complete. */
static bool find_source_hint(const char *source, const struct outcome *outcome,
                             bool has_race, char *hint)
{
    enum { MOST_BYTES = 1 << 20 };
    const int line = outcome->verdict == TIMEOUT
                         ? line_of_loop(source, outcome->message) : 0;
    const bool is_order = outcome->verdict == WRONG && !has_race
                          && (strstr(outcome->message, "not deterministic")
                              || strstr(outcome->message, "gave other bits"));
    size_t bytes;
    const bool is_pending =
        outcome->verdict == WRONG
        && strstr(outcome->message, "memory that nothing had written yet");
    char *text;
    bool found;

    if (!line && !is_order && !is_pending)
        return false;
    text = read_file(source, MOST_BYTES, &bytes);
    found = text && (line       ? loop_hint(text, line, hint, MESSAGE_SIZE)
                     : is_order ? order_hint(text, hint, MESSAGE_SIZE)
                                : async_hint(text, hint, MESSAGE_SIZE));
    if (found && is_pending && outcome->hint && !strstr(hint, "in a branch"))
        snprintf(hint + strlen(hint), MESSAGE_SIZE - strlen(hint), " %s",
                 outcome->hint);
    free(text);
    return found;
}

/* A race between streams leaves whole arrays of another time, which a hint
 * explains; what threads leave is arbitrary. */
static bool has_race_of_threads(const struct report *report)
{
    for (size_t i = 0; i < report->watch.findings; i++)
        if (strcmp(report->watch.finding[i].kind, "race_streams")
            && is_race(&report->watch.finding[i]))
            return true;
    return false;
}

/* The hint of the failure's cause, unless a race explains any wrong result;
 * "" when the message tells the cause, NULL when it is not known.
 * from_source: room for MESSAGE_SIZE bytes */
static const char *cause_hint(const struct task *task,
                              const struct outcome *outcome,
                              const struct report *report, char *from_source)
{
    /* elements that are never written are read by what follows */
    const bool reads = has_uninitialized_read(report)
                       && !strstr(outcome->message, "; never written");

    if (find_source_hint(task->source, outcome, has_race(report), from_source))
        return from_source;
    return has_race_of_threads(report) || reads || has_telling_warning(report)
               ? NULL : outcome->hint;
}

static bool has_kind(const struct report *report, const char *kind)
{
    for (size_t i = 0; i < report->watch.findings; i++)
        if (!strcmp(report->watch.finding[i].kind, kind))
            return true;
    return false;
}

/* The hint of the lab's test on alignment, where a finding shows a vector that
 * does not begin at a multiple of its size, or, in a kernel that loads such
 * ones, lies across the end. */
static const char *alignment_hint(const struct task *task,
                                  const struct report *report,
                                  const struct outcome *outcome)
{
    if (!strstr(outcome->message, "address not a multiple of the access")
        && !(has_kind(report, "misaligned")
             && strstr(outcome->message, ", crosses the end of ")))
        return "";
    for (size_t i = 0; i < task->lab->tests; i++)
        if (!strcmp(task->lab->test[i].name, "misaligned"))
            return task->lab->test[i].hint;
    return "";
}

#define ABOUT_TEST " (about the test in general)"

/* That hint; else the test's, unless a finding of the sanitizer, a warning of
 * the compiler or an error that other tests have, too, tells the cause. */
const char *failure_hint(const struct task *task, const struct report *report,
                         char *room, const char **about)
{
    size_t i = 0;
    bool is_first;
    const struct outcome *outcome =
        shown_failure(task, report, &i, &is_first);
    const char *own;

    if (!outcome || report->device_work_missing)
        return "";
    *about = " (about vectors)";
    if (report->test_has_finding[i])
        return alignment_hint(task, report, outcome);
    own = cause_hint(task, outcome, report, room);
    *about = own                  ? ""
             : hint_fits(outcome) ? ABOUT_TEST
                                  : " (about the test; the error is described "
                                    "above)";
    return own ? own
           : *outcome->stored || has_cause(report)
                 || is_common_error(task, report, outcome)
                 || has_telling_warning(report) ? ""
               : task->lab->test[i].hint;
}

static void show_hint(const struct task *task, const struct report *report,
                      const struct outcome *outcome)
{
    char room[MESSAGE_SIZE];
    const char *about, *text = failure_hint(task, report, room, &about);

    if (!*text) {
        if (*outcome->stored && task->target->kind == DEVICE_SOFT)
            show_search(task);
        return;
    }
    printf("\nHint%s\n", about);
    text_wrap(stdout, 2, text);
    if ((!strcmp(about, ABOUT_TEST) || outcome->shows_terms)
        && task->target->kind == DEVICE_SOFT && !is_to_do(outcome)
        && outcome->detail != LEAK && outcome->detail != LEAK_AFTER_ERROR)
        show_search(task);
}

/* The first line of each other failing test. */
static void show_other_failures(const struct task *task,
                                const struct report *report, size_t shown)
{
    bool any = false;

    for (size_t i = 0; i < task->lab->tests; i++) {
        char line[MESSAGE_SIZE];

        if (i == shown || report->test[i].verdict == PASS)
            continue;
        if (!any)
            printf("\nOther failing tests\n");
        any = true;
        text_format(line, sizeof line, "%s: %.*s", task->lab->test[i].name,
                    (int)strcspn(report->test[i].message, "\n"),
                    report->test[i].message);
        text_wrap(stdout, 2, line);
    }
}

/* Why tests that were printed as passed do not count, unless the failure says
 * it. */
static void show_missing_work(const struct report *report,
                              const struct outcome *shown)
{
    if (!report->device_work_missing
        || !strcmp(report->missing_work, shown->message))
        return;
    printf("\nWhy no test counts\n");
    text_wrap(stdout, 2, report->missing_work);
}

void show_failure(const struct task *task, const struct report *report,
                  bool verbose)
{
    size_t i = 0;
    bool is_first = true;
    const struct outcome *outcome =
        shown_failure(task, report, &i, &is_first);

    if (!outcome)
        return;
    printf("\n%s failing test: %s\n",
           is_first ? "First" : "Most specific", task->lab->test[i].name);
    show_message(report, outcome);
    if (*outcome->passed && !outcome->is_explained && !has_cause(report)) {
        printf("\n");
        text_wrap(stdout, 2, outcome->passed);
    }
    show_values(task, report, outcome);
    if (*outcome->stored) {
        printf("\n");
        show_placed(task->source, outcome->stored);
    }
    show_printed("It", outcome->printed, verbose ? 1000 : 4);
    show_missing_work(report, outcome);
    show_todo(task->source);
    show_hint(task, report, outcome);
    if (verbose)
        show_other_failures(task, report, i);
}

void find_cause_hint(const struct task *task, const struct report *report,
                     char *hint, size_t bytes)
{
    char from_source[MESSAGE_SIZE];
    bool is_first;
    size_t i;
    const struct outcome *outcome =
        shown_failure(task, report, &i, &is_first);
    const char *text = outcome && !report->device_work_missing
                               && !report->test_has_finding[i]
                           ? cause_hint(task, outcome, report, from_source)
                           : NULL;
    const struct finding *cause = worst_finding(report);

    if (text && !*text)
        text = outcome->message;
    if (!text && cause)
        text_format(hint, bytes, "%s%s%s: %s", cause->location,
                    *cause->location ? ": " : "", cause->title,
                    cause->message);
    else
        text_format(hint, bytes, "%s", text ? text : "");
}

bool is_explained(const struct task *task, const struct report *report)
{
    bool is_first;
    size_t i;
    const struct outcome *outcome =
        shown_failure(task, report, &i, &is_first);

    return outcome && outcome->is_explained;
}
