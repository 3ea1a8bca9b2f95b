/* SPDX-License-Identifier: MIT */
/* warpbook hint LAB: one hint more each time, counted in the journal. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "common.h"
#include "grader/workbench/hints.h"
#include "grader/workbench/journal.h"
#include "grader/workbench/progress.h"

/* The hint that the last grade gave about the cause, else that of the test
 * that failed, costs nothing. */
static void show_failure_hint(const struct lab *lab,
                              const struct lab_progress *state)
{
    const char *name = state->test;

    if (*state->hint) {
        printf("About the last try\n");
        text_wrap(stdout, 2, state->hint);
        printf("\n");
        return;
    }
    for (size_t i = 0; i < lab->tests; i++) {
        if (strcmp(lab->test[i].name, name) || !*lab->test[i].hint)
            continue;
        printf("About the test %s\n", name);
        text_wrap(stdout, 2, lab->test[i].hint);
        printf("\n");
    }
}

/* The sheet's hints are mostly about passing the tests. */
static void show_passed(const struct lab *lab)
{
    char text[256], grade[COMMAND_SIZE], profile[COMMAND_SIZE];

    text_wrap(stdout, 0, text_format(text, sizeof text, "All tests passed in "
              "the last try. For the points that are left, %s ends with a "
              "hint, and %s counts what each line costs.",
              command_or_key(grade, "make grade LAB=", 'r', lab->number),
              command_or_key(profile, "build/warpbook profile ", 'p',
                             lab->number)));
    printf("\n");
}

/* Print the next hint, or all once the last one is known. */
static void show_hints(const struct hints *hints, int read)
{
    const int first = read < hints->count ? read : 0;
    const int last = read < hints->count ? read : hints->count - 1;

    for (int i = first; i <= last; i++) {
        printf("Hint %d of %d\n", i + 1, hints->count);
        text_wrap(stdout, 2, hints->hint[i]);
        printf("%s", i < last ? "\n" : "");
    }
}

/* How to get the next hint; errno says why this one was not counted. */
static void show_next(const struct lab *lab, const struct hints *hints,
                      int read, bool is_counted)
{
    char path[PATH_MAX], text[PATH_MAX + 256], command[COMMAND_SIZE];

    if (!is_counted) {
        text_format(text, sizeof text,
                    "%s cannot be written (%s), so the next call shows this "
                    "hint again. All of them are in labs/%s/README.md.",
                    journal_path(path), strerror(errno), lab->stem);
        printf("\n");
        text_wrap(stdout, 0, text);
    } else if (read + 1 < hints->count)
        printf("\nOne more: %s\n",
               command_or_key(command, "build/warpbook hint ", 'h',
                              lab->number));
    else {
        printf("\n");
        text_wrap(stdout, 0, "That was the last one. The first step of the "
                  "ladder solves the lab slowly:");
        printf("  solutions/%s/%s\n", lab->stem, lab->step[0]);
    }
}

/* Each call shows one hint more than the last; the journal remembers how
 * many. */
static int run(const struct options *options)
{
    static struct lab lab;
    struct progress progress;
    struct hints hints;
    struct journal_entry entry = {.kind = JOURNAL_HINT};
    const struct lab_progress *state;
    bool is_counted = true, is_again;
    int read;

    progress_read(&progress);
    if (!load_lab(options->words[0], options, &lab))
        return EXIT_USAGE;
    if (!options->count)
        printf("Lab %02d: %s\n\n", lab.number, lab.title);
    state = &progress.lab[lab.number];
    if (state->tries)
        show_failure_hint(&lab, state);
    if (state->tries && !strcmp(state->verdict, "PASS") && !is_complete(state))
        show_passed(&lab);
    hints_read(lab.stem, &hints);
    if (!hints.count)
        return report_error(EXIT_GRADER_ERROR, "%s has no hints", lab.stem);
    is_again = options->again && state->hints > 0;
    read = state->hints - is_again;
    show_hints(&hints, read);
    if (read < hints.count && !is_again) {
        entry.lab = lab.number;
        entry.value = read + 1;
        is_counted = journal_add(&entry);
    }
    show_next(&lab, &hints, read, is_counted);
    hints_free(&hints);
    return EXIT_FULL;
}

const struct verb verb_hint = {
    "hint", "[LAB]", "give a hint, a plainer one each time",
    "Without LAB, the lab that comes next. How many were read is kept in your "
    "journal and shown by status; no result and no mark contains it. reset "
    "starts from the first one again.",
    "A", 0, 1, run};
