/* SPDX-License-Identifier: MIT */
/* The compiler's warnings about the submission's own lines. */
#define _GNU_SOURCE /* strcasestr */
#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "common/base/files.h"
#include "common/base/text.h"

/* Warnings about style, and about what an unfinished file has not used yet,
 * are left out: those that remain are defects far more often than not. */
void add_warning_options(struct command *command)
{
    static const char *const options[] = {
        "-Wall", "-Wextra", "-Wno-unused-parameter", "-Wno-unused-variable",
        "-Wno-unused-but-set-variable", "-Wno-unused-but-set-parameter",
        "-Wno-unused-function", "-Wno-unknown-pragmas", "-Wno-sign-compare",
        "-Wno-missing-field-initializers", "-Wno-comment",
        "-Wno-ignored-qualifiers", "-Wno-unused-const-variable",
        "-Wno-enum-compare",
        "-fno-diagnostics-show-caret"};

    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        command_add(command, options[i]);
}

/* Of those without an option of their own, which are about style: an `enum` and
 * an int in one conditional expression. */
static bool is_style(const char *line)
{
    static const char option[] = "[-Wextra]";
    const size_t length = strcspn(line, "\n"), tail = sizeof option - 1;

    return length > tail && !strncmp(line + length - tail, option, tail);
}

/* "DIR/name.cu:12:7: warning: text" of this file: returns "12:7: ...". */
static const char *warned_line(const char *line, const char *file)
{
    const size_t length = strlen(file), end = strcspn(line, " \n");
    const char *at = line, *warning;

    for (const char *c = line; c < line + end; c++)
        if (*c == '/')
            at = c + 1;
    if (strncmp(at, file, length) || at[length] != ':')
        return NULL;
    warning = at + strcspn(at, " \n");
    return !strncmp(warning, " warning: ", 10) ? at + length + 1 : NULL;
}

/* Has `text` a line about the same line of the source? */
static bool is_known(const char *text, const char *file, const char *line)
{
    char start[128];

    text_format(start, sizeof start, "%s:%.*s:", file,
                (int)strcspn(line, ":"), line);
    return strstr(text, start) != NULL;
}

/* A case that goes on in the next one, with a comment that says so: the
 * compiler gets the source without comments.
 * source: its path */
static bool is_meant_to_fall(const char *source, const char *line)
{
    enum { MOST_BYTES = 1 << 20 };
    static const char option[] = "[-Wimplicit-fallthrough";
    const char *told = strstr(line, option);
    long number = strtol(line, NULL, 10);
    size_t bytes;
    char *text, *at, *end, *other, *comment;
    bool found;

    if (!told || told > line + strcspn(line, "\n"))
        return false;
    text = at = read_file(source, MOST_BYTES, &bytes);
    while (at && --number > 0)
        at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    end = at ? strstr(at, "case ") : NULL;
    other = at ? strstr(at, "default") : NULL;
    comment = at ? strcasestr(at, "fall") : NULL;
    found = comment && (end || other) && (!end || comment < end)
            && (!other || comment < other);
    free(text);
    return found;
}

void collect_warnings(const char *source, const char *log, char *text,
                      size_t bytes)
{
    static const char word[] = " warning: ";
    const char *file = base_name(source);
    char *copy = strdup(log);
    unsigned count = 0;

    *text = 0;
    if (!copy)
        return;
    make_printable(copy);
    for (const char *at = copy; *at && count < MAX_WARNINGS;) {
        const char *line = warned_line(at, file), *words;
        const size_t used = strlen(text);

        at += strcspn(at, "\n");
        at += *at == '\n';
        if (!line || is_style(line) || is_known(text, file, line)
            || is_meant_to_fall(source, line))
            continue;
        words = strstr(line, word);
        text_format(text + used, bytes - used, "%s:%.*s %.*s\n", file,
                    (int)(words - line), line,
                    (int)strcspn(words + sizeof word - 1, "\n"),
                    words + sizeof word - 1);
        count++;
    }
    free(copy);
}
