/* SPDX-License-Identifier: MIT */
/* The report of an instrumented program, when it ends: text on stderr, JSON in
 * the file that SOFTGPU_JSON names, and what else a tool writes. */
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/softgpu/host/device.h"
#include "tool.h"

enum { EXIT_FINDINGS = 86, ABORT_SECONDS = 10 };

/* All fields are there, whichever tools are. */
static json_t *make_report(void)
{
    const struct softgpu_card *card = softgpu_card(); /* of no device: NULL */
    json_t *report =
        json_pack("{s:i, s:s, s:[], s:n, s:[], s:n}", "schema", 1, "card",
                  card ? card->key : "", "findings", "sampled", "kernels",
                  "timeline");

    for (struct softgpu_tool *t = softgpu_tools; report && t; t = t->next)
        if (t->add_json)
            t->add_json(report);
    return report;
}

static void write_json(const json_t *report)
{
    const char *path = getenv("SOFTGPU_JSON");

    if (!path || !*path)
        return;
    if (!report || json_dump_file(report, path, JSON_INDENT(1)) != 0)
        fprintf(stderr, "softgpu: %s: cannot write the report\n", path);
}

int softgpu_reports_elsewhere;

/* Print the text of all tools.  @return 1 if there are findings */
static int print_text(void)
{
    int has_findings = 0;

    for (struct softgpu_tool *t = softgpu_tools; t; t = t->next) {
        if (t->print)
            has_findings |= t->print();
        fflush(NULL);
    }
    return has_findings;
}

int softgpu_is_aborting;

/* abort(), as of a failed assert(): the findings may be its cause.  A lock that
 * the aborting thread holds must not keep the program from ending. */
static void report_at_abort(int number)
{
    signal(number, SIG_DFL);
    alarm(ABORT_SECONDS);
    softgpu_is_aborting = 1;
    if (!softgpu_reports_elsewhere)
        print_text();
    raise(number);
}

void softgpu_report_at_abort(void)
{
    struct sigaction action;

    if (sigaction(SIGABRT, NULL, &action) == 0 && action.sa_handler == SIG_DFL)
        signal(SIGABRT, report_at_abort);
}

void softgpu_report_at_exit(void)
{
    int has_findings;
    json_t *report;

    if (softgpu_reports_elsewhere)
        return;
    has_findings = print_text();
    report = make_report();
    write_json(report);
    for (struct softgpu_tool *t = softgpu_tools; report && t; t = t->next)
        if (t->write_report)
            t->write_report(report);
    json_decref(report);
    fflush(NULL);
    if (has_findings)
        _exit(EXIT_FINDINGS);
}
