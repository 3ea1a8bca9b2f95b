/* SPDX-License-Identifier: MIT */
/* A message of clang's is "FILE:LINE:COLUMN: KIND: TEXT", then lines of the
 * form "  LINE | SOURCE", each with one of marks below it.  Rewriting keeps
 * columns, so the marks are right below the line of the file, too. */
#include "excerpt.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"

enum { TAB = 8, EXCERPT_LINES = 32 };

/** The place that the last message named. */
struct place {
    char path[PATH_MAX];
    long line; /* 0: none yet */
};

void copy_plain(char *to, size_t room, const char *from, size_t n)
{
    size_t used = 0;
    for (size_t i = 0; i < n && used + 1 < room; i++)
        if (from[i] != '\033')
            to[used++] = from[i];
        else
            while (i < n && from[i] != 'm' && from[i] != 'K')
                i++;
    to[used] = 0;
}

/* "a.cu:7:24: error: ...": the first ":7:24: " of the line ends the path. */
static bool read_place(const char *text, struct place *place)
{
    for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ':')) {
        char *end;
        long line = strtol(at + 1, &end, 10);
        if (!isdigit((unsigned char)at[1]) || *end != ':'
            || !isdigit((unsigned char)end[1]))
            continue;
        end += 1 + strspn(end + 1, "0123456789");
        if (strncmp(end, ": ", 2) != 0 || at - text >= PATH_MAX)
            continue;
        snprintf(place->path, sizeof place->path, "%.*s", (int)(at - text),
                 text);
        place->line = line;
        return true;
    }
    return false;
}

/* "    7 | f<<<": the number of the line.  @return 0: not such a line */
static long excerpt_line(const char *text, const struct place *place)
{
    char *end;
    long line = strtol(text, &end, 10);
    return end > text && strncmp(end, " | ", 3) == 0 && line >= place->line
           && line < place->line + EXCERPT_LINES ? line : 0;
}

/* Line `line` of a text.  @return NULL: it has fewer */
static const char *find_line(const char *text, long line)
{
    while (text && --line > 0) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text;
}

/* Tabs become spaces, as clang writes them. */
static void write_source(FILE *out, const char *at)
{
    for (int column = 0; *at && *at != '\n' && *at != '\r'; at++) {
        const bool is_tab = *at == '\t';
        const int width = is_tab ? TAB - column % TAB : 1;
        fprintf(out, "%*c", width, is_tab ? ' ' : *at);
        column += width;
    }
}

/* @return false when the file's line cannot be shown: nothing was written */
static bool write_excerpt(FILE *out, const struct place *place, long line,
                          const char *message, size_t n)
{
    size_t length;
    char *text = line ? read_file(place->path, SIZE_MAX - 1, &length) : NULL;
    const char *source = find_line(text, line);
    if (source) {
        fprintf(out, "%5ld | ", line);
        write_source(out, source);
        fputs(memchr(message, '\033', n) ? "\033[0m\n" : "\n", out);
    }
    free(text);
    return source != NULL;
}

void write_messages(FILE *out, const struct buffer *messages)
{
    struct place place = { .line = 0 };
    char line[PATH_MAX + 256];
    for (const char *p = messages->bytes; p && *p;) {
        const size_t n = strcspn(p, "\n"), whole = n + (p[n] == '\n');
        copy_plain(line, sizeof line, p, n);
        const long shown = excerpt_line(line, &place);
        if (!write_excerpt(out, &place, shown, p, n)) {
            fwrite(p, 1, whole, out);
            read_place(line, &place);
        }
        p += whole;
    }
}
