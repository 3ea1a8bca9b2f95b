/* SPDX-License-Identifier: MIT */
/* Thresholds of a course: see threshold.h. */
#include "threshold.h"

#include <stdio.h>
#include <string.h>

#include "common/base/target.h"
#include "ini.h"

enum { MOST = 1000 /* a speedup, or multiples of a unit */ };

bool threshold_is_key(const char *key)
{
    return !strncmp(key, "speed ", 6) || !strncmp(key, "cost ", 5);
}

static bool refuse(char *error, const char *format, const char *what)
{
    snprintf(error, LAB_ERROR_SIZE, format, what);
    return false;
}

static bool set_speed(struct lab *lab, const char *run, const char *value,
                      char *error)
{
    double target;
    char *end;

    for (size_t i = 0; i < lab->speeds; i++) {
        if (strcmp(lab->speed[i].name, run))
            continue;
        if (!ini_parse_number(value, &target, &end) || *end || target <= 1
            || target > MOST)
            return refuse(error, "\"%.40s\" is no speedup above 1", value);
        lab->speed[i].target[DEVICE_GPU] = target;
        return true;
    }
    return refuse(error, "the lab has no timed run \"%.40s\"", run);
}

/* "9, 3, 1.05": as many as the budget has tiers, descending. */
static bool read_limits(const char *value, struct lab_budget *budget)
{
    char *end = (char *)(size_t)value;

    for (size_t i = 0; i < budget->tiers; i++) {
        if (!ini_parse_number(end, &budget->limit[i], &end)
            || budget->limit[i] <= 0 || budget->limit[i] > MOST
            || (i > 0 && budget->limit[i] >= budget->limit[i - 1]))
            return false;
        end += strspn(end, " ");
        if (i + 1 < budget->tiers && *end++ != ',')
            return false;
    }
    return *end == 0;
}

static bool set_cost(struct lab *lab, const char *name, const char *value,
                     char *error)
{
    const struct suite_test *cases = suite_watched(lab->suite);
    char own[128];

    for (size_t i = 0; i < lab->budgets; i++) {
        struct lab_budget *budget = &lab->budget[i], changed = *budget;

        snprintf(own, sizeof own, "%s %s", cases[budget->watched].name,
                 metric_name(budget->metric));
        if (strcmp(own, name))
            continue;
        if (!read_limits(value, &changed)) {
            snprintf(error, LAB_ERROR_SIZE, "\"%.40s\" should be %zu falling "
                     "limits", value, budget->tiers);
            return false;
        }
        *budget = changed;
        return true;
    }
    return refuse(error, "the lab has no budget \"%.60s\"", name);
}

bool threshold_set(struct lab *lab, const char *key, const char *value,
                   char *error)
{
    return strncmp(key, "speed ", 6) ? set_cost(lab, key + 5, value, error)
                                     : set_speed(lab, key + 6, value, error);
}
