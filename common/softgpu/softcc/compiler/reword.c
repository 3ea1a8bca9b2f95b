/* SPDX-License-Identifier: MIT */
/* gcc: ‘constinit’ variable ‘v’ does not have a constant initializer
 * clang: variable does not have a constant initializer, with a note that names
 * the attribute. */
#define _GNU_SOURCE
#include "reword.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMPLAINT "does not have a constant initializer"
#define ATTRIBUTE "require_constant_initialization"
#define NVCCS                                                                  \
    "dynamic initialization is not supported for a __device__, __constant__ "  \
    "or __managed__ variable"

/* Is the line one of an excerpt: "   21 | text"? */
static bool is_excerpt(const char *line, size_t n)
{
    const size_t blank = strspn(line, " ");
    const size_t number = strspn(line + blank, "0123456789 ");
    return blank > 0 && blank + number < n && line[blank + number] == '|';
}

/* Where the text of an error begins, behind the sequences that color it. */
static size_t text_of_error(const char *line, size_t n)
{
    const char *at = memmem(line, n, "error: ", 7);
    size_t i = at ? (size_t)(at - line) + 7 : n;
    while (i < n && line[i] == '\033')
        i += strcspn(line + i, "mK") + 1;
    return i;
}

static void reword_line(FILE *out, const char *line, size_t n)
{
    const char *end = memmem(line, n, COMPLAINT, strlen(COMPLAINT));
    const size_t start = text_of_error(line, n);
    if (!end || start >= n) {
        fwrite(line, 1, n, out);
        return;
    }
    end += strlen(COMPLAINT);
    fwrite(line, 1, start, out);
    fputs(NVCCS, out);
    fwrite(end, 1, n - (size_t)(end - line), out);
}

void reword_initializers(struct buffer *messages)
{
    if (!messages->bytes || !strstr(messages->bytes, COMPLAINT))
        return;
    struct buffer result = { 0 };
    FILE *out = open_memstream(&result.bytes, &result.length);
    bool dropped = false;
    for (const char *p = messages->bytes; out && *p;) {
        const size_t length = strcspn(p, "\n"), n = length + (p[length] != 0);
        dropped = memmem(p, n, ATTRIBUTE, strlen(ATTRIBUTE))
                  || (dropped && is_excerpt(p, n));
        if (!dropped)
            reword_line(out, p, n);
        p += n;
    }
    if (!out || fclose(out) != 0)
        return;
    result.capacity = result.length + 1;
    free(messages->bytes);
    *messages = result;
}
