/* SPDX-License-Identifier: MIT */
/* lab.ini's [question]: a number to predict, and how it is held true. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab_ini.h"

/* The step of that name, or -1. */
static int find_step(const struct lab *lab, const char *name)
{
    for (size_t i = 0; i < lab->steps; i++)
        if (!strcmp(lab->step[i], name))
            return (int)i;
    return -1;
}

/* "2_tile.cu square conflicts 16": step, watched case, counter, unit. */
static int read_counted(struct reading *reading, const char *value)
{
    struct lab_question *question = &reading->lab->question;
    char step[64], watched[64], cost[64], *end;
    int at = 0, index;

    if (sscanf(value, "%63s %63s %63s %n", step, watched, cost, &at) != 3
        || !at || !ini_number(value + at, &question->unit, &end) || *end
        || question->unit <= 0)
        return ini_complain(reading, "\"%.40s\" should be a step, a watched "
                                     "case, a counter and a unit above 0",
                            value);
    if (find_step(reading->lab, step) < 0)
        return ini_complain(reading, "the ladder has no step \"%.40s\"", step);
    index = ini_find(suite_watched(reading->lab->suite), watched);
    if (index < 0)
        return ini_complain(reading, "the suite has no watched case \"%.40s\"",
                            watched);
    question->watched = (size_t)index;
    question->cost = cost_named(cost);
    strcpy(question->step, step);
    return question->cost < COSTS
           || ini_complain(reading, "nothing is counted as \"%.40s\"", cost);
}

int ini_question(struct reading *reading, const char *name, const char *value)
{
    struct lab_question *question = &reading->lab->question;

    if (!strcmp(name, "ask"))
        return ini_put_text(reading, value, question->ask,
                            sizeof question->ask);
    if (!strcmp(name, "why"))
        return ini_put_text(reading, value, question->why,
                            sizeof question->why);
    if (!strcmp(name, "answer"))
        return ini_put_number(reading, value, &question->answer);
    if (!strcmp(name, "within"))
        return ini_put_number(reading, value, &question->within);
    if (!strcmp(name, "counted"))
        return read_counted(reading, value);
    return ini_complain(reading, "[question] has no key \"%.40s\"", name);
}

bool question_right(const struct lab_question *question, double value)
{
    double off = fabs(value - question->answer);

    return off <= question->within * question->answer
                      + 1e-9 * fmax(1, question->answer);
}
