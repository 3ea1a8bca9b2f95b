/* SPDX-License-Identifier: MIT */
/* What check and profile share. */
#include "watched.h"

#include <errno.h>
#include <string.h>

#include "../grade.h"
#include "../text.h"

/* The case that the second word names; false after a complaint. */
static bool find_case(const struct options *options, struct watched_run *made)
{
    const struct suite_test *cases = suite_watched(made->lab.suite);
    const char *name = options->count > 1 ? options->words[1] : NULL;

    made->only = -1;
    for (int i = 0; name && cases[i].name && i < LAB_WATCHED; i++)
        if (!strcmp(cases[i].name, name))
            made->only = i;
    if (!name || made->only >= 0)
        return true;
    complain(0, "%s has no case \"%.40s\"; the first is \"%s\"",
             made->lab.stem, name, cases[0].name);
    return false;
}

static int build(const struct options *options, unsigned watch,
                 struct watched_run *made)
{
    char source[PATH_MAX], folder[PATH_MAX];

    if (!source_path(options, &made->lab, source))
        return EXIT_USAGE;
    if (!make_temporary(folder) || !make_temporary(made->scratch))
        return complain(EXIT_TROUBLE, "cannot make a temporary folder: %s",
                        strerror(errno));
    made->target.watch = watch;
    build_now(&made->target, &made->lab, source, folder, &made->built);
    if (interrupted())
        return EXIT_INTERRUPTED;
    if (made->built.verdict != PASS)
        return complain(made->built.verdict == INTERNAL ? EXIT_TROUBLE
                                                        : EXIT_NO_BUILD,
                        "%s", made->built.message);
    return EXIT_FULL;
}

int watched_open(const struct options *options, unsigned watch,
                 struct watched_run *made)
{
    char error[512];
    int code;

    if (!open_lab(options->words[0], options, &made->lab)
        || !find_case(options, made))
        return EXIT_USAGE;
    if (!target_find("soft", &made->target, error))
        return complain(EXIT_TROUBLE, "%s", error);
    code = build(options, watch, made);
    if (code != EXIT_FULL)
        return code;
    text_put(made->report, sizeof made->report, "%s/report.json",
             made->scratch);
    made->session = (struct session){
        .runner = made->built.runner, .folder = made->scratch,
        .limits = grade_watch_limits(&made->lab, &made->target),
        .report = made->report};
    made->watching = (struct watching){&made->lab, options->seed,
                                       &made->session, false};
    return EXIT_FULL;
}

void watched_close(struct watched_run *made)
{
    session_free(&made->session);
}
