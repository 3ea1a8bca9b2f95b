/* SPDX-License-Identifier: MIT */
/* warpbook locate LAB: search for the line of a wrong file that has the
 * mistake. */
#include <stdio.h>
#include <string.h>

#include "common/base/status_line.h"
#include "common/base/text.h"
#include "grader/locate/locate.h"
#include "grader/report/print.h"
#include "boxes.h"
#include "common.h"

/* How long a search takes at most, unless --seconds says otherwise. */
static const double default_seconds = 120;

/* Why there is no search.  @return an exit status */
static int explain_no_search(const struct task *task,
                             const struct report *report, size_t test)
{
    if (report->verdict == BUILD || report->verdict == MISSING
        || report->verdict == REJECTED || report->verdict == INTERNAL) {
        show_report(task, report, false);
        return report->verdict == INTERNAL ? EXIT_GRADER_ERROR
                                           : EXIT_NO_BUILD;
    }
    if (test == task->lab->tests) {
        printf("All tests pass: there is no mistake that they see.\n");
        return EXIT_FULL;
    }
    printf("%s:\n", task->lab->test[test].name);
    text_wrap(stdout, 2, report->test[test].message);
    text_wrap(stdout, 0, "No search: this message names what is missing, or "
                         "no change of one place can show it.");
    return EXIT_PARTIAL;
}

/* What a search without a result says: less than that there is no such
 * change. */
static void show_nothing(const struct located *located)
{
    char text[512];

    if (located->is_unreliable)
        text_wrap(stdout, 0, "The test passed when it was run again: what it "
                             "depends on is no line, but time or chance. "
                             "warpbook check looks for races.");
    else
        text_wrap(stdout, 0,
                  text_format(text, sizeof text, "None of %zu small changes "
                              "(of %zu that were listed) makes all tests pass: "
                              "the mistake may need more than one, or "
                              "something that is missing.",
                              located->tried, located->candidates));
}

/* The tests, then the search. */
static int locate_mistake(const struct options *options, struct task *task)
{
    static struct report report;
    const double seconds =
        options->search > 0 ? options->search : default_seconds;
    struct located located;
    size_t test;

    grade(task, &report);
    status_line_erase();
    if (interrupted())
        return EXIT_INTERRUPTED;
    if (!can_locate(task, &report, &test))
        return explain_no_search(task, &report, test);
    printf("\nFailing test: %s\n", task->lab->test[test].name);
    text_wrap(stdout, 2, report.test[test].message);
    fflush(stdout);
    locate(task, test, seconds, show_locating, &located);
    status_line_erase();
    printf("\n");
    if (located.places)
        show_located(task->source, &located);
    else if (interrupted())
        printf("Interrupted: %zu changes were tried\n", located.tried);
    else
        show_nothing(&located);
    return interrupted() ? EXIT_INTERRUPTED : EXIT_PARTIAL;
}

static int run(const struct options *options)
{
    static struct lab lab;
    struct target target;
    char error[512], source[PATH_MAX];
    struct task task = {.lab = &lab, .target = &target, .source = source,
                        .seed = options->seed, .begin = show_begin,
                        .effort = EFFORT_LEAST};

    if (!load_lab(options->words[0], options, &lab)
        || !source_path(options, &lab, source))
        return EXIT_USAGE;
    if (!boxes_open(options, false))
        return EXIT_GRADER_ERROR;
    if (!target_find("soft", &target, error))
        return report_error(EXIT_GRADER_ERROR, "%s", error);
    return locate_mistake(options, &task);
}

const struct verb verb_locate = {
    "locate", "LAB", "search for the line with the mistake",
    "Tries small changes of your file, one at a time: another comparison, "
    "number, variable or type, one more or less, a barrier, a statement left "
    "out. Where all tests pass with one, its place and kind are printed, not "
    "the change. On the software GPU, with all processors; Ctrl-C ends it.",
    "fstmTx", 1, 1, run};
