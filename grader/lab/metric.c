/* SPDX-License-Identifier: MIT */
/* Metrics of a watched case. */
#include "metric.h"

#include <string.h>

enum { KEYS = 4 };

static const struct {
    const char *name, *words, *key[KEYS];
} metrics[] = {
#define X(enumerator, name, words, ...) {name, words, {__VA_ARGS__}},
    METRIC_LIST(X)
#undef X
};

const char *metric_name(enum metric metric)
{
    return metrics[metric].name;
}

const char *metric_description(enum metric metric)
{
    return metrics[metric].words;
}

enum metric metric_from_name(const char *name)
{
    int metric = 0;

    while (metric < METRICS && strcmp(metrics[metric].name, name))
        metric++;
    return (enum metric)metric;
}

/* The report is untrusted: anything but a count is refused. */
static bool add_json_count(const json_t *kernel, const char *key, double *value)
{
    const json_t *number = json_object_get(kernel, key);
    json_int_t count = json_integer_value(number);

    if (!json_is_integer(number) || count < 0 || count > (json_int_t)1 << 50)
        return false;
    *value += (double)count;
    return true;
}

/* Of a kernel that did more than the profiler logs only some blocks are
 * counted.  @return blocks for one of these, 1 when all were */
static double sampling_factor(const json_t *kernel)
{
    const double blocks =
        json_number_value(json_object_get(kernel, "blocks"));
    const double watched =
        json_number_value(json_object_get(kernel, "blocks_watched"));

    if (json_is_true(json_object_get(kernel, "library")) || watched >= blocks)
        return 1;
    return watched >= 1 ? blocks / watched : blocks;
}

/* Add one kernel's part of a metric, and all that METRIC_SERIAL is a part of.
 * Launches run one after another, their blocks at the same time: serial are
 * the requests of the busiest block of each launch. */
static bool add_kernel(const json_t *kernel, enum metric metric, double times,
                       double *value, double *all)
{
    double own = 0;

    for (int k = 0; k < KEYS && metrics[metric].key[k]; k++)
        if (!add_json_count(kernel, metrics[metric].key[k], &own))
            return false;
    *all += own * times;
    if (metric == METRIC_SERIAL)
        return add_json_count(kernel, "global_busiest_requests", value);
    *value += own * times;
    return true;
}

bool metric_sum(const json_t *kernels, enum metric metric, double *value,
                bool *is_complete)
{
    const json_t *kernel;
    double all = 0;
    size_t i;

    *value = 0;
    *is_complete = true;
    if (!json_is_array(kernels))
        return false;
    json_array_foreach(kernels, i, kernel) {
        const double times =
            metric == METRIC_LAUNCHES ? 1 : sampling_factor(kernel);

        if (!add_kernel(kernel, metric, times, value, &all))
            return false;
        *is_complete = *is_complete && times <= 1;
    }
    if (metric == METRIC_SERIAL && all > 0)
        *value *= 100 / all;
    return true;
}

bool metric_read(const json_t *report, enum metric metric, double *value,
                 bool *is_complete)
{
    const char *key = metrics[metric].key[0];

    if (*key != '@')
        return metric_sum(json_object_get(report, "kernels"), metric, value,
                          is_complete);
    *value = 0;
    *is_complete = true;
    return add_json_count(json_object_get(report, "timeline"), key + 1, value);
}

/* The product of a kernel's three block dimensions, or 0. */
static unsigned threads_of(const json_t *kernel)
{
    const json_t *sides = json_object_get(kernel, "block");
    json_int_t threads = 1;

    for (size_t i = 0; i < 3; i++) {
        const json_int_t side = json_integer_value(json_array_get(sides, i));

        if (side < 1 || side > 1024)
            return 0;
        threads *= side;
    }
    return json_is_true(json_object_get(kernel, "library")) || threads > 1024
               ? 0
               : (unsigned)threads;
}

unsigned metric_block_threads(const json_t *kernels)
{
    const json_t *kernel;
    unsigned threads = 0;
    double most = 0;
    size_t i;

    json_array_foreach(kernels, i, kernel) {
        double own = 0;

        for (int k = 0; k < KEYS && metrics[METRIC_REQUESTS].key[k]; k++)
            add_json_count(kernel, metrics[METRIC_REQUESTS].key[k], &own);
        own *= sampling_factor(kernel);
        if (own > most) {
            most = own;
            threads = threads_of(kernel);
        }
    }
    return threads;
}
