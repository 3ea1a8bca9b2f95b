/* SPDX-License-Identifier: MIT */
/* Where a small change makes the tests pass, or how to find it. */
#include <stdio.h>
#include <string.h>

#include "common/base/paths.h"
#include "common/base/status_line.h"
#include "common/base/text.h"
#include "print.h"
#include "source_view.h"

void show_locating(size_t tried, size_t all)
{
    char text[96];

    status_line_show(text_format(text, sizeof text, "looking for the line: %zu "
                                 "of %zu changes tried ...", tried, all));
}

void show_located(const char *source, const struct located *located)
{
    char text[256];

    for (size_t i = 0; i < located->places; i++) {
        const struct located_place *place = &located->place[i];

        show_placed(source,
                    text_format(text, sizeof text, "%.120s:%d:%d: note: with "
                                "%s here, all tests pass", base_name(source),
                                place->line, place->column, place->words));
    }
}

/* The command has a line of its own, as a path may be longer than the window is
 * wide. */
void show_search(const struct task *task)
{
    char path[PATH_MAX], from[PATH_MAX + 8] = "";

    if (strcmp(task->source, root_path(path, "labs/%s/%s.cu", task->lab->stem,
                                       task->lab->name)) != 0)
        text_format(from, sizeof from, " --from %s",
                    path_from_here(task->source));
    printf("\n");
    text_wrap(stdout, 0, "No usual mistake fits. A search for the line:");
    printf("  build/warpbook locate %02d%s\n", task->lab->number, from);
}
