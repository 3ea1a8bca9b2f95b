/* SPDX-License-Identifier: MIT */
/* The counters that lab.ini sets budgets for. */
#include "cost.h"

#include <string.h>

enum { KEYS = 3 };

static const struct {
    const char *name, *words, *key[KEYS];
} costs[] = {
#define X(enumerator, name, words, a, b, c) {name, words, {a, b, c}},
    COST_LIST(X)
#undef X
};

const char *cost_name(enum cost cost)
{
    return costs[cost].name;
}

const char *cost_words(enum cost cost)
{
    return costs[cost].words;
}

enum cost cost_named(const char *name)
{
    int cost = 0;

    while (cost < COSTS && strcmp(costs[cost].name, name))
        cost++;
    return (enum cost)cost;
}

/* The report is the student's process's word: what is no count is refused. */
static bool add(const json_t *kernel, const char *key, double *value)
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
static double share(const json_t *kernel)
{
    const double blocks =
        json_number_value(json_object_get(kernel, "blocks"));
    const double watched =
        json_number_value(json_object_get(kernel, "blocks_watched"));

    if (json_is_true(json_object_get(kernel, "library")) || watched >= blocks)
        return 1;
    return watched >= 1 ? blocks / watched : blocks;
}

bool cost_count(const json_t *kernels, enum cost cost, double *value,
                bool *whole)
{
    const json_t *kernel;
    size_t i;

    *value = 0;
    *whole = true;
    if (!json_is_array(kernels))
        return false;
    json_array_foreach(kernels, i, kernel) {
        const double times = cost == COST_LAUNCHES ? 1 : share(kernel);
        double own = 0;

        for (int k = 0; k < KEYS && costs[cost].key[k]; k++)
            if (!add(kernel, costs[cost].key[k], &own))
                return false;
        *value += own * times;
        *whole = *whole && times <= 1;
    }
    return true;
}

bool cost_find(const json_t *report, enum cost cost, double *value,
               bool *whole)
{
    const char *key = costs[cost].key[0];

    if (*key != '@')
        return cost_count(json_object_get(report, "kernels"), cost, value,
                          whole);
    *value = 0;
    *whole = true;
    return add(json_object_get(report, "timeline"), key + 1, value);
}
