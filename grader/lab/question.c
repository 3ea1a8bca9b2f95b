/* SPDX-License-Identifier: MIT */
/* Section [question] of the settings: a number to predict, and the count that
 * verifies it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ini.h"

/* Index of the step of that name, or -1. */
static int find_step(const struct lab *lab, const char *name)
{
    for (size_t i = 0; i < lab->steps; i++)
        if (!strcmp(lab->step[i], name))
            return (int)i;
    return -1;
}

/* "2_tile.cu square conflicts 16": step, watched case, counter, unit. */
static int read_counted(struct parser *parser, const char *value)
{
    struct lab_question *question = &parser->lab->question;
    char step[64], watched[64], metric[64], *end;
    int at = 0, index;

    if (sscanf(value, "%63s %63s %63s %n", step, watched, metric, &at) != 3
        || !at || !ini_parse_number(value + at, &question->unit, &end) || *end
        || question->unit <= 0)
        return ini_error(parser, "\"%.40s\" should be a step, a watched "
                         "case, a counter and a unit above 0",
                         value);
    if (find_step(parser->lab, step) < 0)
        return ini_error(parser, "the ladder has no step \"%.40s\"", step);
    index = ini_find_test(suite_watched(parser->lab->suite), watched);
    if (index < 0)
        return ini_error(parser, "the suite has no watched case \"%.40s\"",
                         watched);
    question->watched = (size_t)index;
    question->metric = metric_from_name(metric);
    strcpy(question->step, step);
    return question->metric < METRICS
           || ini_error(parser, "there is no metric \"%.40s\"", metric);
}

int ini_question(struct parser *parser, const char *name, const char *value)
{
    struct lab_question *question = &parser->lab->question;

    if (!strcmp(name, "ask"))
        return ini_store_text(parser, value, question->ask,
                              sizeof question->ask);
    if (!strcmp(name, "why"))
        return ini_store_text(parser, value, question->reason,
                              sizeof question->reason);
    if (!strcmp(name, "answer"))
        return ini_store_number(parser, value, &question->answer);
    if (!strcmp(name, "within"))
        return ini_store_number(parser, value, &question->tolerance);
    if (!strcmp(name, "counted"))
        return read_counted(parser, value);
    return ini_error(parser, "[question] has no key \"%.40s\"", name);
}

bool is_right_answer(const struct lab_question *question, double value)
{
    double off = fabs(value - question->answer);

    return off <= question->tolerance * question->answer
                      + 1e-9 * fmax(1, question->answer);
}
