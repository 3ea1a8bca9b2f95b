/* SPDX-License-Identifier: MIT */
/* Wrong elements at equal distances: some elements of each tile, a member of
 * each vector. */
#include "diagnose_pattern.h"

#include <stdio.h>

static bool is_wrong(const struct evidence *e, size_t i)
{
    return e->comparison->wrong_mask[i];
}

/* The first element from i on that is wrong, or right. */
static size_t next(const struct evidence *e, size_t i, bool wrong)
{
    while (i < evidence_count(e) && is_wrong(e, i) != wrong)
        i++;
    return i;
}

bool part_of_each(const struct evidence *e, char *text)
{
    enum { LEAST = 2, SHORTEST = 4 };
    const size_t count = evidence_count(e), first = e->comparison->first;
    const size_t length = next(e, first, false) - first;
    const size_t period = next(e, first + length, true) - first;
    size_t parts = 0;

    if (e->expected->size[1] || length < SHORTEST
        || first + LEAST * period > count)
        return false;
    for (size_t i = first; i < count; i++) {
        if (is_wrong(e, i) != ((i - first) % period < length))
            return false;
        parts += (i - first) % period == 0;
    }
    snprintf(text, DIAGNOSIS_SIZE, "%zu of each %zu elements, in %zu places "
             "from element %zu on", length, period, parts, first);
    return true;
}

/* The distance at which rows, or columns, with wrong elements follow each
 * other: a power of two from 2 to 32; 0: there is none. */
static size_t distance(const struct evidence *e, bool is_row)
{
    const size_t *size = e->expected->size, first = e->comparison->first;
    const size_t line = is_row ? first / size[1] : first % size[1];

    for (size_t step = 32; step >= 2; step /= 2) {
        size_t i = 0;

        while (i < evidence_count(e)
               && (!is_wrong(e, i)
                   || (is_row ? i / size[1] : i % size[1]) % step
                          == line % step))
            i++;
        if (i == evidence_count(e))
            return step;
    }
    return 0;
}

bool lattice(const struct evidence *e, char *text)
{
    enum { LEAST = 4 };
    const size_t *size = e->expected->size, first = e->comparison->first;
    size_t down, across, row, column;

    if (size[0] < 2 || size[1] < 2 || size[2]
        || !(down = distance(e, true)) || !(across = distance(e, false)))
        return false;
    row = first / size[1];
    column = first % size[1];
    if (row >= down || column >= across || size[0] < row + down + 1
        || size[1] < column + across + 1)
        return false;
    for (size_t i = 0; i < evidence_count(e); i++)
        if (!is_wrong(e, i) && i / size[1] % down == row
            && i % size[1] % across == column)
            return false;
    if (e->comparison->wrong < LEAST)
        return false;
    snprintf(text, DIAGNOSIS_SIZE, "all in rows %zu, %zu, ... and columns %zu, "
             "%zu, ...", row, row + down, column, column + across);
    return true;
}
