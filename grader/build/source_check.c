/* SPDX-License-Identifier: MIT */
/* Checking a submission before it is compiled: it must be a text file, and
 * must not name what only a dishonest one uses. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "build.h"
#include "common/base/failure.h"
#include "common/base/files.h"
#include "common/base/text.h"

enum { MAX_SOURCE_BYTES = 4 << 20 }; /* the message says 4 MiB */

static void reject(struct build_result *result, const char *format,
                   const char *what)
{
    result->verdict = REJECTED;
    text_format(result->message, MESSAGE_SIZE, format, what);
}

/* Join lines at a backslash, as a preprocessor does.  The line ends follow at
 * the end of the joined line: lines keep their numbers. */
static void join_lines(char *text)
{
    char *to = text;
    size_t joined = 0;

    for (const char *from = text; *from; from++) {
        size_t end = 1 + strspn(from + 1, " \t\r");

        if (*from == '\\' && from[end] == '\n') {
            from += end;
            joined++;
            continue;
        }
        *to++ = *from;
        for (; *from == '\n' && joined; joined--)
            *to++ = '\n';
    }
    *to = 0;
}

/* The end of a comment or a literal that begins at `at`; `at` if none does. */
static char *skip_text(char *at)
{
    char *end;

    if (at[0] == '/' && at[1] == '/')
        return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*')
        return (end = strstr(at + 2, "*/")) ? end + 2 : at + strlen(at);
    if (*at != '"' && *at != '\'')
        return at;
    for (end = at + 1; *end && *end != *at && *end != '\n'; end++)
        end += *end == '\\' && end[1];
    return *end == *at ? end + 1 : at; /* an apostrophe in a number */
}

/* Replace comments and literals by blanks: they may contain anything. */
static void blank_text(char *text)
{
    for (char *at = text; *at;) {
        char *end = skip_text(at);

        for (; at < end; at++)
            if (*at != '\n')
                *at = ' ';
        at += at == end && *at ? skip_text(at) == at : 0;
    }
}

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Names by which a program could find out that it runs on the soft device, or
 * that it is instrumented; programs for a card do not use them. */
static bool is_refused(const char *name, size_t length)
{
    static const char *const prefixes[] = {
        "SOFTGPU_", "softgpu", "__SANITIZE_THREAD__", "__tsan",
        "thread_sanitizer"};

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (length >= strlen(prefixes[i])
            && !strncmp(name, prefixes[i], strlen(prefixes[i])))
            return true;
    return false;
}

enum { MAX_MACROS = 64 };
/* Macros whose text has a refused name: using them is using it. */
struct macros {
    struct {
        const char *name;
        size_t length;
    } macro[MAX_MACROS];
    size_t count;
};

static bool is_macro(const struct macros *macros, const char *name,
                     size_t length)
{
    for (size_t i = 0; i < macros->count; i++)
        if (macros->macro[i].length == length
            && !memcmp(macros->macro[i].name, name, length))
            return true;
    return false;
}

/* The first refused name of a line, or NULL. */
static const char *find_refused(const struct macros *macros, const char *at,
                                const char *end, size_t *length)
{
    for (; at < end; at += *length) {
        for (*length = 0; is_name_character(at[*length]);)
            ++*length;
        if (*length && (is_refused(at, *length)
                        || is_macro(macros, at, *length)))
            return at;
        *length += !*length;
    }
    return NULL;
}

/* The name that a line defines as a macro, or NULL. */
static const char *defined_macro(const char *line, size_t *length)
{
    line += strspn(line, " \t");
    if (*line != '#' && strncmp(line, "%:", 2))
        return NULL;
    line += *line == '#' ? 1 : 2;
    line += strspn(line, " \t");
    if (strncmp(line, "define", 6) || !strchr(" \t", line[6]))
        return NULL;
    line += 6 + strspn(line + 6, " \t");
    for (*length = 0; is_name_character(line[*length]);)
        ++*length;
    return *length ? line : NULL;
}

/* Look at each line.  @return the refused name in one that is no definition,
 * or NULL; definitions that have one are added to `macros` */
static const char *scan_lines(const char *text, struct macros *macros,
                              size_t *length, int *number)
{
    *number = 0;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        const char *end, *macro, *name;
        size_t n = 0;

        line += *line == '\n';
        ++*number;
        end = line + strcspn(line, "\n");
        macro = defined_macro(line, &n);
        name = find_refused(macros, macro ? macro + n : line, end, length);
        if (name && !macro)
            return name;
        if (name && macros->count < MAX_MACROS && !is_macro(macros, macro, n)) {
            macros->macro[macros->count].name = macro;
            macros->macro[macros->count++].length = n;
        }
    }
    return NULL;
}

static bool mentions_softgpu(const char *text, struct build_result *result)
{
    struct macros macros = {.count = 0};
    const char *name = NULL;
    size_t length, before;
    int line;

    do {
        before = macros.count;
        name = scan_lines(text, &macros, &length, &line);
    } while (!name && macros.count > before);
    if (!name)
        return false;
    result->verdict = REJECTED;
    text_format(result->message, MESSAGE_SIZE,
                "line %d uses `%.*s', which no program for a card does: a "
                "submission must behave alike on every device",
                line, (int)(length < 80 ? length : 80), name);
    return true;
}

static bool is_cuda_file(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot && dot != name && !strcasecmp(dot, ".cu");
}

/* Finds a submission that was saved under another name: the only .cu file of
 * the folder. */
static bool find_other_cuda_file(const char *source, char *name, size_t bytes)
{
    char folder[PATH_MAX];
    struct dirent *entry;
    int found = 0;
    DIR *all;

    text_format(folder, sizeof folder, "%.*s",
                (int)(base_name(source) - source), source);
    all = opendir(*folder ? folder : ".");
    while (all && (entry = readdir(all)))
        if (is_cuda_file(entry->d_name) && ++found == 1)
            text_format(name, bytes, "%.100s", entry->d_name);
    if (found)
        make_printable(name); /* it may hold control characters */
    if (all)
        closedir(all);
    return found == 1;
}

/* Why the file cannot be read, and how to repair that. */
static void explain_missing(const char *source, struct build_result *result)
{
    const int reason = errno;
    char name[128];

    if (error_is_ours(reason))
        result->verdict = INTERNAL;
    if (reason == ENOENT && find_other_cuda_file(source, name, sizeof name))
        text_format(result->message, MESSAGE_SIZE, "%s: %s; \"%s\" is there: "
                    "rename it", source, strerror(reason), name);
    else
        text_format(result->message, MESSAGE_SIZE, "%s: %s", source,
                    reason == EINVAL ? "not a file" : strerror(reason));
}

bool check_source(const char *source, struct build_result *result)
{
    size_t length = 0;
    char *text = read_file(source, MAX_SOURCE_BYTES, &length);

    result->verdict = MISSING;
    if (!text && errno == EFBIG)
        reject(result, "%s is larger than 4 MiB", base_name(source));
    else if (!text)
        explain_missing(source, result);
    else if (strspn(text, " \t\r\n") == length)
        text_format(result->message, MESSAGE_SIZE, "%s is empty",
                    base_name(source));
    else if (strlen(text) != length) {
        result->verdict = REJECTED;
        text_format(result->message, MESSAGE_SIZE, "%s is not text",
                    base_name(source));
    } else {
        join_lines(text);
        blank_text(text);
        if (!mentions_softgpu(text, result))
            result->verdict = PASS;
        review_source(text, result->review);
    }
    free(text);
    return result->verdict == PASS;
}
