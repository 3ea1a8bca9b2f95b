/* SPDX-License-Identifier: MIT */
/* warpbook profile LAB [CASE]: profile your file, line by line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/json_file.h"
#include "common/base/text.h"
#include "common/softgpu/profile/report.h"
#include "grader/report/print.h"
#include "watched.h"

enum { MANY_LINES = 160 }; /* more than a newcomer reads to the end */

/* The folder of the submission, whose files the page may show. */
static void source_folder(const struct options *options,
                          const struct lab *lab, char *folder)
{
    source_path(options, lab, folder);
    *strrchr(folder, '/') = 0;
}

/* The names of all kernels, for a message. */
static char *list_names(const struct profile_report *profile, char *names,
                        size_t bytes)
{
    *names = 0;
    for (size_t i = 0; i < profile->count; i++) {
        const size_t used = strlen(names);

        text_format(names + used, bytes - used, "%s%.60s", i ? ", " : "",
                    profile->kernels[i].name);
    }
    make_printable(names);
    return names;
}

/* The kernels whose name contains `name`.
 *  @param[out] some  a report of these alone; its kernels to be freed, alone
 *  @return false after a message: there is none */
static bool select_kernels(const struct profile_report *profile,
                           const char *name, struct profile_report *some)
{
    char names[512];

    *some = *profile;
    some->timeline = NULL;
    some->count = 0;
    some->kernels = calloc(profile->count + 1, sizeof *some->kernels);
    for (size_t i = 0; some->kernels && i < profile->count; i++)
        if (strstr(profile->kernels[i].name, name))
            some->kernels[some->count++] = profile->kernels[i];
    if (some->count == 0)
        report_error(0, "--kernel: no name contains \"%.60s\"; there are: %s",
                     name, list_names(profile, names, sizeof names));
    return some->count > 0;
}

/* Each line of each kernel, or a summary first and alone if that is long. */
static void print(const struct options *options,
                  const struct profile_report *profile)
{
    size_t bytes = 0, lines = 0;
    char *text = NULL, words[256];
    FILE *all = open_memstream(&text, &bytes);

    if (all) {
        profile_print(all, profile);
        fclose(all);
    }
    for (const char *at = text; at && (at = strchr(at, '\n')); at++)
        lines++;
    if (options->verbose || options->kernel || profile->count < 2
        || lines <= MANY_LINES) {
        fputs(text ? text : "", stdout);
    } else {
        profile_print_summary(stdout, profile);
        printf("\n");
        text_wrap(stdout, 0, text_format(words, sizeof words, "To see each "
                  "line of a kernel, add --kernel NAME; of all (%zu lines), "
                  "--verbose; as one page, --html FILE", lines));
    }
    free(text);
}

/* The text, of all kernels or those of --kernel.
 *  @return false after a message */
static bool show_text(const struct options *options,
                      const struct profile_report *profile)
{
    struct profile_report some;
    bool ok = true;

    if (!options->kernel) {
        print(options, profile);
        return true;
    }
    ok = select_kernels(profile, options->kernel, &some);
    if (ok)
        print(options, &some);
    free(some.kernels);
    return ok;
}

/** What a profile prints. */
struct profile_text {
    const struct options *options;        /**< of the command line */
    const struct profile_report *profile; /**< of the run */
    const char *failure; /**< why the case did not pass, or "" */
};

/* The same once more, for a window of another width. */
static void show_again(const void *data)
{
    const struct profile_text *text = data;
    struct profile_report profile = *text->profile;
    char line[MESSAGE_SIZE + 16];

    profile.columns = text_columns(stdout);
    show_text(text->options, &profile);
    if (*text->failure) /* as report_error() says it */
        text_wrap(stdout, 0, text_format(line, sizeof line, "warpbook: %s",
                                         text->failure));
}

/* Text, page and JSON are made of the same report.
 *  @param failure  why the case did not pass, or "" */
static int show(const struct options *options, const struct lab *lab,
                const json_t *report, const char *failure)
{
    struct profile_report profile;
    /* The sources of the file, and the headers that all may include. */
    char folder[PATH_MAX], labs[PATH_MAX], common[PATH_MAX];
    const char *const roots[] = {folder, labs_path(labs, "labs"),
                                 root_path(common, "common"), NULL};
    bool ok = true, is_kept = false;

    source_folder(options, lab, folder);
    if (profile_report_read(report, &profile))
        return report_error(EXIT_GRADER_ERROR, "the report has no kernels");
    profile.roots = roots;
    profile.columns = text_columns(stdout);
    if (!options->json || strcmp(options->json, "-")) {
        const struct profile_text text = {options, &profile, failure};

        is_kept = watched_text_keep(show_again, &text);
        ok = is_kept || show_text(options, &profile);
    }
    profile_report_free(&profile);
    if (!ok)
        return EXIT_USAGE;
    if (options->html
        && profile_page_write_below(options->html, report, roots))
        return report_error(EXIT_GRADER_ERROR, "cannot write %s: %s",
                            options->html, strerror(errno));
    if (options->json && !write_json(options->json, report, JSON_INDENT(1)))
        return report_error(EXIT_GRADER_ERROR, "cannot write %s: %s",
                            options->json, strerror(errno));
    if (*failure && !is_kept)
        report_error(EXIT_PARTIAL, "%s", failure);
    return *failure ? EXIT_PARTIAL : EXIT_FULL;
}

/* The case of the command line, or the first with a budget. */
static size_t which(const struct watched_run *watched)
{
    if (watched->only >= 0)
        return (size_t)watched->only;
    return watched->lab.budgets ? watched->lab.budget[0].watched : 0;
}

/* A file whose function returns the handout's error has no kernel to show. */
static int report_unwritten(const struct watched_run *watched,
                            const struct watched_case *ran)
{
    return report_error(EXIT_PARTIAL,
                        "nothing to profile: %s%sis not written yet; its steps "
                        "are in labs/%s/README.md", ran->outcome.function,
                        *ran->outcome.function ? " " : "the function ",
                        watched->lab.stem);
}

/* Counts of a case that did not pass are shown, too. */
static int run(const struct options *options)
{
    static struct watched_run watched;
    int code = watched_run_open(options, WATCH_COUNTS, &watched);
    const struct watched_case *ran;
    char failure[MESSAGE_SIZE] = "";
    json_t *report;

    if (code != EXIT_FULL)
        return code;
    report = watch_case(&watched.watch_run, which(&watched), &watched.watch);
    watched_run_close(&watched);
    ran = &watched.watch.cases[which(&watched)];
    if (ran->outcome.verdict != PASS)
        text_format(failure, sizeof failure, "case %s: %s: %s",
                    suite_watched(watched.lab.suite)[which(&watched)].name,
                    verdict_name(ran->outcome.verdict), ran->outcome.message);
    if (report && is_to_do(&ran->outcome)
        && json_array_size(json_object_get(report, "kernels")) == 0)
        code = report_unwritten(&watched, ran);
    else if (report)
        code = show(options, &watched.lab, report, failure);
    else if (*failure)
        code = report_error(EXIT_PARTIAL, "%s", failure);
    json_decref(report);
    return interrupted() ? EXIT_INTERRUPTED : code;
}

const struct verb verb_profile = {
    "profile", "[LAB [CASE]]", "profile your file, line by line",
    "Runs one case of the lab's suite on the soft device and counts for each "
    "kernel and source line: sectors, bank conflicts, barriers, instructions; "
    "adds a modeled time and advice. CASE selects another case; without "
    "LAB it is the lab that comes next. Of several kernels with many lines a "
    "table and the first advice for each are shown; --kernel or --verbose "
    "show the lines. Exit status 1 when the case failed.",
    "fjwstmkKv", 0, 2, run};
