/* SPDX-License-Identifier: MIT */
/* The report of an instrumented program, when it ends: text on stderr, JSON in
 * the file that SOFTGPU_JSON names, and what else a tool writes. */
#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/softgpu/host/device.h"
#include "tool.h"

enum { EXIT_FINDINGS = 86 };

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

void softgpu_report_at_exit(void)
{
    int has_findings = 0;
    json_t *report;

    if (softgpu_reports_elsewhere)
        return;
    for (struct softgpu_tool *t = softgpu_tools; t; t = t->next) {
        if (t->print)
            has_findings |= t->print();
        fflush(NULL);
    }
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
