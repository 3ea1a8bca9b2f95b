/* SPDX-License-Identifier: MIT */
/* The lines of a kernel's profile are added when code of them is counted. */
#include "kernel_lines.h"

#include <stdlib.h>
#include <string.h>

/* The line's entry in a kernel's profile, added if it is new; NULL without
 * memory. */
static struct line_profile *find_or_add_line(struct kernel_profile *k,
                                             const char *file, int line)
{
    struct line_profile *more;
    size_t i = 0;

    while (i < k->line_count
           && (k->lines[i].line != line || strcmp(k->lines[i].file, file)))
        i++;
    if (i < k->line_count)
        return &k->lines[i];
    more = realloc(k->lines, (i + 1) * sizeof *more);
    if (!more)
        return NULL;
    k->lines = more;
    memset(&more[i], 0, sizeof *more);
    more[i].file = strdup(file);
    more[i].line = line;
    k->line_count += more[i].file != NULL;
    return more[i].file ? &more[i] : NULL;
}

struct line_profile *line_of_source(struct kernel_profile *k,
                                    const struct source_line *source)
{
    if (!source->line)
        return find_or_add_line(k, k->file, k->line);
    return find_or_add_line(k, source->file, source->line);
}

int is_launch_setup(const struct source_line *source)
{
    return strcmp(source->header, "softgpu/shared.h") == 0
           || strcmp(source->header, "softgpu/launch.h") == 0;
}
