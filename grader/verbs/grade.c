/* SPDX-License-Identifier: MIT */
/* warpbook grade LAB: grade one submission. */
#include "grader/report/grade_page.h"
#include "grader/report/kept_text.h"
#include "grader/report/result.h"
#include "grader/report/print.h"
#include "grader/workbench/journal.h"
#include "grader/workbench/progress.h"
#include "common/base/temp_dir.h"
#include "common/base/terminal.h"
#include "common/base/text.h"
#include "boxes.h"
#include "common.h"
#include "watch_bench.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* The exit status that README documents. */
static int exit_code(const struct task *task, const struct report *report)
{
    if (report->clean.verdict == INTERNAL)
        return EXIT_GRADER_ERROR;
    switch (report->verdict) {
    case BUILD:
    case MISSING:
    case REJECTED:
        return EXIT_NO_BUILD;
    case INTERNAL:
        return EXIT_GRADER_ERROR;
    default:
        if (task->only)
            return report->verdict == PASS ? EXIT_FULL : EXIT_PARTIAL;
        if (report->score >= report->max_score)
            return EXIT_FULL;
        return report->unmeasured > 0 ? EXIT_GRADER_ERROR : EXIT_PARTIAL;
    }
}

/* The second word names a test: it is run alone, and there is no score. */
static bool select_test(const struct options *options, struct task *task)
{
    const char *name = options->words[1];
    size_t i = 0;

    if (!name && options->quick)
        return report_error(0, "--quick needs one test");
    if (!name)
        return true;
    while (i < task->lab->tests && strcmp(task->lab->test[i].name, name))
        i++;
    if (i == task->lab->tests)
        return report_error(0, "lab %02d has no test \"%.60s\"",
                            task->lab->number, name);
    if (options->json)
        return report_error(0, "--json needs all tests, not only \"%.60s\"",
                            name);
    if (options->html)
        return report_error(0, "--html needs all tests, not only \"%.60s\"",
                            name);
    task->only = name;
    task->effort = options->quick ? EFFORT_LEAST : EFFORT_FULL;
    task->watch = task->speed = false;
    return true;
}

/* Add a grade of the learner's own file to the journal; a journal that cannot
 * be written is no error. */
static void record(const struct options *options, const struct task *task,
                   const struct report *report)
{
    struct journal_entry entry = {.lab = task->lab->number,
                                  .score = report->score,
                                  .max_score = report->max_score, .test = "-"};
    char path[PATH_MAX];
    size_t i = 0;

    if (task->only || strcmp(options->from, "labs")
        || report->verdict == INTERNAL)
        return;
    while (i < task->lab->tests && report->test[i].verdict == PASS)
        i++;
    if (i < task->lab->tests && !*report->message)
        text_format(entry.test, sizeof entry.test, "%s",
                    task->lab->test[i].name);
    text_format(entry.verdict, sizeof entry.verdict, "%s",
                verdict_name(report->verdict));
    if (report->verdict == PASS)
        describe_speedup(task, report, entry.cost, sizeof entry.cost);
    else
        find_cause_hint(task, report, entry.hint, sizeof entry.hint);
    text_join_lines(entry.hint); /* an entry is one line */
    if (!journal_add(&entry))
        report_error(0, "this try is not kept for status and next: %s: %s",
                     journal_path(path), strerror(errno));
}

/* The test that failed in the last try, too: the grade's hint was not enough.
 * The first try is that of the handout, for most.  The journal does not have
 * this try yet. */
static void show_more_hints(const struct options *options,
                            const struct task *task,
                            const struct report *report)
{
    struct progress progress;
    const struct lab_progress *state = &progress.lab[task->lab->number];
    char text[256], command[COMMAND_SIZE];
    size_t i = 0;

    while (i < task->lab->tests && report->test[i].verdict == PASS)
        i++;
    if (task->only || strcmp(options->from, "labs") || *report->message
        || i == task->lab->tests)
        return;
    progress_read(&progress);
    if (state->tries < 2 || strcmp(state->test, task->lab->test[i].name))
        return;
    printf("\n");
    text_wrap(stdout, 0,
              text_format(text, sizeof text, "The test %s failed in the last "
                          "try, too; plainer hints, one each time:\n  %s\nA "
                          "search for the line with the mistake:\n  "
                          "build/warpbook locate %02d",
                          state->test,
                          command_or_key(command, "build/warpbook hint ",
                                         'h', task->lab->number),
                          task->lab->number));
}

/** What a grade prints, at its end. */
struct grade_text {
    const struct options *options; /**< of the command line */
    const struct task *task;       /**< of the grade */
    const struct report *report;   /**< its result */
};

/* Print all that a grade has printed. */
static void show_again(const void *data)
{
    const struct grade_text *text = data;
    const struct report *report = text->report;

    show_head(text->task);
    for (size_t i = 0; i < text->task->lab->tests && !*report->message; i++) {
        struct outcome outcome = report->test[i];

        if (report->test_has_finding[i]) /* show_report() shows these */
            outcome.verdict = PASS;
        show_test(text->task->lab, i, &outcome);
    }
    show_report(text->task, report, text->options->verbose);
    show_more_hints(text->options, text->task, report);
}

/* Keep the text for `warpbook watch`, which shows it again when the window's
 * size has changed. */
static void keep_text(const struct options *options, const struct task *task,
                      const struct report *report)
{
    const struct grade_text text = {options, task, report};
    const char *prefix = getenv(WATCH_TEXT);

    if (prefix && *prefix && !task->only && is_terminal(stdout))
        kept_text_write(prefix, show_again, &text);
}

/* Is there nothing in it that an honest file would not get? */
static bool is_full(const struct task *task, const struct report *report)
{
    for (size_t i = 0; i < task->lab->tests; i++)
        if (*report->test[i].review)
            return false;
    return report->verdict == PASS && !*report->review
           && (!task->watch || report->score >= report->max_score);
}

/* Once, or until a grade is not full; the runners are made by the first.
 *  @return how often, or 0 when there is no folder for them */
static int grade_repeatedly(const struct options *options, struct task *task,
                            struct report *report)
{
    char folder[PATH_MAX];
    int done = 0;

    if (options->repeat > 1) {
        if (!temp_dir_create(folder))
            return 0;
        task->runners = folder;
        task->progress = NULL;
        task->begin = NULL;
    }
    do
        grade(task, report);
    while (++done < options->repeat && is_full(task, report)
           && !interrupted());
    task->runners = NULL;
    return done;
}

/* Grade a task and report it.
 *  @param json  the open file of --json
 *  @return an exit code */
static int grade_task(const struct options *options, struct task *task,
                      struct output_file *json)
{
    static struct report report;
    bool quiet = options->json && !strcmp(options->json, "-");
    int grades;

    if (quiet) {
        task->progress = NULL;
        task->begin = NULL;
    } else {
        show_head(task);
        process_tell_long_calls(show_long_call);
    }
    grades = grade_repeatedly(options, task, &report);
    if (!grades)
        return report_error(EXIT_GRADER_ERROR, "cannot make a folder: %s",
                            strerror(errno));
    if (interrupted()) {
        if (!quiet && interrupted() != SIGHUP)
            show_interrupted(task, &report);
        return EXIT_INTERRUPTED;
    }
    if (!quiet)
        show_report(task, &report, options->verbose);
    if (!quiet && options->repeat > 1)
        printf("\nGraded %d of %d times\n", grades, options->repeat);
    if (!quiet)
        show_more_hints(options, task, &report);
    if (!quiet)
        keep_text(options, task, &report);
    record(options, task, &report);
    if (options->json && !result_write(json, task, &report))
        return report_error(EXIT_GRADER_ERROR, "cannot write %s: %s",
                            options->json, strerror(errno));
    output_file_close(json);
    if (options->html && !grade_page_write(options->html, task, &report))
        return report_error(EXIT_GRADER_ERROR, "cannot write %s: %s",
                            options->html, strerror(errno));
    return exit_code(task, &report);
}

/* Options and device are checked before anything is built. */
static int run(const struct options *options)
{
    static struct lab lab;
    struct card_context context;
    struct target target;
    char error[512], source[PATH_MAX];
    struct task task = {.lab = &lab, .target = &target, .source = source,
                        .seed = options->seed, .speed = !options->no_speed,
                        .watch = !options->no_watch, .progress = show_test,
                        .begin = show_begin};
    struct output_file json;
    int code = EXIT_GRADER_ERROR;

    if (!load_lab(options->words[0], options, &lab)
        || !source_path(options, &lab, source)
        || !select_test(options, &task))
        return EXIT_USAGE;
    if (!boxes_open(options, false))
        return EXIT_GRADER_ERROR;
    if (!target_find(options->device, &target, error))
        return report_error(EXIT_GRADER_ERROR, "%s", error);
    if (!card_context_open(options, &target, true, &context))
        return EXIT_GRADER_ERROR;
    task.card = context.card;
    task.calibration = &context.calibration;
    if (open_json(options, &json))
        code = grade_task(options, &task, &json);
    card_context_close(&context);
    return code;
}

const struct verb verb_grade = {
    "grade", "LAB [TEST]", "grade your file of one lab",
    "LAB is 01, 1, vector_add or 01_vector_add. Your file is "
    "labs/LAB/NAME.cu, unless --from says otherwise. With the name of a TEST "
    "only that one is run, and there is no score.",
    "fdjwlstmnckvqHTR", 1, 2, run};
