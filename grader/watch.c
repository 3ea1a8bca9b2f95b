/* SPDX-License-Identifier: MIT */
/* Running a suite's watched cases, a runner each. */
#include "watch.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "house.h"
#include "suite_state.h"
#include "text.h"

/* Seconds that a runner has to look up lines and write its report. */
static const double report_seconds = 20;

const struct suite_test *suite_watched(const struct suite *suite)
{
    return suite->watched ? suite->watched : suite->tests;
}

/* Our failure, or that of code which kept its runner from ending. */
static void no_report(struct watched_case *made, const char *why)
{
    if (made->outcome.verdict != PASS)
        return;
    made->outcome.verdict = CRASHED;
    text_put(made->outcome.message, MESSAGE_TEXT,
             "the watched run told nothing: %s", why);
}

static void count(const json_t *report, struct watched_case *made)
{
    const json_t *kernels = json_object_get(report, "kernels");

    made->idle = json_is_array(kernels) && json_array_size(kernels) == 0;
    for (int i = 0; i < COSTS; i++) {
        struct counted *cost = &made->cost[i];

        bool whole = false;
        bool found = json_array_size(kernels) > 0
                     && cost_find(report, (enum cost)i, &cost->value, &whole);

        cost->seen = found && whole;
        cost->sampled = found && !whole;
        cost->known = cost->seen && cost->unit > 0;
    }
}

json_t *watch_case(const struct watching *watching, size_t index,
                   struct watch *watch)
{
    const struct suite_test *test =
        &suite_watched(watching->lab->suite)[index];
    struct watched_case *made = &watch->cases[index];
    const char *path = watching->session->report;
    char why[256] = "it did not end by itself";
    json_t *report = NULL;

    *made = (struct watched_case){.done = true};
    unlink(path);
    test_begin(watching->session, watching->lab, watching->seed, test->name,
               &made->outcome);
    test_count_costs(made->cost);
    test->run();
    test_end();
    /* a crash of the host ends with a report, too */
    if (session_leave(watching->session, report_seconds)
        || access(path, R_OK) == 0)
        report = watch_read(path, why);
    unlink(path);
    made->told = report != NULL;
    if (!report)
        no_report(made, why);
    watch_collect(report, watch);
    count(report, made);
    made->modelled = watch_modelled_us(report);
    return report;
}

void watch_all(const struct watching *watching, struct watch *watch)
{
    const struct suite_test *test = suite_watched(watching->lab->suite);

    for (size_t i = 0; test[i].name && i < LAB_WATCHED && !interrupted();
         i++) {
        if (i + 1 == watching->lab->apart && !watching->apart)
            continue;
        json_decref(watch_case(watching, i, watch));
        if (watch->cases[i].outcome.verdict != PASS
            && watch->cases[i].outcome.verdict != WRONG)
            break;
    }
}

static void show_index(FILE *out, const char *what, const unsigned index[3])
{
    fprintf(out, ", %s (%u,%u,%u)", what, index[0], index[1], index[2]);
}

void watch_show_finding(FILE *out, const struct finding *finding)
{
    char text[512];

    fprintf(out, "  %s%s%s\n", finding->place, *finding->place ? ": " : "",
            finding->words);
    text_put(text, sizeof text, "%s", finding->message);
    text_wrap(out, 6, text);
    if (*finding->kernel) {
        fprintf(out, "      in %s", finding->kernel);
        show_index(out, "block", finding->block);
        show_index(out, "thread", finding->thread);
        if (finding->count > 1)
            fprintf(out, "; seen %.0f times", finding->count);
        fputc('\n', out);
    }
    if (*finding->other)
        fprintf(out, "      the other: %s\n", finding->other);
}
