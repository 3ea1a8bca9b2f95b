/* SPDX-License-Identifier: MIT */
/* warpbook run: grade the reference of every lab, one table. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/json_file.h"
#include "common/base/paths.h"
#include "grader/report/result.h"
#include "grader/report/print.h"
#include "common/base/temp_dir.h"
#include "common/base/text.h"
#include "common.h"

static void show_row(const struct task *task, const struct report *report)
{
    char points[32], speed[64];

    text_format(points, sizeof points, "%g/%g", report->score,
                report->max_score);
    describe_speedup(task, report, speed, sizeof speed);
    printf("%-16s %9s  %-6s  %-20s %6.1f s\n", task->lab->stem, points,
           device_name(task->target->kind), speed, report->seconds);
    if (report->verdict != PASS) {
        const char *message = report->message;

        for (size_t i = 0; i < task->lab->tests && !*message; i++)
            message = report->test[i].message;
        text_wrap(stdout, 4, message);
    }
    fflush(stdout);
}

/* Append a lab's result to the array that --json writes. */
static void collect(json_t *all, const struct task *task,
                    const struct report *report)
{
    char *text = result_to_json(task, report);

    json_array_append_new(all, json_loads(text ? text : "{}", 0, NULL));
    free(text);
}

static int write_all(const char *path, struct output_file *file, json_t *all)
{
    int code = EXIT_FULL;

    if (!write_open_json(file, all, JSON_INDENT(2) | JSON_REAL_PRECISION(6)))
        code = report_error(EXIT_GRADER_ERROR, "cannot write %s: %s", path,
                            strerror(errno));
    output_file_close(file);
    return code;
}

/* Grade the reference of every lab.
 *  @param task  with target and context set
 *  @return an exit code */
static int run_labs(const struct options *options, struct task *task,
                    json_t *all)
{
    static struct lab lab;
    static struct report report;
    char source[PATH_MAX];
    struct options reference = *options;
    int code = EXIT_FULL;

    reference.from = "solutions";
    task->lab = &lab;
    task->source = source;
    for (size_t i = 0; suites[i] && !interrupted(); i++) {
        if (!load_lab(suites[i]->stem, options, &lab)
            || !source_path(&reference, &lab, source))
            return EXIT_GRADER_ERROR;
        grade(task, &report);
        show_row(task, &report);
        collect(all, task, &report);
        temp_dirs_remove(); /* free the disk space */
        if (report.score < report.max_score)
            code = EXIT_PARTIAL;
    }
    return code;
}

static int run(const struct options *options)
{
    struct card_context context;
    struct target target;
    char error[512];
    struct task task = {.target = &target, .seed = options->seed,
                        .speed = !options->no_speed,
                        .watch = !options->no_watch};
    struct output_file json;
    int code;
    json_t *all;

    if (!target_find(options->device, &target, error))
        return report_error(EXIT_GRADER_ERROR, "%s", error);
    if (!card_context_open(options, &target, true, &context))
        return EXIT_GRADER_ERROR;
    if (!open_json(options, &json)) {
        card_context_close(&context);
        return EXIT_GRADER_ERROR;
    }
    task.card = context.card;
    task.calibration = &context.calibration;
    printf("Device: %s, %s\n\n%-16s %9s  %-6s  %-20s %8s\n",
           device_name(target.kind), target.model, "lab", "points", "device",
           "speed / baseline", "time");
    all = json_array();
    code = run_labs(options, &task, all);
    if (options->json && write_all(options->json, &json, all))
        code = EXIT_GRADER_ERROR;
    json_decref(all);
    card_context_close(&context);
    return code;
}

const struct verb verb_run = {
    "run", "", "grade the reference of every lab, one table", "--json writes "
    "an array of results.", "djlstmnckv", 0, 0, run};
