/* SPDX-License-Identifier: MIT */
/* Sections of the settings for the soft device: checks, budgets, the ladder's
 * points. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ini.h"

int ini_checks(struct parser *parser, const char *name, const char *value)
{
    if (strcmp(name, "clean"))
        return ini_error(parser, "[checks] has no key \"%.40s\"", name);
    return ini_store_number(parser, value, &parser->lab->clean);
}

/* "8 2, 1.05 6": limits descend, points ascend. */
static bool read_tiers(const char *value, struct lab_budget *budget)
{
    char *end = (char *)(size_t)value;

    for (budget->tiers = 0; budget->tiers < LAB_MAX_TIERS; budget->tiers++) {
        size_t i = budget->tiers;

        if (!ini_parse_number(end, &budget->limit[i], &end)
            || !ini_parse_number(end, &budget->points[i], &end))
            return false;
        if (i > 0 && (budget->limit[i] >= budget->limit[i - 1]
                      || budget->points[i] <= budget->points[i - 1]))
            return false;
        end += strspn(end, " ");
        if (*end != ',') {
            budget->tiers++;
            return *end == 0;
        }
        end++;
    }
    return false;
}

/* "serial sectors": the budgets above for which all others of the case wait. */
static int read_first(struct parser *parser, size_t watched, const char *value)
{
    struct lab *lab = parser->lab;
    char name[32];
    int found = 0;

    for (size_t i = 0; i < lab->budgets; i++)
        if (lab->budget[i].watched == watched)
            lab->budget[i].is_optional = true;
    while (*(value += strspn(value, " "))) {
        const size_t length = strcspn(value, " ");

        snprintf(name, sizeof name, "%.*s", (int)length, value);
        value += length;
        found = 0;
        for (size_t i = 0; i < lab->budgets; i++) {
            if (lab->budget[i].watched != watched
                || lab->budget[i].metric != metric_from_name(name))
                continue;
            lab->budget[i].is_optional = false;
            found = 1;
        }
        if (!found)
            return ini_error(parser, "no budget above is for \"%.40s\"", name);
    }
    return found;
}

int ini_cost(struct parser *parser, const char *watched, const char *name,
             const char *value)
{
    struct lab *lab = parser->lab;
    int index = ini_find_test(suite_watched(lab->suite), watched);
    struct lab_budget *budget = &lab->budget[lab->budgets];

    if (index < 0)
        return ini_error(parser, "the suite has no watched case \"%.40s\"",
                         watched);
    if (lab->model_case == (size_t)index + 1)
        return ini_error(parser, "\"%.40s\" is not run in a grade: no "
                         "budget is for it", watched);
    if (!strcmp(name, "first"))
        return read_first(parser, (size_t)index, value);
    if (lab->budgets == LAB_MAX_BUDGETS)
        return ini_error(parser, "\"%.40s\": too many budgets", name);
    *budget = (struct lab_budget){.watched = (size_t)index,
                              .metric = metric_from_name(name)};
    if (budget->metric == METRICS)
        return ini_error(parser, "there is no metric \"%.40s\"", name);
    if (!read_tiers(value, budget))
        return ini_error(parser, "\"%.40s\" should be tiers of a falling "
                         "budget and rising points", value);
    lab->budgets++;
    return 1;
}

int ini_cost_hint(struct parser *parser, const char *section, const char *name,
                  const char *value)
{
    struct lab *lab = parser->lab;
    enum metric metric = metric_from_name(name);
    int found = 0;

    for (size_t i = 0; i < lab->budgets; i++) {
        struct lab_budget *budget = &lab->budget[i];

        if (budget->metric != metric)
            continue;
        found = ini_store_text(parser, value,
                               !strncmp(section, "staged", 6)
                                   ? budget->staged_hint
                               : !strncmp(section, "strided", 7)
                                   ? budget->strided_hint : budget->hint,
                               LAB_TEXT_SIZE);
    }
    return found ? found
                 : ini_error(parser, "no budget above is for \"%.40s\"",
                             name);
}

int ini_model_case(struct parser *parser, const char *value)
{
    int index = ini_find_test(suite_watched(parser->lab->suite), value);

    if (index < 0)
        return ini_error(parser, "the suite has no watched case \"%.40s\"",
                         value);
    parser->lab->model_case = (size_t)index + 1;
    return 1;
}

size_t lab_model_case(const struct lab *lab)
{
    if (lab->model_case)
        return lab->model_case - 1;
    return lab->budgets ? lab->budget[0].watched : 0;
}

/* Index of the step of that name, or `steps` after an error. */
static size_t find_step(struct parser *parser, const char *name)
{
    const struct lab *lab = parser->lab;
    size_t i = 0;

    while (i < lab->steps && strcmp(lab->step[i], name))
        i++;
    if (i == lab->steps)
        ini_error(parser, "the ladder has no step \"%.40s\"", name);
    return i;
}

int ini_ladder(struct parser *parser, const char *name, const char *value)
{
    struct lab *lab = parser->lab;
    size_t i = find_step(parser, name);

    return i < lab->steps && ini_store_number(parser, value, &lab->ladder[i]);
}

int ini_slower(struct parser *parser, const char *name, const char *value)
{
    struct lab *lab = parser->lab;
    size_t i;

    if (lab->modeled)
        return ini_error(parser, "%s is slower in the model: the lab is not "
                         "`modeled`", name);
    if (!*value)
        return ini_error(parser, "why is %s slower?", name);
    i = find_step(parser, name);
    return i < lab->steps
           && ini_store_text(parser, value, lab->slower[i], LAB_TEXT_SIZE);
}
