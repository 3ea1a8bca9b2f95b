/* SPDX-License-Identifier: MIT */
/* One grade as a page for the learner. */
#include "grade_page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/files.h"
#include "common/base/json_member.h"
#include "common/base/text.h"
#include "grade_charts.h"
#include "print.h"
#include "result.h"
#include "result_page.h"
#include "source_view.h"

enum { MOST_BYTES = 4 << 20 };

/* Verdict, points and what was graded. */
static void write_score(struct html *h, const struct task *task,
                        const struct report *report)
{
    const time_t now = time(NULL);
    char text[160], when[48];

    strftime(when, sizeof when, "%Y-%m-%d %H:%M UTC", gmtime(&now));
    html_open(h, "p");
    page_verdict(h, verdict_name(report->verdict));
    html_textf(h, " %g of %g points", report->score, report->max_score);
    html_close(h);
    html_open(h, "dl");
    page_fact(h, "file", path_from_here(task->source));
    page_fact(h, "device", text_format(text, sizeof text, "%s (%s)",
                                       device_name(task->target->kind),
                                       task->target->model));
    page_fact(h, "graded", when);
    html_close(h);
    if (*report->message) {
        html_open(h, "pre");
        html_text(h, report->message);
        html_close(h);
    }
}

/* The hint of the terminal's report. */
static void write_hint(struct html *h, const struct task *task,
                       const struct report *report)
{
    char room[MESSAGE_SIZE], title[96];
    const char *about, *text = failure_hint(task, report, room, &about);

    if (!*text)
        return;
    html_element(h, "h2", text_format(title, sizeof title, "Hint%s", about));
    html_element(h, "p", text);
}

/* Output of the submission and of the compiler. */
static void write_output(struct html *h, const struct task *task,
                         const struct report *report)
{
    if (*report->warnings) {
        html_element(h, "h2", "Warnings of the compiler");
        html_element(h, "pre", report->warnings);
    }
    for (size_t i = 0; i < task->lab->tests; i++) {
        if (!*report->test[i].printed)
            continue;
        html_open(h, "details");
        html_open(h, "summary");
        html_textf(h, "Written to stderr in test %s", task->lab->test[i].name);
        html_close(h);
        html_element(h, "pre", report->test[i].printed);
        html_close(h);
    }
}

/* All parts of the page, in the order of the terminal's report. */
static void write_page(FILE *out, const struct task *task,
                       const struct report *report, const json_t *result)
{
    struct html html = {.out = out}, *h = &html;
    char title[160];
    size_t length = 0;
    char *source = read_file(task->source, MOST_BYTES, &length);

    html_begin(h, text_format(title, sizeof title, "Lab %02d: %.100s",
                              task->lab->number, task->lab->title),
               pages_style);
    html_element(h, "h1", title);
    write_score(h, task, report);
    if (!*report->message)
        page_tests(h, result);
    if (!*report->message)
        write_hint(h, task, report);
    page_findings(h, result, source);
    write_output(h, task, report);
    chart_ladder(h, task->lab, modeled_ratio(task, report));
    chart_history(h, task->lab);
    if (source) {
        html_element(h, "h2", "The file");
        html_open(h, "details");
        html_element(h, "summary", base_name(task->source));
        page_lines(h, source, 1, 1L << 30, 0);
        html_close(h);
    }
    free(source);
    html_end(h);
}

bool grade_page_write(const char *path, const struct task *task,
                      const struct report *report)
{
    char *json = result_to_json(task, report), *text = NULL;
    json_t *result = json ? json_loads(json, 0, NULL) : NULL;
    size_t length = 0;
    FILE *out = result ? open_memstream(&text, &length) : NULL;
    bool ok = out != NULL;

    if (ok) {
        write_page(out, task, report, result);
        ok = !ferror(out);
        ok = fclose(out) == 0 && ok;
    } else {
        errno = ENOMEM;
    }
    ok = ok && write_file(path, text, length);
    json_decref(result);
    free(json);
    free(text);
    return ok;
}
