/* SPDX-License-Identifier: MIT */
/* An instrumented run, for check and profile. */
#include "watched.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grader/grade/grade.h"
#include "grader/report/kept_text.h"
#include "grader/report/print.h"
#include "common/base/status_line.h"
#include "common/base/temp_dir.h"
#include "common/base/terminal.h"
#include "common/base/text.h"
#include "watch_bench.h"

/* Find the case of the second argument.  @return false after an error */
static bool find_case(const struct options *options,
                      struct watched_run *watched)
{
    const struct suite_test *cases = suite_watched(watched->lab.suite);
    const char *name = options->count > 1 ? options->words[1] : NULL;

    watched->only = -1;
    for (int i = 0; name && cases[i].name && i < LAB_MAX_WATCHED; i++)
        if (!strcmp(cases[i].name, name))
            watched->only = i;
    if (!name || watched->only >= 0)
        return true;
    report_error(0, "%s has no case \"%.40s\"; the first is \"%s\"",
                 watched->lab.stem, name, cases[0].name);
    return false;
}

/* A profile is of one case; what is modeled alone is checked by nobody. */
static size_t cases_to_run(unsigned watch, const struct watched_run *watched)
{
    const struct suite_test *cases = suite_watched(watched->lab.suite);
    size_t count = 0;

    if (watched->only >= 0 || watch == WATCH_COUNTS)
        return 1;
    for (size_t i = 0; cases[i].name && i < LAB_MAX_WATCHED; i++)
        count += i + 1 != watched->lab.model_case;
    return count;
}

static int build(const struct options *options, unsigned watch,
                 struct watched_run *watched)
{
    char source[PATH_MAX], folder[PATH_MAX], output[PATH_MAX];
    const struct build_request request = {.target = &watched->target,
                                          .lab = &watched->lab,
                                          .source = source,
                                          .output = output};

    if (!source_path(options, &watched->lab, source))
        return EXIT_USAGE;
    if (!temp_dir_create(folder) || !temp_dir_create(watched->scratch))
        return report_error(EXIT_GRADER_ERROR,
                            "cannot make a temporary folder: %s",
                            strerror(errno));
    watched->target.watch = watch;
    text_format(output, sizeof output, "%s/runner", folder);
    if (!options->json || strcmp(options->json, "-"))
        show_busy(base_name(source), cases_to_run(watch, watched), "case");
    if (!options->json || strcmp(options->json, "-"))
        process_tell_long_calls(show_long_call);
    build_runner(&request, &watched->built);
    if (watched->built.verdict != PASS || interrupted())
        status_line_erase();
    if (interrupted())
        return EXIT_INTERRUPTED;
    if (watched->built.verdict != PASS)
        return report_error(watched->built.verdict == INTERNAL
                            ? EXIT_GRADER_ERROR
                            : EXIT_NO_BUILD,
                            "%s", watched->built.message);
    return EXIT_FULL;
}

int watched_run_open(const struct options *options, unsigned watch,
                     struct watched_run *watched)
{
    char error[512];
    int code;

    if (!load_lab(options->words[0], options, &watched->lab)
        || !find_case(options, watched))
        return EXIT_USAGE;
    if (!options->count && !options->json)
        printf("Lab %02d: %s\n\n", watched->lab.number, watched->lab.title);
    if (!target_find("soft", &watched->target, error))
        return report_error(EXIT_GRADER_ERROR, "%s", error);
    code = build(options, watch, watched);
    if (code != EXIT_FULL)
        return code;
    text_format(watched->report, sizeof watched->report, "%s/report.json",
                watched->scratch);
    watched->session = (struct session){
        .runner = watched->built.runner, .folder = watched->scratch,
        .limits = grade_watch_limits(&watched->lab, &watched->target),
        .report = watched->report};
    watched->watch_run = (struct watch_run){&watched->lab, options->seed,
                                       &watched->session, false};
    return EXIT_FULL;
}

bool watched_text_keep(void (*show)(const void *data), const void *data)
{
    const char *prefix = getenv(WATCH_SHOWN);

    return prefix && *prefix && is_terminal(stdout)
           && kept_text_write(prefix, show, data);
}

void watched_run_close(struct watched_run *watched)
{
    session_free(&watched->session);
    status_line_erase();
}
