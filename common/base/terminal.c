/* SPDX-License-Identifier: MIT */
/* Capabilities of a terminal, from isatty(), TERM and NO_COLOR. */
#include "terminal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static FILE *imitation, *original; /* of terminal_imitate() */
static size_t imitated_columns;

void terminal_imitate(FILE *out, FILE *terminal, size_t columns)
{
    imitation = out;
    original = terminal;
    imitated_columns = columns;
}

static int descriptor(FILE *out)
{
    return fileno(out == imitation ? original : out);
}

bool is_terminal(FILE *out)
{
    const char *term = getenv("TERM");

    return isatty(descriptor(out)) && term && *term && strcmp(term, "dumb");
}

size_t terminal_columns(FILE *out)
{
    struct winsize size = {0};

    if (!isatty(descriptor(out)))
        return SIZE_MAX;
    if (out == imitation && imitated_columns)
        return imitated_columns;
    if (ioctl(descriptor(out), TIOCGWINSZ, &size) || !size.ws_col)
        return 80;
    return size.ws_col;
}

size_t terminal_rows(FILE *out)
{
    struct winsize size = {0};

    return !isatty(descriptor(out))
                   || ioctl(descriptor(out), TIOCGWINSZ, &size) || !size.ws_row
               ? SIZE_MAX
               : size.ws_row;
}

const char *style(FILE *out, enum style style)
{
    static const char *const sequence[STYLES] = {
        "\033[0m", "\033[1m", "\033[2m", "\033[31m", "\033[32m", "\033[33m"};
    const char *no_color = getenv("NO_COLOR");

    return is_terminal(out) && !(no_color && *no_color) ? sequence[style] : "";
}
