/* SPDX-License-Identifier: MIT */
/* A status line, erased by ECMA-48's EL. */
#include "status_line.h"

#include <stdbool.h>
#include <stdio.h>

#include "terminal.h"
#include "text.h"

static char line[512];
static bool is_shown;

static void draw(void)
{
    printf("%s%.*s%s", style(stdout, STYLE_DIM), /* in one row: erased */
           text_columns(stdout) - 1, line, style(stdout, STYLE_NONE));
    fflush(stdout);
}

void status_line_show(const char *text)
{
    if (!is_terminal(stdout))
        return;
    status_line_erase();
    text_format(line, sizeof line, "%s", text);
    is_shown = true;
    draw();
}

void status_line_erase(void)
{
    if (is_shown)
        printf("\r\033[K");
    is_shown = false;
}

void status_line_note(const char *sentence)
{
    const bool again = is_shown;

    status_line_erase();
    fflush(stdout);
    text_wrap(stderr, 0, sentence);
    is_shown = again;
    if (again)
        draw();
}
