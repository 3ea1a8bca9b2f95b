/* SPDX-License-Identifier: MIT */
/* warpbook run: grade the reference of every lab, one table. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../house.h"
#include "../result.h"
#include "../show.h"
#include "../text.h"
#include "common.h"

/* The first budget whose count differs from the baseline's, or the first. */
static const struct lab_cost *told_budget(const struct task *task,
                                          const struct report *report)
{
    for (size_t i = 0; i < task->lab->costs; i++) {
        const struct lab_cost *cost = &task->lab->cost[i];
        const struct counted *counted =
            &report->watch.cases[cost->watched].cost[cost->cost];

        if (counted->value > 0 && counted->baseline > 1.05 * counted->value)
            return cost;
    }
    return task->lab->cost;
}

/* How fast it is beside the baseline: measured where lab.ini says so; else, on
 * the soft device, modelled where the model ranks the ladder, or by a count. */
static void beside_baseline(const struct task *task,
                            const struct report *report, char *text,
                            size_t bytes)
{
    const struct lab_cost *cost = told_budget(task, report);
    const struct counted *counted =
        &report->watch.cases[cost->watched].cost[cost->cost];

    text_put(text, bytes, "-");
    if (report->timed && report->speed[0].verdict == PASS)
        text_put(text, bytes, "%.2f x +-%.0f %%", report->speed[0].ratio,
                 50 * report->speed[0].spread);
    else if (report->timed)
        text_put(text, bytes, "%s", verdict_name(report->speed[0].verdict));
    else if (grade_modelled_ratio(task, report) > 0)
        text_put(text, bytes, "%.2f x modelled",
                 grade_modelled_ratio(task, report));
    else if (task->lab->costs && counted->baseline > 0 && counted->value > 0)
        text_put(text, bytes, "%.1f x by %s",
                 counted->baseline / counted->value, cost_name(cost->cost));
}

static void show_row(const struct task *task, const struct report *report)
{
    char points[32], speed[64];

    text_put(points, sizeof points, "%g/%g", report->score,
             report->max_score);
    beside_baseline(task, report, speed, sizeof speed);
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

/* Adds one lab's result to the array that --json writes. */
static void collect(json_t *all, const struct task *task,
                    const struct report *report)
{
    char *text = result_text(task, report);

    json_array_append_new(all, json_loads(text ? text : "{}", 0, NULL));
    free(text);
}

static int write_all(const char *path, json_t *all)
{
    char *text = json_dumps(all, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    bool ok = text && write_whole(path, text, strlen(text));

    free(text);
    return ok ? EXIT_FULL
              : complain(EXIT_TROUBLE, "cannot write %s: %s", path,
                         strerror(errno));
}

static int run(const struct options *options)
{
    static struct lab lab;
    static struct report report;
    struct target target;
    char error[512], source[PATH_MAX];
    struct options reference = *options;
    int code = EXIT_FULL;
    json_t *all = json_array();

    reference.from = "solutions";
    if (!target_find(options->device, &target, error))
        return complain(EXIT_TROUBLE, "%s", error);
    printf("Device: %s, %s\n\n%-16s %9s  %-6s  %-20s %8s\n",
           device_name(target.kind), target.model, "lab", "points", "device",
           "speed / baseline", "time");
    for (size_t i = 0; suites[i] && !interrupted(); i++) {
        struct task task = {.lab = &lab, .target = &target, .source = source,
                            .seed = options->seed,
                            .speed = !options->no_speed,
                            .watch = !options->no_watch};

        if (!open_lab(suites[i]->stem, options, &lab)
            || !source_path(&reference, &lab, source))
            return EXIT_TROUBLE;
        grade(&task, &report);
        show_row(&task, &report);
        collect(all, &task, &report);
        remove_temporary(); /* there are only so many at a time */
        if (report.score < report.max_score)
            code = EXIT_NOT_FULL;
    }
    if (target.kind == DEVICE_GPU && !interrupted())
        printf("\n" SHOW_SOFT_ONLY "\n");
    if (options->json && write_all(options->json, all))
        code = EXIT_TROUBLE;
    json_decref(all);
    return code;
}

const struct verb verb_run = {
    "run", "", "grade the reference of every lab, one table", "--json writes "
    "an array of results.", "djstmnckv", 0, 0, run};
