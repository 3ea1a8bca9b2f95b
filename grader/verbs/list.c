/* SPDX-License-Identifier: MIT */
/* warpbook list, status, next: the labs, and how far the learner is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/terminal.h"
#include "common/base/text.h"
#include "common.h"
#include "grader/workbench/progress.h"
#include "status.h"

/* "45/100", or "-" before the first try. */
static void format_points(const struct lab_progress *lab, char *text,
                          size_t bytes)
{
    if (lab->tries)
        text_format(text, bytes, "%g/%g", lab->best, lab->max_score);
    else
        text_format(text, bytes, "-");
}

/* Green: complete.  Yellow: begun. */
static enum style style_of(const struct lab_progress *lab)
{
    return is_complete(lab) ? STYLE_GREEN
           : lab->tries     ? STYLE_YELLOW
                            : STYLE_NONE;
}

/* A row of the list: in a narrow terminal without the number of tests, in a
 * very narrow one without the title. */
static void show_lab(const struct lab *lab, const struct lab_progress *state)
{
    enum { ALL_COLUMNS = 76, TITLE_COLUMNS = 54 };
    const size_t room = terminal_columns(stdout);
    char points[32];

    format_points(state, points, sizeof points);
    printf("%02d  ", lab->number);
    if (room >= ALL_COLUMNS)
        printf("%-14s %-40s %2zu tests  ", lab->name, lab->title, lab->tests);
    else if (room >= TITLE_COLUMNS)
        printf("%-40s  ", lab->title);
    else
        printf("%-14s  ", lab->name);
    printf("%s%8s%s\n", style(stdout, style_of(state)), points,
           style(stdout, STYLE_NONE));
}

/* All labs with their titles and the best points so far. */
static int run_list(const struct options *options)
{
    static struct lab lab;
    struct progress progress;

    progress_read(&progress);
    for (size_t i = 0; suites[i]; i++) {
        if (!load_lab(suites[i]->stem, options, &lab))
            return EXIT_GRADER_ERROR;
        show_lab(&lab, &progress.lab[lab.number]);
    }
    return EXIT_FULL;
}

/* Result of the last try: where it failed, and the best cost of all tries. */
static void format_state(const struct lab_progress *lab, char *text,
                         size_t bytes)
{
    *text = 0;
    if (lab->tries && !strcmp(lab->verdict, "PASS"))
        text_format(text, bytes, "%s%s", lab->cost,
                    lab->is_answered ? ", question answered" : "");
    else if (lab->tries && strcmp(lab->test, "-"))
        text_format(text, bytes, "%s: %s%s%s", lab->test, lab->verdict,
                    *lab->cost ? "; best " : "", lab->cost);
    else if (lab->tries)
        text_format(text, bytes, "%s", lab->verdict);
}

/* Where the state of a lab begins, if it fits into the row. */
enum { STATE_COLUMN = 44, LEAST_STATE = 8 };

/* Best points, tries, hints and the state of a lab. */
static void show_row(const char *stem, const struct lab_progress *lab)
{
    char points[32], state[128];

    format_points(lab, points, sizeof points);
    format_state(lab, state, sizeof state);
    printf("%-18s %s%9s%s", stem, style(stdout, style_of(lab)), points,
           style(stdout, STYLE_NONE));
    if (lab->tries || lab->hints)
        printf(" %6d %6d", lab->tries, lab->hints);
    if (*state)
        printf("%s%s", STATE_COLUMN + strlen(state)
                               <= (size_t)text_columns(stdout)
                           ? "  " : "\n    ", state);
    printf("\n");
}

void show_status(bool shows_next)
{
    struct progress progress;

    progress_read(&progress);
    printf("%-18s %9s %6s %6s%s\n", "lab", "points", "tries", "hints",
           text_columns(stdout) >= STATE_COLUMN + LEAST_STATE ? "  last try"
                                                              : "");
    for (size_t i = 0; suites[i]; i++)
        show_row(suites[i]->stem, &progress.lab[atoi(suites[i]->stem)]);
    printf("\n");
    progress_show_bar(stdout, &progress);
    if (shows_next)
        progress_show_next(stdout, &progress);
}

/* The table, and what is next. */
static int run_status(const struct options *options)
{
    (void)options;
    show_status(true);
    return EXIT_FULL;
}

/* The last line of `status`: the lab to go on with. */
static int run_next(const struct options *options)
{
    struct progress progress;

    (void)options;
    progress_read(&progress);
    progress_show_next(stdout, &progress);
    return EXIT_FULL;
}

const struct verb verb_list = {
    "list", "", "list the labs", "With the points of your best try.", "", 0, 0,
    run_list};
const struct verb verb_status = {
    "status", "", "show how far you are", "Points of the best try, number of "
    "tries and hints, what the last try said, and what is next.", "", 0, 0,
    run_status};
const struct verb verb_next = {
    "next", "", "say which lab to go on with", "", "", 0, 0, run_next};
