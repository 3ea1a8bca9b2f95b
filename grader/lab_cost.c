/* SPDX-License-Identifier: MIT */
/* lab.ini's sections for the soft device: checks, costs, the ladder's tiers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab_ini.h"

int ini_checks(struct reading *reading, const char *name, const char *value)
{
    if (strcmp(name, "clean"))
        return ini_complain(reading, "[checks] has no key \"%.40s\"", name);
    return ini_put_number(reading, value, &reading->lab->clean);
}

/* "8 2, 1.05 6": multiples fall, points rise. */
static bool read_tiers(const char *value, struct lab_cost *cost)
{
    char *end = (char *)(size_t)value;

    for (cost->tiers = 0; cost->tiers < LAB_TIERS; cost->tiers++) {
        size_t i = cost->tiers;

        if (!ini_number(end, &cost->most[i], &end)
            || !ini_number(end, &cost->points[i], &end))
            return false;
        if (i > 0 && (cost->most[i] >= cost->most[i - 1]
                      || cost->points[i] <= cost->points[i - 1]))
            return false;
        end += strspn(end, " ");
        if (*end != ',') {
            cost->tiers++;
            return *end == 0;
        }
        end++;
    }
    return false;
}

int ini_cost(struct reading *reading, const char *watched, const char *name,
             const char *value)
{
    struct lab *lab = reading->lab;
    int index = ini_find(suite_watched(lab->suite), watched);
    struct lab_cost *cost = &lab->cost[lab->costs];

    if (index < 0)
        return ini_complain(reading, "the suite has no watched case \"%.40s\"",
                            watched);
    if (lab->apart == (size_t)index + 1)
        return ini_complain(reading, "\"%.40s\" is not run in a grade: no "
                                     "budget is for it", watched);
    if (lab->costs == LAB_COSTS)
        return ini_complain(reading, "\"%.40s\" is one budget too many", name);
    *cost = (struct lab_cost){.watched = (size_t)index,
                              .cost = cost_named(name)};
    if (cost->cost == COSTS)
        return ini_complain(reading, "nothing is counted as \"%.40s\"", name);
    if (!read_tiers(value, cost))
        return ini_complain(reading, "\"%.40s\" should be tiers of a falling "
                                     "budget and rising points", value);
    lab->costs++;
    return 1;
}

int ini_cost_hint(struct reading *reading, const char *name,
                  const char *value)
{
    struct lab *lab = reading->lab;
    enum cost cost = cost_named(name);
    int found = 0;

    for (size_t i = 0; i < lab->costs; i++)
        if (lab->cost[i].cost == cost)
            found = ini_put_text(reading, value, lab->cost[i].hint,
                                 sizeof lab->cost[i].hint);
    return found ? found
                 : ini_complain(reading, "no budget above is for \"%.40s\"",
                                name);
}

int ini_apart(struct reading *reading, const char *value)
{
    int index = ini_find(suite_watched(reading->lab->suite), value);

    if (index < 0)
        return ini_complain(reading, "the suite has no watched case \"%.40s\"",
                            value);
    reading->lab->apart = (size_t)index + 1;
    return 1;
}

size_t lab_modelled(const struct lab *lab)
{
    if (lab->apart)
        return lab->apart - 1;
    return lab->costs ? lab->cost[0].watched : 0;
}

/* The step of that name, or `steps` after a complaint. */
static size_t find_step(struct reading *reading, const char *name)
{
    const struct lab *lab = reading->lab;
    size_t i = 0;

    while (i < lab->steps && strcmp(lab->step[i], name))
        i++;
    if (i == lab->steps)
        ini_complain(reading, "the ladder has no step \"%.40s\"", name);
    return i;
}

int ini_ladder(struct reading *reading, const char *name, const char *value)
{
    struct lab *lab = reading->lab;
    size_t i = find_step(reading, name);

    return i < lab->steps && ini_put_number(reading, value, &lab->ladder[i]);
}

int ini_slower(struct reading *reading, const char *name, const char *value)
{
    struct lab *lab = reading->lab;
    size_t i;

    if (lab->modelled)
        return ini_complain(reading, "%s is slower in the model: the lab is not "
                                     "`modelled`", name);
    if (!*value)
        return ini_complain(reading, "why is %s slower?", name);
    i = find_step(reading, name);
    return i < lab->steps
           && ini_put_text(reading, value, lab->slower[i], LAB_TEXT);
}
