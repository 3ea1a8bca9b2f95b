/* SPDX-License-Identifier: MIT */
/* The macros of CUDA's headers, for clang's preprocessor, which cannot read a
 * precompiled header: without it the headers would be read again, half of the
 * time that a small file takes to preprocess.
 *
 * clang -E -dD prints the text of the headers with each #define and #undef,
 * between lines `# LINE "FILE" FLAGS` that say where they are.  The directives
 * are kept, each with its place, which messages name. */
#include <stdlib.h>
#include <string.h>

#include "pch.h"

/* Where the text of clang's output comes from. */
struct place {
    const char *file; /* "FILE" FLAGS */
    int length;       /* of that in characters */
    long line;
    bool built_in;    /* no file: defined again in each run */
};

/* A line such as `# 12 "math.h" 1 3 4`, which the next line's place is. */
static bool read_place(struct place *place, const char *line, int length)
{
    char *end;
    if (strncmp(line, "# ", 2) != 0)
        return false;
    const long number = strtol(line + 2, &end, 10);
    if (end[0] != ' ' || end[1] != '"')
        return false;
    place->line = number;
    place->file = end + 1;
    place->length = length - (int)(end + 1 - line);
    place->built_in = end[2] == '<';
    return true;
}

/* The flags 1 and 2, a file's begin and the return to a file, are left out. */
static void print_place(struct buffer *out, const struct place *place)
{
    const char *quote = memrchr(place->file, '"', (size_t)place->length);
    const int name = (int)(quote - place->file) + 1;
    const size_t flags = (size_t)(place->length - name);
    const bool is_system = memchr(quote + 1, '3', flags) != NULL;
    buffer_printf(out, "# %ld %.*s%s\n", place->line, name, place->file,
                  is_system ? " 3" : "");
}

void pch_keep_macros(struct buffer *out, const char *text)
{
    struct place place = { .built_in = true };
    bool is_next = false; /* is the line's place that after the last one? */
    for (const char *line = text, *end; *line; line = end + 1) {
        end = strchrnul(line, '\n');
        const int length = (int)(end - line);
        if (read_place(&place, line, length)) {
            is_next = false;
        } else {
            const bool kept = !place.built_in
                              && (strncmp(line, "#define ", 8) == 0
                                  || strncmp(line, "#undef ", 7) == 0);
            if (kept && !is_next)
                print_place(out, &place);
            if (kept)
                buffer_printf(out, "%.*s\n", length, line);
            is_next = kept;
            place.line++;
        }
        if (!*end)
            break;
    }
}
