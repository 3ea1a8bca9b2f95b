/* SPDX-License-Identifier: MIT */
/* Reading the hints of a lab out of its README.md. */
#include "hints.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/files.h"
#include "common/base/paths.h"
#include "common/base/text.h"
#include "markdown.h"

enum { MAX_BYTES = 1 << 20 };

void hints_read(const char *stem, struct hints *hints)
{
    static const char head[] = "<details><summary>Hint ";
    char path[PATH_MAX], *at;
    size_t length;

    *hints = (struct hints){0};
    root_path(path, "labs/%s/README.md", stem);
    hints->text = at = read_file(path, MAX_BYTES, &length);
    while (at && (at = strstr(at, head)) && hints->count < HINTS_MAX) {
        char *from = strchr(at, '\n');
        char *end = from ? strstr(from, "</details>") : NULL;

        if (!end)
            return;
        *end = 0;
        hints->hint[hints->count++] = from + 1;
        markdown_make_plain(from + 1);
        text_join_lines(from + 1);
        at = end + 1;
    }
}

void hints_free(struct hints *hints)
{
    free(hints->text);
    *hints = (struct hints){0};
}
