/* SPDX-License-Identifier: MIT */
/* A text of more lines than the window has rows. */
#include "screens.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/base/terminal.h"

enum { OTHER_ROWS = 10, LEAST_ROWS = 5 };

size_t show_screen_of(const char *text, size_t *screen)
{
    const size_t rows = terminal_rows(stdout);
    size_t length = rows < OTHER_ROWS + LEAST_ROWS ? LEAST_ROWS
                                                   : rows - OTHER_ROWS;
    size_t count, lines = 0, line = 0;
    const char *end;

    for (const char *from = text; (from = strchr(from, '\n')) != NULL; from++)
        lines++;
    count = rows == SIZE_MAX || !lines ? 1 : (lines + length - 1) / length;
    length = (lines + count - 1) / count; /* no last one of a single line */
    *screen = *screen < count ? *screen : count;
    for (const char *from = text; (end = strchr(from, '\n')) != NULL;
         from = end + 1)
        if (line++ / length + 1 == *screen)
            printf("%.*s", (int)(end + 1 - from), from);
    return count;
}
