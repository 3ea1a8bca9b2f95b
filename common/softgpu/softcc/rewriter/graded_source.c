/* SPDX-License-Identifier: MIT */
/* --graded: the text that the preprocessor reads.  graded.c checks what the
 * preprocessor writes, and its line markers say which of that is the program's.
 * So the program must not write markers itself (#line, # 1 "file"), nor be
 * entered a second time as another file (#include __FILE__), where #pragma GCC
 * system_header would make a system header of it. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/base/files.h"
#include "tokens.h"

enum { MAX_SOURCE_BYTES = 64 << 20 };

/* Join lines at a backslash, as the preprocessor does first; the line ends
 * follow at the end of the joined line.  @return the new length */
static size_t join_lines(char *text, size_t length)
{
    size_t to = 0, joined = 0;

    for (size_t from = 0; from < length; from++) {
        size_t end = from + 1;

        while (end < length && strchr(" \t\r", text[end]))
            end++;
        if (text[from] == '\\' && end < length && text[end] == '\n') {
            from = end;
            joined++;
            continue;
        }
        text[to++] = text[from];
        for (; text[from] == '\n' && joined; joined--)
            text[to++] = '\n';
    }
    return to;
}

/* Is this the word that makes a directive a line marker? */
static bool is_line(const struct token *t)
{
    return is(t, "line") || (t->length && isdigit((unsigned char)*t->text));
}

static void check_directives(struct unit *u, const char *input, char *text,
                             size_t length)
{
    struct lexer x = { text, text + join_lines(text, length), text, 1, true };
    struct token t;
    int hash = 0; /* line of a '#' that the last token was */

    while (lex(&x, &t)) {
        if (hash == t.line && is_line(&t)) {
            buffer_printf(&u->messages, "%s:%d:1: error: a `#line' directive "
                          "could hide text from the checks: a graded file has "
                          "none\n", input, t.line);
            u->error_count++;
        }
        if (t.first && is(&t, "%"))
            hash = -t.line; /* "%:" is another spelling */
        else
            hash = (t.first && is(&t, "#")) || (is(&t, ":") && hash == -t.line)
                       ? t.line : 0;
    }
}

/* May the program include this file? */
static bool is_refused(const char *name, const struct stat *input)
{
    char resolved[PATH_MAX];
    struct stat file;

    if (stat(name, &file))
        return false;
    if (file.st_dev == input->st_dev && file.st_ino == input->st_ino)
        return true;
    return !S_ISREG(file.st_mode) || !realpath(name, resolved)
           || !strncmp(resolved, "/proc/", 6) || !strncmp(resolved, "/dev/", 5);
}

/* Does the header declare instructions of the host's processor?  Their loads
 * and stores are not instrumented.  (Those of C++'s library may include it;
 * graded.c looks for the names.) */
static bool has_instructions(const char *name)
{
    static const char *const ends[] = { "intrin.h", "arm_neon.h", "arm_sve.h",
                                        "arm_acle.h" };
    const size_t length = strlen(name);

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t n = strlen(ends[i]);

        if (length >= n && !strcmp(name + length - n, ends[i]))
            return true;
    }
    return false;
}

/* A line marker (`# 1 "name" 1`).
 *  @param[out] name   PATH_MAX bytes
 *  @param[out] enter  it enters that file */
static bool read_marker(const char *line, size_t length, char *name,
                        bool *enter)
{
    char text[PATH_MAX];
    int flag = 0;

    if (*line != '#' || length >= sizeof text)
        return false;
    memcpy(text, line, length);
    text[length] = 0;
    if (sscanf(text, "# %*d \"%[^\"\n]\" %d", name, &flag) < 1)
        return false;
    *enter = flag == 1;
    return true;
}

/* What a file that is entered may not be; NULL: nothing. */
static const char *entered_rule(const char *name, const char *from,
                                const struct stat *own)
{
    if (has_instructions(name) && !has_instructions(from)
        && !strstr(from, "/c++/"))
        return "has no instructions of the host's processor, which no check "
               "sees";
    return is_refused(name, own) ? "includes neither itself nor a device"
                                 : NULL;
}

static void check_entered(struct unit *u, const char *text, size_t length,
                          const char *input)
{
    const char *end = text + length, *next;
    char name[PATH_MAX], from[PATH_MAX] = "";
    struct stat own;
    const bool has_own = !stat(input, &own);
    bool enter;

    for (const char *at = text; has_own && at < end; at = next) {
        const char *rule;

        next = memchr(at, '\n', (size_t)(end - at));
        next = next ? next + 1 : end;
        if (!read_marker(at, (size_t)(next - at), name, &enter))
            continue;
        rule = enter ? entered_rule(name, from, &own) : NULL;
        memcpy(from, name, sizeof from);
        if (!rule)
            continue;
        buffer_printf(&u->messages, "%s:1:1: error: the file includes `%s': a "
                      "graded file %s\n", input, name, rule);
        u->error_count++;
        return;
    }
}

void check_graded_source(struct unit *u, const char *input, const char *text,
                         size_t length)
{
    size_t bytes;
    char *source = read_file(input, MAX_SOURCE_BYTES, &bytes);

    if (source)
        check_directives(u, input, source, bytes);
    free(source);
    check_entered(u, text, length, input);
}
