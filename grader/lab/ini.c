/* SPDX-License-Identifier: MIT */
/* Parsing a lab's settings strictly: a missing key, an unknown one and an
 * invalid value are errors in one line. */
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "grader/calls/contract.h"
#include "ini.h"
#include "common/base/text.h"

int ini_error(struct parser *parser, const char *format,
              const char *what)
{
    if (!*parser->error) /* inih continues; the first error is kept */
        snprintf(parser->error, sizeof parser->error, format, what);
    return 0;
}

bool ini_parse_number(const char *text, double *value, char **end)
{
    *value = strtod(text, end);
    return *end != text && *value >= 0 && *value < 1e9;
}

int ini_store_number(struct parser *parser, const char *value, double *to)
{
    char *end;

    if (!ini_parse_number(value, to, &end) || *end)
        return ini_error(parser, "\"%.40s\" is not a number", value);
    return 1;
}

int ini_store_text(struct parser *parser, const char *value, char *to,
                   size_t bytes)
{
    if (strlen(value) >= bytes)
        return ini_error(parser, "\"%.40s...\" is too long", value);
    strcpy(to, value);
    return 1;
}

/* The [function NAME] sections of the file being read. */
static struct contract contract;
static char contract_error[CONTRACT_ERROR];

/* Messages name the first function. */
static int read_function(struct parser *parser, const char *function,
                         const char *name, const char *value)
{
    struct lab *lab = parser->lab;

    if (!contract_add(&contract, function, name, value, contract_error))
        return ini_error(parser, "%s", contract_error);
    if (contract.functions > 1 || *lab->function)
        return 1;
    return ini_store_text(parser, function, lab->function,
                          sizeof lab->function)
           && ini_store_text(parser, value, lab->prototype,
                             sizeof lab->prototype);
}

/* A line of [lab]. */
static int read_lab(struct parser *parser, const char *name,
                    const char *value)
{
    struct lab *lab = parser->lab;
    double mebibytes;

    if (!strcmp(name, "title"))
        return ini_store_text(parser, value, lab->title, sizeof lab->title);
    if (!strcmp(name, "baseline"))
        return ini_store_text(parser, value, lab->baseline,
                              sizeof lab->baseline);
    if (!strcmp(name, "reference"))
        return ini_store_text(parser, value, lab->reference,
                              sizeof lab->reference);
    if (!strcmp(name, "libraries"))
        return ini_store_text(parser, value, lab->libraries,
                              sizeof lab->libraries);
    if (!strcmp(name, "with"))
        return ini_store_text(parser, value, lab->dependencies,
                              sizeof lab->dependencies);
    if (!strcmp(name, "handout"))
        return ini_store_text(parser, value, lab->handout,
                              sizeof lab->handout);
    if (!strcmp(name, "modeled")) {
        lab->modeled = !strcmp(value, "yes");
        return lab->modeled || !strcmp(value, "no")
               || ini_error(parser, "\"%.40s\" is neither yes nor no",
                            value);
    }
    if (!strcmp(name, "modeled on"))
        return ini_model_case(parser, value);
    if (!strcmp(name, "time"))
        return ini_store_number(parser, value, &lab->seconds);
    if (!strcmp(name, "memory") || !strcmp(name, "memory gpu")) {
        if (!ini_store_number(parser, value, &mebibytes))
            return 0;
        *(name[6] ? &lab->memory_gpu : &lab->memory) = (size_t)mebibytes << 20;
        return 1;
    }
    return ini_error(parser, "[lab] has no key \"%.40s\"", name);
}

int ini_find_test(const struct suite_test *tests, const char *name)
{
    for (int i = 0; tests[i].name; i++)
        if (!strcmp(tests[i].name, name))
            return i;
    return -1;
}

/* A line of [points] or [hints], named for a test of the suite. */
static int read_test(struct parser *parser, const char *section,
                     const char *name, const char *value)
{
    int index = ini_find_test(parser->lab->suite->tests, name);
    struct lab_test *test;

    if (index < 0)
        return ini_error(parser, "the suite has no test \"%.40s\"", name);
    test = &parser->lab->test[index];
    if (!strcmp(section, "hints"))
        return ini_store_text(parser, value, test->hint, sizeof test->hint);
    parser->has_points[index] = true;
    return ini_store_number(parser, value, &test->points);
}

/* "20", or "3.0 20" with a target. */
static bool read_target(const char *value, double *target, double *points)
{
    char *end;

    *target = 0;
    if (!ini_parse_number(value, points, &end))
        return false;
    if (*end) {
        *target = *points;
        if (*target <= 1 || !ini_parse_number(end, points, &end))
            return false;
    }
    return *end == 0;
}

/* A line of [speed gpu] or [speed soft]: points, or a ratio and points. */
static int read_speed(struct parser *parser, int device, const char *name,
                      const char *value)
{
    int index = ini_find_test(parser->lab->suite->speeds, name);
    struct lab_speed *speed;

    if (index < 0)
        return ini_error(parser, "the suite has no timed run \"%.40s\"",
                         name);
    speed = &parser->lab->speed[index];
    speed->is_timed[device] = true;
    if (!read_target(value, &speed->target[device], &speed->points[device]))
        return ini_error(parser, "\"%.40s\" should be points, or a ratio "
                         "above 1 and points", value);
    return 1;
}

/* inih calls this for each line. @return 0 stops the parser */
static int on_entry(void *user, const char *section, const char *name,
                    const char *value)
{
    struct parser *parser = user;

    if (!strcmp(section, "lab"))
        return read_lab(parser, name, value);
    if (!strcmp(section, "points") || !strcmp(section, "hints"))
        return read_test(parser, section, name, value);
    if (!strcmp(section, "speed gpu") || !strcmp(section, "speed soft"))
        return read_speed(parser, !strcmp(section, "speed soft"), name,
                          value);
    if (!strcmp(section, "checks"))
        return ini_checks(parser, name, value);
    if (!strcmp(section, "cost hints") || !strcmp(section, "staged hints")
        || !strcmp(section, "strided hints"))
        return ini_cost_hint(parser, section, name, value);
    if (!strncmp(section, "cost ", 5))
        return ini_cost(parser, section + 5, name, value);
    if (!strncmp(section, "function ", 9))
        return read_function(parser, section + 9, name, value);
    if (!strcmp(section, "ladder"))
        return ini_ladder(parser, name, value);
    if (!strcmp(section, "slower"))
        return ini_slower(parser, name, value);
    if (!strcmp(section, "question"))
        return ini_question(parser, name, value);
    if (!strcmp(section, "passed") && !strcmp(name, "next"))
        return ini_store_text(parser, value, parser->lab->next,
                              sizeof parser->lab->next);
    return ini_error(parser, "unknown section [%.40s]", section);
}

/* A required key that is missing, or NULL. */
static const char *find_missing_key(const struct parser *parser)
{
    const struct lab *lab = parser->lab;

    if (!*lab->title)
        return "[lab] needs a title";
    if (!contract_check(&contract, contract_error))
        return contract_error;
    if (lab->seconds <= 0 || lab->memory == 0)
        return "[lab] needs time (seconds) and memory (MiB)";
    for (size_t i = 0; i < lab->tests; i++)
        if (!parser->has_points[i])
            return "[points] does not name every test of the suite";
    if (lab->modeled && lab->model_case)
        return "`modeled` shows the first case with a budget, which excludes "
               "`modeled on`";
    if (!*lab->question.ask != !*lab->question.reason)
        return "[question] needs ask, answer and why";
    return NULL;
}

/* Tests and timed runs come from the suite; the settings only add points and
 * hints. */
static void copy_test_names(struct lab *lab)
{
    const struct suite_test *tests = lab->suite->tests;
    const struct suite_test *speeds = lab->suite->speeds;

    for (; tests[lab->tests].name && lab->tests < LAB_MAX_TESTS; lab->tests++)
        snprintf(lab->test[lab->tests].name, sizeof lab->test->name, "%s",
                 tests[lab->tests].name);
    for (; speeds[lab->speeds].name && lab->speeds < LAB_MAX_SPEEDS;
         lab->speeds++)
        snprintf(lab->speed[lab->speeds].name, sizeof lab->speed->name, "%s",
                 speeds[lab->speeds].name);
    for (size_t i = 0; i < LAB_MAX_STEPS; i++)
        lab->ladder[i] = -1;
}

/* inih would split a longer line. */
enum { MAX_LINE = 198 };

/* @return the number of the first line that is too long, or 0 */
static int find_long_line(const char *path)
{
    size_t length;
    char *text = read_file(path, 1 << 20, &length), *at = text;
    int line = 1;

    while (at && strcspn(at, "\n") <= MAX_LINE) {
        at = strchr(at, '\n');
        if (at)
            at++;
        line++;
    }
    free(text);
    return at ? line : 0;
}

bool lab_read(const char *path, struct lab *lab, char *error)
{
    struct parser parser = {.lab = lab};
    int line;

    copy_test_names(lab);
    contract.functions = 0;
    line = find_long_line(path);
    if (line)
        snprintf(parser.error, sizeof parser.error,
                 "more than %d characters", MAX_LINE);
    else
        line = ini_parse(path, on_entry, &parser);
    if (line < 0)
        snprintf(error, LAB_ERROR_SIZE, "%s: %s", path, strerror(errno));
    else if (line > 0)
        snprintf(error, LAB_ERROR_SIZE, "%s:%d: %s", path, line,
                 *parser.error ? parser.error : "not `key = value`");
    else if (find_missing_key(&parser))
        snprintf(error, LAB_ERROR_SIZE, "%s: %s", path,
                 find_missing_key(&parser));
    else {
        strcpy(lab->thunk, contract.function[0].thunk);
        return true;
    }
    return false;
}
