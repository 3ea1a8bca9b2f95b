/* SPDX-License-Identifier: MIT */
/* Output of programs, a small wrong case, and the question. */
#include <stdio.h>
#include <string.h>

#include "common/base/terminal.h"
#include "common/base/text.h"
#include "print.h"

void show_printed(const char *who, const char *printed, int lines)
{
    const char *at = printed + strlen(printed);

    if (!*printed)
        return;
    while (at > printed && at[-1] == '\n')
        at--;
    while (at > printed && (at[-1] != '\n' || --lines > 0))
        at--;
    printf("\n  %s printed:\n", who);
    text_wrap(stdout, 4, at);
}

/* Prints up to `most` lines of the program, with the lines that name the case:
 * those are indented less.  @return lines of the program printed */
static unsigned show_lines(const struct outcome *outcome, unsigned most)
{
    unsigned lines = 0;

    for (const char *at = outcome->output; *at;) {
        const size_t length = strcspn(at, "\n") + 1;

        if (lines == most)
            break;
        lines += strncmp(at, "      ", 6) == 0;
        fwrite(at, 1, length, stdout);
        at += length;
    }
    return lines;
}

void show_output(const struct task *task, const struct report *report,
                 bool verbose)
{
    unsigned most = verbose ? PRINTED_LINES * LAB_MAX_TESTS : PRINTED_LINES;
    unsigned left_out = 0;
    bool any = false;

    for (size_t i = 0; i < task->lab->tests; i++) {
        const struct outcome *outcome = &report->test[i];
        unsigned shown = 0;

        if (!outcome->output_lines)
            continue;
        if (!any)
            printf("\nYour program printed\n");
        any = true;
        if (most) {
            printf("  %s\n", task->lab->test[i].name);
            shown = show_lines(outcome, most);
        }
        most -= shown;
        left_out += outcome->output_lines - shown + outcome->output_left_out;
    }
    if (left_out)
        printf("  and %u more lines\n", left_out);
}

void show_warnings(const struct report *report)
{
    if (!*report->warnings)
        return;
    printf("\nThe compiler warns\n");
    text_wrap(stdout, 2, report->warnings);
}

static int widest_line(const char *text)
{
    size_t most = 0;

    for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
        if (strcspn(text, "\n") > most)
            most = strcspn(text, "\n");
    return (int)most;
}

/* The drawing of a small case that the window has room for. */
static const char *values_that_fit(const struct outcome *outcome)
{
    const int room = text_columns(stdout) - 2;
    const char *narrow = outcome->narrow_values;

    if (widest_line(outcome->values) <= room)
        return outcome->values;
    return *narrow && widest_line(narrow) <= room
               ? narrow
               : "(drawn in a window of 80 columns)\n";
}

void show_values(const struct task *task, const struct report *report,
                        const struct outcome *shown)
{
    const char *values = values_that_fit(shown);

    for (size_t i = 0; !*values && i < task->lab->tests; i++) {
        char line[MESSAGE_SIZE];

        values = values_that_fit(&report->test[i]);
        if (!*values)
            continue;
        text_format(line, sizeof line, "%.40s: %.900s",
                    task->lab->test[i].name, report->test[i].message);
        printf("\n");
        text_wrap(stdout, 2, line);
    }
    if (*values)
        printf("\n  ");
    for (; *values; values++) {
        if (*values == '*')
            printf("%s*%s", style(stdout, STYLE_RED),
                   style(stdout, STYLE_NONE));
        else
            printf(*values == '\n' && values[1] && values[1] != '\n' ? "\n  "
                   : "%c", *values);
    }
}

void show_question(const struct lab *lab, const struct report *report)
{
    char text[80];

    if (report->verdict != PASS || !*lab->question.ask)
        return;
    printf("\nQuestion\n");
    text_wrap(stdout, 2, lab->question.ask);
    text_wrap(stdout, 2, text_format(text, sizeof text, "Answer with: "
              "build/warpbook answer %02d NUMBER", lab->number));
}
