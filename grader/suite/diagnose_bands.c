/* SPDX-License-Identifier: MIT */
/* Rows and columns of a matrix that have all wrong elements: those of a tile, of
 * a warp, of a thread's share or of a member of a vector. */
#include "diagnose_bands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 3, /* lines with wrong elements, and without */
       MANY = 8 }; /* lines: of fewer any pattern is chance */

/** Rows or columns. */
struct lines {
    const char *name;
    const bool *has; /**< has it a wrong element? */
    size_t count, wrong, first, last;
};

static struct lines lines_of(const struct evidence *e, bool is_row, bool *has)
{
    const size_t columns = e->expected->size[1];
    struct lines l = {.name = is_row ? "row" : "column", .has = has,
                      .count = e->expected->size[!is_row]};

    memset(has, 0, l.count * sizeof *has);
    for (size_t i = 0; i < evidence_count(e); i++)
        if (e->comparison->wrong_mask[i])
            has[is_row ? i / columns : i % columns] = true;
    l.first = l.count;
    for (size_t i = 0; i < l.count; i++)
        if (has[i]) {
            l.first = l.first < l.count ? l.first : i;
            l.last = i;
            l.wrong++;
        }
    return l;
}

/* One run of lines: half of them at most, or one that ends where a tile may. */
static bool name_run(const struct lines *l, char *text, size_t room)
{
    enum { TILE = 8 };
    const bool is_end = l->last + 1 == l->count;

    if (l->wrong != l->last - l->first + 1
        || (2 * l->wrong > l->count && (l->first % TILE || !is_end)
            && ((l->last + 1) % TILE || l->first > 0)))
        return false;
    if (l->wrong == 1)
        snprintf(text, room, "%s %zu", l->name, l->first);
    else if (is_end)
        snprintf(text, room, "%ss from %zu on", l->name, l->first);
    else
        snprintf(text, room, "%ss %zu to %zu", l->name, l->first, l->last);
    return true;
}

/* Are exactly the lines wrong that are at `from` to `to` in each period? */
static bool is_periodic(const struct lines *l, size_t period, size_t from,
                        size_t to)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->has[i] != (i % period >= from && i % period <= to))
            return false;
    return true;
}

/* The same lines of each tile, of two at least. */
static bool name_periodic(const struct lines *l, char *text, size_t room)
{
    enum { MOST = 128 };

    for (size_t period = 2; period <= MOST && l->first + period < l->count;
         period += period < 4 ? 1 : period) {
        const size_t from = l->first;
        size_t to = from;

        while (to + 1 < period && l->has[to + 1])
            to++;
        if (from >= period || !is_periodic(l, period, from, to))
            continue;
        if (from == to)
            snprintf(text, room, "%ss %zu, %zu, ... (each %zu)", l->name, from,
                     from + period, period);
        else
            snprintf(text, room, "%ss %zu to %zu of each %zu", l->name, from,
                     to, period);
        return true;
    }
    return false;
}

/* Which lines; false: all of them, or no pattern. */
static bool name_lines(const struct lines *l, char *text, size_t room)
{
    return l->count >= MANY && l->count >= l->wrong + LEAST
           && (name_run(l, text, room)
               || (l->wrong >= LEAST && name_periodic(l, text, room)));
}

bool some_rows_or_columns(const struct evidence *e, char *text)
{
    const size_t *size = e->expected->size;
    char rows[96] = "", columns[96] = "";
    bool *has;

    if (!size[1] || size[2] || e->comparison->wrong < LEAST)
        return false;
    has = malloc((size[0] + size[1]) * sizeof *has);
    if (has) {
        struct lines l = lines_of(e, true, has);

        name_lines(&l, rows, sizeof rows);
        l = lines_of(e, false, has);
        name_lines(&l, columns, sizeof columns);
    }
    free(has);
    if (!*rows && !*columns)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "all in %s%s%s", rows,
             *rows && *columns ? " and " : "", columns);
    return true;
}
