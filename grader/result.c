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

static json_t *speeds(const struct task *task, const struct report *report)
{
    json_t *array = json_array();
    enum device_kind device = task->target->kind;

    for (size_t i = 0; report->timed && i < task->lab->speeds; i++) {
        const struct speed_outcome *outcome = &report->speed[i];
        const struct lab_speed *wanted = &task->lab->speed[i];
        json_t *speed = json_object();

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
