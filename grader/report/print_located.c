/* SPDX-License-Identifier: MIT */
/* Where a small change makes the tests pass. */
#include <stdio.h>

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
