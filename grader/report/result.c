/* SPDX-License-Identifier: MIT */
/* result.json by jansson, keys in the order of the documentation. */
#include "result.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "grader/box/box.h"
#include "grader/lab/hidden.h"
#include "grader/session/canary.h"

/* Replaces a member.  A name of a file may be no UTF-8. */
static void set_text(json_t *object, const char *key, const char *text)
{
    json_t *string = json_string(text);
    char *clean = string ? NULL : strdup(text);

    if (clean) {
        make_printable(clean);
        string = json_string(clean);
        free(clean);
    }
    json_object_set_new(object, key, string);
}

/* Integers without a decimal point. */
static void set_number(json_t *object, const char *key, double value)
{
    json_object_set_new(object, key,
                        value == rint(value) && fabs(value) < 1e15
                        ? json_integer((json_int_t)value)
                        : json_real(value));
}

/* Times and ratios, with four significant digits. */
static void set_measured(json_t *object, const char *key, double value)
{
    char text[32];

    text_format(text, sizeof text, "%.4g", value);
    json_object_set_new(object, key, json_real(strtod(text, NULL)));
}

/* All tests in the order of the suite: gradebooks have the same rows for every
 * submission. */
static json_t *tests(const struct task *task, const struct report *report)
{
    json_t *array = json_array();

    for (size_t i = 0; i < task->lab->tests; i++) {
        const struct outcome *outcome = &report->test[i];
        json_t *test = json_object();

        set_text(test, "name", task->lab->test[i].name);
        set_text(test, "title", task->lab->suite->tests[i].title);
        set_text(test, "verdict", verdict_name(outcome->verdict));
        set_number(test, "score", report->test_score[i]);
        set_number(test, "max_score", task->lab->test[i].points);
        set_text(test, "message", outcome->message);
        if (*outcome->stored)
            set_text(test, "stored", outcome->stored);
        if (*outcome->values)
            set_text(test, "values", outcome->values);
        set_text(test, "review", outcome->review);
        if (is_hidden_test(task->lab, i))
            json_object_set_new(test, "hidden", json_true());
        json_array_append_new(array, test);
    }
    return array;
}

/* A block or thread index as [x, y, z]. */
static json_t *index_array(const unsigned index[3])
{
    return json_pack("[i,i,i]", (int)index[0], (int)index[1], (int)index[2]);
}

/* Findings of the checks, each with place, thread and block. */
static json_t *findings(const struct watch *watch)
{
    json_t *array = json_array();

    for (size_t i = 0; i < watch->findings; i++) {
        const struct finding *finding = &watch->finding[i];
        json_t *object = json_object();

        set_text(object, "kind", finding->kind);
        set_text(object, "kernel", finding->kernel);
        set_text(object, "place", finding->location);
        set_text(object, "other_place", finding->other_location);
        json_object_set_new(object, "block", index_array(finding->block));
        json_object_set_new(object, "thread", index_array(finding->thread));
        set_number(object, "count", finding->count);
        set_text(object, "message", finding->message);
        json_array_append_new(array, object);
    }
    return array;
}

/* Members that checks and budgets share with tests. */
static json_t *watched(const char *name, const char *title, double points,
                       const struct watch_outcome *outcome)
{
    json_t *object = json_object();

    set_text(object, "name", name);
    set_text(object, "title", title);
    set_text(object, "verdict", verdict_name(outcome->verdict));
    set_number(object, "score", outcome->score);
    set_number(object, "max_score", points);
    set_text(object, "message", outcome->message);
    set_text(object, "review", outcome->review);
    return object;
}

/* Empty when the watched cases were not run, as on a card. */
static json_t *checks(const struct task *task, const struct report *report)
{
    json_t *array = json_array(), *clean;

    if (!report->watched && report->clean.verdict == PASS)
        return array;
    clean =
        watched("clean", "no race, invalid access, uninitialized read or leak",
                task->lab->clean, &report->clean);
    json_object_set_new(clean, "findings", findings(&report->watch));
    json_array_append_new(array, clean);
    return array;
}

/* Limit and points of each tier, so that a score can be verified. */
static json_t *tiers(const struct lab_budget *budget)
{
    json_t *array = json_array();

    for (size_t i = 0; i < budget->tiers; i++) {
        json_t *tier = json_object();

        set_number(tier, "most", budget->limit[i]);
        set_number(tier, "points", budget->points[i]);
        json_array_append_new(array, tier);
    }
    return array;
}

/* Counted costs with the tiers that give points. */
static json_t *budgets(const struct task *task, const struct report *report)
{
    const struct lab *lab = task->lab;
    const struct suite_test *cases = suite_watched(lab->suite);
    json_t *array = json_array();

    for (size_t i = 0; report->watched && i < lab->budgets; i++) {
        const struct lab_budget *wanted = &lab->budget[i];
        const struct counter *counter =
            &report->watch.cases[wanted->watched].counter[wanted->metric];
        json_t *budget = watched(metric_name(wanted->metric),
                                 cases[wanted->watched].title,
                                 wanted->points[wanted->tiers - 1],
                                 &report->budget[i]);

        if (report->budget[i].waits)
            json_object_set_new(budget, "waits", json_true());
        set_text(budget, "case", cases[wanted->watched].name);
        set_number(budget, "value", counter->value);
        set_number(budget, "least", counter->minimum);
        set_number(budget, "unit", counter->unit);
        set_number(budget, "baseline", counter->baseline);
        json_object_set_new(budget, "tiers", tiers(wanted));
        json_array_append_new(array, budget);
    }
    return array;
}

/* Members of a timed run that are measured. */
static void set_times(json_t *speed, const struct speed_outcome *outcome)
{
    set_measured(speed, "ratio", outcome->ratio);
    set_measured(speed, "low", outcome->low);
    set_measured(speed, "high", outcome->high);
    set_measured(speed, "target", outcome->target);
    set_measured(speed, "spread", outcome->spread);
    set_measured(speed, "seconds", outcome->seconds);
    set_measured(speed, "baseline_seconds", outcome->baseline);
    set_measured(speed, "reference_seconds", outcome->reference);
    set_measured(speed, "reference_ratio", outcome->reference_ratio);
    set_number(speed, "rounds", outcome->rounds);
    set_number(speed, "attempts", outcome->attempts);
}

/* Timed runs of this device. */
static json_t *speeds(const struct task *task, const struct report *report)
{
    json_t *array = json_array();
    const struct lab *lab = task->lab;

    for (size_t i = 0; report->timed && i < lab->speeds; i++) {
        const struct speed_outcome *outcome = &report->speed[i];
        json_t *speed;

        if (!lab->speed[i].is_timed[task->target->kind])
            continue; /* not graded on this device */
        speed = json_object();
        set_text(speed, "name", lab->speed[i].name);
        set_text(speed, "title", lab->suite->speeds[i].title);
        set_text(speed, "verdict", verdict_name(outcome->verdict));
        set_number(speed, "score", outcome->score);
        set_number(speed, "max_score", speed_points(task, i));
        set_text(speed, "message", outcome->message);
        set_text(speed, "baseline", lab->baseline);
        set_text(speed, "reference", lab->reference);
        set_times(speed, outcome);
        if (outcome->step_known)
            set_number(speed, "step", (double)outcome->step);
        set_number(speed, "steps", (double)lab->steps);
        set_text(speed, "note", outcome->note);
        json_array_append_new(array, speed);
    }
    return array;
}

char *result_to_json(const struct task *task, const struct report *report)
{
    json_t *result = json_object();
    char seed[32], *text;

    /* As text: JSON readers keep 53 bits of a number, a seed has 64. */
    text_format(seed, sizeof seed, "%" PRIu64, task->seed);
    set_text(result, "schema", RESULT_SCHEMA);
    set_text(result, "grader", GRADER_VERSION);
    set_text(result, "lab", task->lab->stem);
    set_text(result, "title", task->lab->title);
    set_text(result, "device", device_name(task->target->kind));
    set_text(result, "device_model", task->target->model);
    set_text(result, "seed", seed);
    set_text(result, "tier", box_tier_name(box_tier_in_use()));
    set_text(result, "sandbox", sandbox_self_test() ? SELF_TEST : "closed");
    set_text(result, "verdict", verdict_name(report->verdict));
    set_text(result, "message", report->message);
    set_text(result, "review", report->review);
    set_number(result, "score", report->score);
    set_number(result, "max_score", report->max_score);
    set_number(result, "unmeasured", report->unmeasured);
    json_object_set_new(result, "tests", tests(task, report));
    json_object_set_new(result, "checks", checks(task, report));
    json_object_set_new(result, "costs", budgets(task, report));
    set_measured(result, "modeled_ratio", modeled_ratio(task, report));
    json_object_set_new(result, "speed", speeds(task, report));
    set_measured(result, "seconds", report->seconds);
    text = json_dumps(result, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    json_decref(result);
    return text;
}

bool result_write(const struct output_file *file, const struct task *task,
                  const struct report *report)
{
    char *text = result_to_json(task, report), *line;
    size_t length = text ? strlen(text) : 0;
    bool ok = false;

    line = text ? realloc(text, length + 2) : NULL;
    errno = line ? 0 : ENOMEM;
    if (line) {
        text = strcpy(line + length, "\n") - length;
        ok = file->folder >= 0 ? output_file_write(file, text, length + 1)
                               : fwrite(text, 1, length + 1, stdout) > 0;
    }
    free(text);
    return ok;
}
