/* SPDX-License-Identifier: MIT */
/* Capabilities of a terminal, from isatty(), TERM and NO_COLOR. */
#include "terminal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool is_terminal(FILE *out)
{
    const char *term = getenv("TERM");

    return isatty(fileno(out)) && term && *term && strcmp(term, "dumb");
}

size_t terminal_columns(FILE *out)
{
    struct winsize size = {0};

    if (!isatty(fileno(out)))
        return SIZE_MAX;
    if (ioctl(fileno(out), TIOCGWINSZ, &size) || !size.ws_col)
        return 80;
    return size.ws_col;
}

const char *style(FILE *out, enum style style)
{
    static const char *const sequence[STYLES] = {
        "\033[0m", "\033[1m", "\033[2m", "\033[31m", "\033[32m", "\033[33m"};
    const char *no_color = getenv("NO_COLOR");

    return is_terminal(out) && !(no_color && *no_color) ? sequence[style] : "";
}
