/* SPDX-License-Identifier: MIT */
/* Printing a report. */
#include "print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/base/status_line.h"
#include "common/base/terminal.h"
#include "common/base/text.h"
#include "grader/session/canary.h"
#include "cost_hint.h"
#include "source_view.h"

void show_busy(const char *file, size_t count, const char *what)
{
    char text[512];

    status_line_show(text_format(text, sizeof text,
                                 "  building %s, then %zu %s%s ...", file,
                                 count, what, count == 1 ? "" : "s"));
}

static char running[64];

void show_begin(const char *part)
{
    char text[128];

    text_format(running, sizeof running, "%s", part);
    status_line_show(text_format(text, sizeof text, "  running %s ...", part));
}

void show_long_call(double seconds, double limit)
{
    char text[128];

    status_line_show(text_format(text, sizeof text,
                                 "  running %s: %.0f s, ended after %.0f s ...",
                                 *running ? running : "a call", seconds,
                                 limit));
}

void show_head(const struct task *task)
{
    char text[512];

    text_wrap(stdout, 0,
              text_format(text, sizeof text, "Lab %02d: %s, on the %s device "
                          "(%s)", task->lab->number, task->lab->title,
                          device_name(task->target->kind),
                          task->target->model));
    printf("\n");
    fflush(stdout);
    show_busy(base_name(task->source), task->only ? 1 : task->lab->tests,
              "test");
}

/* Print a word in a column of ten. */
static void show_word(const char *word, enum style color)
{
    printf("  %s%-10s%s ", style(stdout, color), word,
           style(stdout, STYLE_NONE));
}

static void show_verdict(enum verdict verdict)
{
    show_word(verdict_name(verdict),
              verdict == PASS ? STYLE_GREEN
              : verdict == UNMEASURED || verdict == INTERNAL ? STYLE_YELLOW
                                                             : STYLE_RED);
}

/* The rest of a row: name, points and title, in a narrow window below them. */
static void show_row(const char *name, double score, double points,
                     const char *title)
{
    enum { NAME = 13, LEFT = 34, LEAST = 20 };

    printf("%-11s %3g/%-3g  ", name, score, points);
    if (text_columns(stdout) >= LEFT + LEAST) {
        text_wrap_after(stdout, LEFT, title);
    } else {
        printf("\n");
        text_wrap(stdout, NAME, title);
    }
}

void show_test(const struct lab *lab, size_t test,
               const struct outcome *outcome)
{
    double points = lab->test[test].points;

    status_line_erase();
    show_verdict(outcome->verdict);
    show_row(lab->test[test].name, outcome->verdict == PASS ? points : 0,
             points, lab->suite->tests[test].title);
    if (*outcome->review)
        printf("             REVIEW(%s)\n", outcome->review);
    fflush(stdout);
}

/* A row of a check or of a cost, with the reason if points are missing. */
static void show_watched(const char *name, double points, const char *title,
                         const struct watch_outcome *outcome)
{
    if (outcome->waits)
        show_word("WAITS", STYLE_YELLOW);
    else
        show_verdict(outcome->verdict);
    show_row(name, outcome->score, points, title);
    if (*outcome->review)
        printf("             REVIEW(%s)\n", outcome->review);
    else if (outcome->verdict != PASS && outcome->verdict != WRONG)
        text_wrap(stdout, 13, outcome->message);
}

/* " (4.5 x fewer than the baseline)", or nothing. */
static const char *beside(const struct counter *counter, char words[64])
{
    *words = 0;
    if (counter->baseline >= 1.05 * counter->value && counter->value > 0)
        text_format(words, 64, " (%.3g x fewer than the baseline)",
                    counter->baseline / counter->value);
    return words;
}

/* Tests that were printed as passed before the instrumented run. */
static void show_tests_with_findings(const struct task *task,
                                     const struct report *report)
{
    bool any = false;

    for (size_t i = 0; i < task->lab->tests; i++) {
        if (!report->test_has_finding[i])
            continue;
        if (!any)
            printf("\n  Run once more, instrumented: outputs right by luck\n");
        show_test(task->lab, i, &report->test[i]);
        any = true;
    }
}

/* Checks and budgets; the tests have been printed before. */
static void show_watch(const struct task *task, const struct report *report)
{
    const struct lab *lab = task->lab;
    const struct suite_test *cases = suite_watched(lab->suite);
    double all = lab->clean;
    char title[256], words[64];

    for (size_t i = 0; i < lab->budgets; i++)
        all += lab->budget[i].points[lab->budget[i].tiers - 1];
    show_tests_with_findings(task, report);
    if (report->device_work_missing) { /* the tests were printed as passed */
        show_verdict(WRONG);
        show_row("all", 0, report->max_score - all,
                 "no test counts: see below");
    }
    if (report->verdict != PASS) {
        printf("  %-10s ", "-");
        show_row("checks", 0, all, "graded once all tests pass");
        return;
    }
    if (lab->clean > 0)
        show_watched("clean", lab->clean,
                     "no race, invalid access, uninitialized read or leak",
                     &report->clean);
    for (size_t i = 0; i < lab->budgets && report->watched; i++) {
        const struct lab_budget *budget = &lab->budget[i];

        text_format(
            title, sizeof title, "%s, %s%s",
            metric_description(budget->metric), cases[budget->watched].title,
            beside(
                &report->watch.cases[budget->watched].counter[budget->metric],
                words));
        show_watched(metric_name(budget->metric),
                     budget->points[budget->tiers - 1], title,
                     &report->budget[i]);
    }
}

/* A modeled time is not measured and earns no points. */
static void show_modeled(const struct task *task, const struct report *report)
{
    double ratio = modeled_ratio(task, report);
    char text[128];

    if (ratio <= 0)
        return;
    printf("  %-10s %-11s ", "modeled", "time");
    text_wrap_after(stdout, 25,
                    text_format(text, sizeof text, "%.2f x the baseline, for a "
                                "large case like that", ratio));
}

/* Findings of the sanitizer. */
static void show_findings(const struct task *task,
                          const struct report *report, bool verbose)
{
    size_t most = verbose ? report->watch.findings : 3;

    if (!report->watch.findings)
        return;
    printf("\nThe sanitizer found\n");
    for (size_t i = 0; i < report->watch.findings && i < most; i++)
        show_finding(task->source, &report->watch.finding[i]);
    if (report->watch.findings > most)
        printf("  and %zu more\n", report->watch.findings - most);
}

/* The hint of a budget, once all tests pass and nothing is found. */
static void show_cost_hint(const struct task *task, const struct report *report)
{
    const struct lab_budget *budget = next_cost(task->lab, report);
    char text[MESSAGE_SIZE];

    if (!report->watched || report->verdict != PASS || report->watch.findings
        || !budget)
        return;
    cost_hint(budget, &report->watch.cases[budget->watched], text);
    if (!*text)
        return;
    printf("\nHint\n");
    text_wrap(stdout, 2, text);
}

void show_interrupted(const struct task *task, const struct report *report)
{
    const struct outcome *outcome = NULL;
    size_t i, passed = 0;

    status_line_erase();
    while (passed < task->lab->tests && *report->test[passed].message == 0
           && report->test[passed].seconds > 0)
        passed++;
    for (i = 0; i < task->lab->tests && !outcome; i++)
        if (report->test[i].verdict != PASS
            && report->test[i].verdict != INTERNAL
            && *report->test[i].message)
            outcome = &report->test[i];
    printf("\nInterrupted: %zu of %zu tests had passed\n", passed,
           task->lab->tests);
    if (!outcome)
        return;
    printf("  %s:\n", task->lab->test[i - 1].name);
    text_wrap(stdout, 2, outcome->message);
}

void show_report(const struct task *task, const struct report *report,
                 bool verbose)
{
    bool findings_first;

    status_line_erase();
    if (*report->message) {
        show_placed(task->source, report->message);
        if (verbose)
            show_printed("The compiler", report->test[0].printed, 1000);
        if (report->verdict == INTERNAL)
            printf("\nNot graded (INTERNAL): not the fault of your file\n");
        else
            printf("\nScore: 0 of %g (%s)\n", report->max_score,
                   verdict_name(report->verdict));
        return;
    }
    if (report->watched || report->clean.verdict != PASS)
        show_watch(task, report);
    show_modeled(task, report);
    if (report->timed)
        show_speed(task, report);
    else if (!task->only)
        show_untimed(task, report);
    show_warnings(report);
    findings_first = explains_all(report)
                     || (has_cause(report) && !is_explained(task, report));
    if (findings_first)
        show_findings(task, report, verbose);
    show_failure(task, report, verbose);
    if (!findings_first)
        show_findings(task, report, verbose);
    show_output(task, report, verbose);
    show_cost_hint(task, report);
    if (task->only) {
        printf("\nNo score: only the test %s was run\n", task->only);
        return;
    }
    if (*report->review)
        printf("\nREVIEW(%s)\n", report->review);
    printf("\n%sScore: %g of %g%s", style(stdout, STYLE_BOLD), report->score,
           report->max_score, style(stdout, STYLE_NONE));
    if (report->unmeasured > 0)
        printf("; %g points are not measured yet: grade again",
               report->unmeasured);
    if (verbose)
        printf("   seed %" PRIu64 "   %.1f s", task->seed, report->seconds);
    printf("\n");
    if (sandbox_self_test())
        printf("(" SELF_TEST ": %s)\n", sandbox_self_test());
    if (report->score >= report->max_score && *task->lab->next) {
        printf("\nNext\n");
        text_wrap(stdout, 2, task->lab->next);
    }
    show_question(task->lab, report);
}
