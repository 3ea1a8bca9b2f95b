/* SPDX-License-Identifier: MIT */
/* Text for people: cut to fit, cleaned, wrapped. */
#include "text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "terminal.h"
#include "utf8.h"

enum { COLUMNS = 80, LEAST_COLUMNS = 30 };

char *text_format(char *text, size_t bytes, const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text, bytes, format, arguments);
    va_end(arguments);
    if (bytes > 0 && length >= 0 && (size_t)length >= bytes)
        utf8_trim(text);
    return text;
}

void make_printable(char *text)
{
    char *to = text;

    while (*text) {
        const size_t length = *text == '\n' ? 1 : utf8_printable(text);

        if (!strncmp(text, "\xe2\x80\x98", 3)
            || !strncmp(text, "\xe2\x80\x99", 3)) {
            *to++ = '\'';
            text += 3;
        } else {
            if (length)
                memmove(to, text, length);
            else
                *to = '?';
            to += length ? length : 1;
            text += length ? length : 1;
        }
    }
    *to = 0;
}

void text_join_lines(char *text)
{
    char *to = text;

    for (const char *at = text; *at; at++) {
        if (!isspace((unsigned char)*at))
            *to++ = *at;
        else if (to > text && to[-1] != ' ')
            *to++ = ' ';
    }
    if (to > text && to[-1] == ' ')
        to--;
    *to = 0;
}

int text_columns(FILE *out)
{
    const size_t columns = terminal_columns(out);

    return columns >= COLUMNS         ? COLUMNS
           : columns <= LEAST_COLUMNS ? LEAST_COLUMNS
                                      : (int)columns;
}

/* Wrap with the cursor at `column`, where the first word goes. */
static void wrap_from(FILE *out, int column, int indent, const char *text)
{
    const int limit = text_columns(out);
    bool is_behind_mark = column > 0;

    while (*text) {
        const int word = (int)strcspn(text, " \n");
        const int columns = utf8_columns(text, (size_t)word);

        if (column > 0 && !is_behind_mark && column + 1 + columns > limit) {
            fputc('\n', out);
            column = 0;
        }
        column += columns - word
                  + (column && !is_behind_mark
                         ? fprintf(out, " %.*s", word, text)
                         : fprintf(out, "%*s%.*s", is_behind_mark ? 0 : indent,
                                   "", word, text));
        is_behind_mark = false;
        text += word;
        if (*text == '\n' && column) {
            fputc('\n', out);
            column = 0;
        }
        text += *text != 0;
    }
    if (column)
        fputc('\n', out);
}

void text_wrap(FILE *out, int indent, const char *text)
{
    wrap_from(out, 0, indent, text);
}

void text_wrap_after(FILE *out, int indent, const char *text)
{
    wrap_from(out, indent, indent, text);
}

const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}
