/* SPDX-License-Identifier: MIT */
/* result.json by jansson, keys in the order of the documentation. */
#include "result.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "house.h"
#include "text.h"

static void put_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, json_string(text));
}

/* Whole numbers without a point, so that 10 stays 10. */
static void put_number(json_t *object, const char *key, double value)
{
    json_object_set_new(object, key,
                        value == rint(value) && fabs(value) < 1e15
                            ? json_integer((json_int_t)value)
                            : json_real(value));
}

/* Times and ratios: four significant digits say all that was measured. */
static void put_measured(json_t *object, const char *key, double value)
{
    char text[32];

    text_put(text, sizeof text, "%.4g", value);
    json_object_set_new(object, key, json_real(strtod(text, NULL)));
}

/* In the order of the suite, those that were not run, too: a gradebook has the
 * same rows for all. */
static json_t *tests(const struct task *task, const struct report *report)
{
    json_t *array = json_array();

    for (size_t i = 0; i < task->lab->tests; i++) {
        const struct outcome *outcome = &report->test[i];
        json_t *test = json_object();

        put_text(test, "name", task->lab->test[i].name);
        put_text(test, "title", task->lab->suite->tests[i].title);
        put_text(test, "verdict", verdict_name(outcome->verdict));
        put_number(test, "score", report->test_score[i]);
        put_number(test, "max_score", task->lab->test[i].points);
        put_text(test, "message", outcome->message);
        put_text(test, "review", outcome->review);
        json_array_append_new(array, test);
    }
    return array;
}

static json_t *index_array(const unsigned index[3])
{
    return json_pack("[i,i,i]", (int)index[0], (int)index[1], (int)index[2]);
}

static json_t *findings(const struct watch *watch)
{
    json_t *array = json_array();

    for (size_t i = 0; i < watch->findings; i++) {
        const struct finding *finding = &watch->finding[i];
        json_t *object = json_object();

        put_text(object, "kind", finding->kind);
        put_text(object, "kernel", finding->kernel);
        put_text(object, "place", finding->place);
        put_text(object, "other_place", finding->other);
        json_object_set_new(object, "block", index_array(finding->block));
        json_object_set_new(object, "thread", index_array(finding->thread));
        put_number(object, "count", finding->count);
        put_text(object, "message", finding->message);
        json_array_append_new(array, object);
    }
    return array;
}

/* What checks and costs have in common with tests. */
static json_t *watched(const char *name, const char *title, double points,
                       const struct watch_outcome *outcome)
{
    json_t *object = json_object();

    put_text(object, "name", name);
    put_text(object, "title", title);
    put_text(object, "verdict", verdict_name(outcome->verdict));
    put_number(object, "score", outcome->score);
    put_number(object, "max_score", points);
    put_text(object, "message", outcome->message);
    put_text(object, "review", outcome->review);
    return object;
}

/* None when nobody looked, as on a card: no finding is not the same as none
 * looked for. */
static json_t *checks(const struct task *task, const struct report *report)
{
    json_t *array = json_array(), *clean;

    if (!report->watched && report->clean.verdict == PASS)
        return array;
    clean = watched("clean", "nothing for the watchers to find",
                    task->lab->clean, &report->clean);
    json_object_set_new(clean, "findings", findings(&report->watch));
    json_array_append_new(array, clean);
    return array;
}

/* What would have earned how much: a mark can be checked by hand. */
static json_t *tiers(const struct lab_cost *cost)
{
    json_t *array = json_array();

    for (size_t i = 0; i < cost->tiers; i++) {
        json_t *tier = json_object();

        put_number(tier, "most", cost->most[i]);
        put_number(tier, "points", cost->points[i]);
        json_array_append_new(array, tier);
    }
    return array;
}

static json_t *costs(const struct task *task, const struct report *report)
{
    const struct lab *lab = task->lab;
    const struct suite_test *cases = suite_watched(lab->suite);
    json_t *array = json_array();

    for (size_t i = 0; report->watched && i < lab->costs; i++) {
        const struct lab_cost *wanted = &lab->cost[i];
        const struct counted *counted =
            &report->watch.cases[wanted->watched].cost[wanted->cost];
        json_t *cost = watched(cost_name(wanted->cost),
                               cases[wanted->watched].title,
                               wanted->points[wanted->tiers - 1],
                               &report->cost[i]);

        put_text(cost, "case", cases[wanted->watched].name);
        put_number(cost, "value", counted->value);
        put_number(cost, "least", counted->least);
        put_number(cost, "unit", counted->unit);
        put_number(cost, "baseline", counted->baseline);
        json_object_set_new(cost, "tiers", tiers(wanted));
        json_array_append_new(array, cost);
    }
    return array;
}

static json_t *speeds(const struct task *task, const struct report *report)
{
    json_t *array = json_array();
    enum device_kind device = task->target->kind;

    for (size_t i = 0; report->timed && i < task->lab->speeds; i++) {
        const struct speed_outcome *outcome = &report->speed[i];
        const struct lab_speed *wanted = &task->lab->speed[i];
        json_t *speed;

        if (wanted->target[device] <= 0)
            continue; /* not graded on this device */
        speed = json_object();
        put_text(speed, "name", wanted->name);
        put_text(speed, "title", task->lab->suite->speeds[i].title);
        put_text(speed, "verdict", verdict_name(outcome->verdict));
        put_number(speed, "score", outcome->score);
        put_number(speed, "max_score", wanted->points[device]);
        put_text(speed, "message", outcome->message);
        put_text(speed, "baseline", task->lab->baseline);
        put_measured(speed, "ratio", outcome->ratio);
        put_measured(speed, "target", wanted->target[device]);
        put_measured(speed, "spread", outcome->spread);
        put_measured(speed, "seconds", outcome->seconds);
        put_measured(speed, "baseline_seconds", outcome->baseline);
        put_number(speed, "rounds", outcome->rounds);
        json_array_append_new(array, speed);
    }
    return array;
}

char *result_text(const struct task *task, const struct report *report)
{
    json_t *result = json_object();
    char seed[32], *text;

    /* A text: readers of JSON keep 53 bits of a number, a seed has 64. */
    text_put(seed, sizeof seed, "%" PRIu64, task->seed);
    put_text(result, "schema", RESULT_SCHEMA);
    put_text(result, "grader", GRADER_VERSION);
    put_text(result, "lab", task->lab->stem);
    put_text(result, "title", task->lab->title);
    put_text(result, "device", device_name(task->target->kind));
    put_text(result, "device_model", task->target->model);
    put_text(result, "seed", seed);
    put_text(result, "verdict", verdict_name(report->verdict));
    put_text(result, "message", report->message);
    put_number(result, "score", report->score);
    put_number(result, "max_score", report->max_score);
    json_object_set_new(result, "tests", tests(task, report));
    json_object_set_new(result, "checks", checks(task, report));
    json_object_set_new(result, "costs", costs(task, report));
    put_measured(result, "modelled_ratio", grade_modelled_ratio(task, report));
    json_object_set_new(result, "speed", speeds(task, report));
    put_measured(result, "seconds", report->seconds);
    text = json_dumps(result, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    json_decref(result);
    return text;
}

bool result_write(const char *path, const struct task *task,
                  const struct report *report)
{
    char *text = result_text(task, report), *line;
    size_t length = text ? strlen(text) : 0;
    bool ok = false;

    line = text ? realloc(text, length + 2) : NULL;
    errno = line ? 0 : ENOMEM;
    if (line) {
        text = strcpy(line + length, "\n") - length;
        ok = strcmp(path, "-") ? write_whole(path, text, length + 1)
                               : fwrite(text, 1, length + 1, stdout) > 0;
    }
    if (!ok)
        fprintf(stderr, "warpbook: cannot write %s: %s\n", path,
                strerror(errno));
    free(text);
    return ok;
}
