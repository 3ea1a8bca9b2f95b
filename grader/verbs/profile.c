/* SPDX-License-Identifier: MIT */
/* warpbook profile LAB [CASE]: what your file costs, line by line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../text.h"
#include "common/softgpu/profile/report.h"
#include "watched.h"

static int write_json(const char *path, const json_t *report)
{
    char *text = json_dumps(report, JSON_INDENT(1));
    size_t length = text ? strlen(text) : 0;
    bool ok = text
              && (strcmp(path, "-") ? write_whole(path, text, length)
                                    : fwrite(text, 1, length, stdout)
                                          == length);

    free(text);
    return ok ? EXIT_FULL
              : complain(EXIT_TROUBLE, "cannot write %s: %s", path,
                         strerror(errno));
}

/* The folder of the student's file: the page may show what lies there. */
static void source_folder(const struct options *options,
                          const struct lab *lab, char *folder)
{
    source_path(options, lab, folder);
    *strrchr(folder, '/') = 0;
}

static int show(const struct options *options, const struct lab *lab,
                const json_t *report)
{
    struct profile_report profile;
    char folder[PATH_MAX];

    source_folder(options, lab, folder);
    if (profile_read(report, &profile))
        return complain(EXIT_TROUBLE, "the report has no kernels");
    profile.root = folder;
    if (!options->json || strcmp(options->json, "-"))
        profile_report_text(stdout, &profile);
    profile_forget(&profile);
    if (options->html && profile_page_within(options->html, report, folder))
        return complain(EXIT_TROUBLE, "cannot write %s: %s", options->html,
                        strerror(errno));
    return options->json ? write_json(options->json, report) : EXIT_FULL;
}

/* The case that is asked for, else the first that has a budget. */
static size_t which(const struct watched_run *made)
{
    if (made->only >= 0)
        return (size_t)made->only;
    return made->lab.costs ? made->lab.cost[0].watched : 0;
}

static int run(const struct options *options)
{
    static struct watched_run made;
    int code = watched_open(options, WATCH_COUNTS, &made);
    const struct watched_case *ran;
    json_t *report;

    if (code != EXIT_FULL)
        return code;
    report = watch_case(&made.watching, which(&made), &made.watch);
    watched_close(&made);
    ran = &made.watch.cases[which(&made)];
    if (report)
        code = show(options, &made.lab, report);
    if (ran->outcome.verdict != PASS && code == EXIT_FULL)
        code = complain(EXIT_NOT_FULL, "case %s: %s: %s",
                        suite_watched(made.lab.suite)[which(&made)].name,
                        verdict_name(ran->outcome.verdict),
                        ran->outcome.message);
    json_decref(report);
    return interrupted() ? EXIT_INTERRUPTED : code;
}

const struct verb verb_profile = {
    "profile", "LAB [CASE]", "say what your file costs, line by line",
    "Runs one case of the lab's suite on the soft device and counts for each "
    "kernel and source line: sectors, bank conflicts, barriers, instructions, "
    "with a modelled time and advice. CASE picks another case. Exit status 1 "
    "when the case went wrong.",
    "fjwstmk", 1, 2, run};
