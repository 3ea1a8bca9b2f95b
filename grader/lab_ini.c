/* SPDX-License-Identifier: MIT */
/* Reading lab.ini, strictly: what it does not say, or says of something that
 * is not there, is an error in one line. */
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "house.h"
#include "lab_ini.h"
#include "text.h"

int ini_complain(struct reading *reading, const char *format,
                    const char *what)
{
    if (!*reading->wrong) /* inih goes on; the first one counts */
        snprintf(reading->wrong, sizeof reading->wrong, format, what);
    return 0;
}

bool ini_number(const char *text, double *value, char **end)
{
    *value = strtod(text, end);
    return *end != text && *value >= 0 && *value < 1e9;
}

int ini_put_number(struct reading *reading, const char *value, double *to)
{
    char *end;

    if (!ini_number(value, to, &end) || *end)
        return ini_complain(reading, "\"%.40s\" is not a number", value);
    return 1;
}

int ini_put_text(struct reading *reading, const char *value, char *to,
                    size_t bytes)
{
    if (strlen(value) >= bytes)
        return ini_complain(reading, "\"%.40s...\" is too long", value);
    strcpy(to, value);
    return 1;
}

static int read_lab(struct reading *reading, const char *name,
                    const char *value)
{
    struct lab *lab = reading->lab;
    double mebibytes;

    if (!strcmp(name, "title"))
        return ini_put_text(reading, value, lab->title, sizeof lab->title);
    if (!strcmp(name, "function"))
        return ini_put_text(reading, value, lab->function,
                            sizeof lab->function);
    if (!strcmp(name, "prototype"))
        return ini_put_text(reading, value, lab->prototype,
                        sizeof lab->prototype);
    if (!strcmp(name, "baseline"))
        return ini_put_text(reading, value, lab->baseline,
                            sizeof lab->baseline);
    if (!strcmp(name, "reference"))
        return ini_put_text(reading, value, lab->reference,
                        sizeof lab->reference);
    if (!strcmp(name, "libraries"))
        return ini_put_text(reading, value, lab->libraries,
                            sizeof lab->libraries);
    if (!strcmp(name, "with"))
        return ini_put_text(reading, value, lab->with, sizeof lab->with);
    if (!strcmp(name, "handout"))
        return ini_put_text(reading, value, lab->handout,
                            sizeof lab->handout);
    if (!strcmp(name, "modelled")) {
        lab->modelled = !strcmp(value, "yes");
        return lab->modelled || !strcmp(value, "no")
               || ini_complain(reading, "\"%.40s\" is neither yes nor no",
                               value);
    }
    if (!strcmp(name, "modelled on"))
        return ini_apart(reading, value);
    if (!strcmp(name, "time"))
        return ini_put_number(reading, value, &lab->seconds);
    if (!strcmp(name, "memory") || !strcmp(name, "memory gpu")) {
        if (!ini_put_number(reading, value, &mebibytes))
            return 0;
        *(name[6] ? &lab->memory_gpu : &lab->memory) = (size_t)mebibytes << 20;
        return 1;
    }
    return ini_complain(reading, "[lab] has no key \"%.40s\"", name);
}

int ini_find(const struct suite_test *tests, const char *name)
{
    for (int i = 0; tests[i].name; i++)
        if (!strcmp(tests[i].name, name))
            return i;
    return -1;
}

static int read_test(struct reading *reading, const char *section,
                     const char *name, const char *value)
{
    int index = ini_find(reading->lab->suite->tests, name);
    struct lab_test *test;

    if (index < 0)
        return ini_complain(reading, "the suite has no test \"%.40s\"", name);
    test = &reading->lab->test[index];
    if (!strcmp(section, "hints"))
        return ini_put_text(reading, value, test->hint, sizeof test->hint);
    reading->pointed[index] = true;
    return ini_put_number(reading, value, &test->points);
}

static int read_speed(struct reading *reading, int device, const char *name,
                      const char *value)
{
    int index = ini_find(reading->lab->suite->speeds, name);
    struct lab_speed *speed;
    char *end;

    if (index < 0)
        return ini_complain(reading, "the suite has no timed run \"%.40s\"",
                            name);
    speed = &reading->lab->speed[index];
    if (!ini_number(value, &speed->target[device], &end)
        || !ini_number(end, &speed->points[device], &end) || *end
        || speed->target[device] <= 1)
        return ini_complain(reading, "\"%.40s\" should be a ratio above 1 and "
                                 "points", value);
    return 1;
}

static int on_entry(void *user, const char *section, const char *name,
                    const char *value)
{
    struct reading *reading = user;

    if (!strcmp(section, "lab"))
        return read_lab(reading, name, value);
    if (!strcmp(section, "points") || !strcmp(section, "hints"))
        return read_test(reading, section, name, value);
    if (!strcmp(section, "speed gpu") || !strcmp(section, "speed soft"))
        return read_speed(reading, !strcmp(section, "speed soft"), name,
                          value);
    if (!strcmp(section, "checks"))
        return ini_checks(reading, name, value);
    if (!strcmp(section, "cost hints"))
        return ini_cost_hint(reading, name, value);
    if (!strncmp(section, "cost ", 5))
        return ini_cost(reading, section + 5, name, value);
    if (!strcmp(section, "ladder"))
        return ini_ladder(reading, name, value);
    if (!strcmp(section, "slower"))
        return ini_slower(reading, name, value);
    if (!strcmp(section, "question"))
        return ini_question(reading, name, value);
    if (!strcmp(section, "passed") && !strcmp(name, "next"))
        return ini_put_text(reading, value, reading->lab->next,
                        sizeof reading->lab->next);
    return ini_complain(reading, "unknown section [%.40s]", section);
}

/* What must be there and is not, or NULL. */
static const char *missing(const struct reading *reading)
{
    const struct lab *lab = reading->lab;

    if (!*lab->title || !*lab->function || !*lab->prototype)
        return "[lab] needs title, function and prototype";
    if (lab->seconds <= 0 || lab->memory == 0)
        return "[lab] needs time (seconds) and memory (MiB)";
    for (size_t i = 0; i < lab->tests; i++)
        if (!reading->pointed[i])
            return "[points] does not name every test of the suite";
    if (lab->modelled && lab->apart)
        return "`modelled` shows the first case with a budget, so nothing can be "
               "`modelled on` another";
    if (!*lab->question.ask != !*lab->question.why)
        return "[question] needs ask, answer and why";
    return NULL;
}

static void take_names(struct lab *lab)
{
    const struct suite_test *tests = lab->suite->tests;
    const struct suite_test *speeds = lab->suite->speeds;

    for (; tests[lab->tests].name && lab->tests < LAB_TESTS; lab->tests++)
        snprintf(lab->test[lab->tests].name, sizeof lab->test->name, "%s",
                 tests[lab->tests].name);
    for (; speeds[lab->speeds].name && lab->speeds < LAB_SPEEDS;
         lab->speeds++)
        snprintf(lab->speed[lab->speeds].name, sizeof lab->speed->name, "%s",
                 speeds[lab->speeds].name);
    for (size_t i = 0; i < LAB_STEPS; i++)
        lab->ladder[i] = -1;
}

/* What is longer than inih's buffer it would take for two lines. */
enum { LINE_MOST = 198 };

/* @return the number of the first line that is too long, or 0 */
static int long_line(const char *path)
{
    size_t length;
    char *text = read_whole(path, 1 << 20, &length), *at = text;
    int line = 1;

    while (at && strcspn(at, "\n") <= LINE_MOST) {
        at = strchr(at, '\n');
        at += at != NULL;
        line++;
    }
    free(text);
    return at ? line : 0;
}

bool lab_read(const char *path, struct lab *lab, char *error)
{
    struct reading reading = {.lab = lab};
    int line;

    take_names(lab);
    line = long_line(path);
    if (line)
        snprintf(reading.wrong, sizeof reading.wrong,
                 "more than %d characters", LINE_MOST);
    else
        line = ini_parse(path, on_entry, &reading);
    if (line < 0)
        snprintf(error, LAB_ERROR, "%s: %s", path, strerror(errno));
    else if (line > 0)
        snprintf(error, LAB_ERROR, "%s:%d: %s", path, line,
                 *reading.wrong ? reading.wrong : "not `key = value`");
    else if (missing(&reading))
        snprintf(error, LAB_ERROR, "%s: %s", path, missing(&reading));
    else
        return true;
    return false;
}
