/* SPDX-License-Identifier: MIT */
/* What was printed, kept for windows of other widths: text_wrap() ends lines
 * where the window ended then. */
#include "kept_text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/base/files.h"
#include "common/base/terminal.h"
#include "common/base/text.h"
#include "screens.h"

enum { NAME = PATH_MAX + 16, MOST_BYTES = 1 << 22 };

/* Each is at most an eighth narrower than the next; text is never wider than
 * 80. */
static const int widths[] = {80, 74, 68, 62, 57, 52, 48, 44, 40, 36, 33, 30};
enum { WIDTHS = sizeof widths / sizeof *widths };

static const char *file_name(char name[NAME], const char *prefix, int width)
{
    return text_format(name, NAME, "%s.%d", prefix, width);
}

static bool write_one(const char *prefix, int width,
                      void (*print)(const void *data), const void *data)
{
    FILE *const terminal = stdout;
    char name[NAME], *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    bool ok;

    if (!out)
        return false;
    terminal_imitate(out, terminal, (size_t)width);
    stdout = out;
    print(data);
    stdout = terminal;
    terminal_imitate(NULL, NULL, 0);
    ok = fclose(out) == 0
         && write_file(file_name(name, prefix, width), text, length);
    free(text);
    return ok;
}

bool kept_text_write(const char *prefix, void (*print)(const void *data),
                     const void *data)
{
    bool ok = true;

    fflush(stdout);
    for (int i = 0; i < WIDTHS && ok; i++)
        ok = write_one(prefix, widths[i], print, data);
    return ok;
}

bool kept_text_exists(const char *prefix)
{
    char name[NAME];

    return access(file_name(name, prefix, widths[WIDTHS - 1]), F_OK) == 0;
}

/* The widest of these texts that fits into the window.
 * @return malloced; NULL when there is none */
static char *fitting_text(const char *prefix)
{
    char name[NAME];
    size_t length;
    int i = 0;

    while (i < WIDTHS - 1 && widths[i] > text_columns(stdout))
        i++;
    return read_file(file_name(name, prefix, widths[i]), MOST_BYTES, &length);
}

bool kept_text_show(const char *prefix)
{
    char *text = fitting_text(prefix);

    if (!text)
        return false;
    fputs(text, stdout);
    free(text);
    return true;
}

size_t kept_text_show_screen(const char *prefix, size_t *screen)
{
    char *text = fitting_text(prefix);
    size_t count;

    if (!text)
        return 0;
    count = show_screen_of(text, screen);
    free(text);
    return count;
}

void kept_text_remove(const char *prefix)
{
    char name[NAME];

    for (int i = 0; i < WIDTHS; i++)
        unlink(file_name(name, prefix, widths[i]));
}
