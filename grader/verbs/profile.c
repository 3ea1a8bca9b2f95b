/* SPDX-License-Identifier: MIT */
/* warpbook profile LAB [CASE]: profile your file, line by line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/json_file.h"
#include "common/base/text.h"
#include "common/softgpu/profile/report.h"
#include "watched.h"

/* The folder of the submission, whose files the page may show. */
static void source_folder(const struct options *options,
                          const struct lab *lab, char *folder)
{
    source_path(options, lab, folder);
    *strrchr(folder, '/') = 0;
}

/* Text, page and JSON are made of the same report. */
static int show(const struct options *options, const struct lab *lab,
                const json_t *report)
{
    struct profile_report profile;
    char folder[PATH_MAX];

    source_folder(options, lab, folder);
    if (profile_report_read(report, &profile))
        return report_error(EXIT_GRADER_ERROR, "the report has no kernels");
    profile.root = folder;
    if (!options->json || strcmp(options->json, "-"))
        profile_print(stdout, &profile);
    profile_report_free(&profile);
    if (options->html
        && profile_page_write_below(options->html, report, folder))
        return report_error(EXIT_GRADER_ERROR, "cannot write %s: %s",
                            options->html, strerror(errno));
    if (options->json && !write_json(options->json, report, JSON_INDENT(1)))
        return report_error(EXIT_GRADER_ERROR, "cannot write %s: %s",
                            options->json, strerror(errno));
    return EXIT_FULL;
}

/* The case of the command line, or the first with a budget. */
static size_t which(const struct watched_run *watched)
{
    if (watched->only >= 0)
        return (size_t)watched->only;
    return watched->lab.budgets ? watched->lab.budget[0].watched : 0;
}

/* Counts of a case that did not pass are shown, too. */
static int run(const struct options *options)
{
    static struct watched_run watched;
    int code = watched_run_open(options, WATCH_COUNTS, &watched);
    const struct watched_case *ran;
    json_t *report;

    if (code != EXIT_FULL)
        return code;
    report = watch_case(&watched.watch_run, which(&watched), &watched.watch);
    watched_run_close(&watched);
    ran = &watched.watch.cases[which(&watched)];
    if (report)
        code = show(options, &watched.lab, report);
    if (ran->outcome.verdict != PASS && code == EXIT_FULL)
        code = report_error(
            EXIT_PARTIAL, "case %s: %s: %s",
            suite_watched(watched.lab.suite)[which(&watched)].name,
            verdict_name(ran->outcome.verdict), ran->outcome.message);
    json_decref(report);
    return interrupted() ? EXIT_INTERRUPTED : code;
}

const struct verb verb_profile = {
    "profile", "LAB [CASE]", "profile your file, line by line",
    "Runs one case of the lab's suite on the soft device and counts for each "
    "kernel and source line: sectors, bank conflicts, barriers, instructions; "
    "adds a modeled time and advice. CASE selects another case. Exit status 1 "
    "when the case failed.",
    "fjwstmk", 1, 2, run};
