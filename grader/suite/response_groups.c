/* SPDX-License-Identifier: MIT */
/* The terms of a sum that a last, incomplete tile or vector has. */
#include "response_rules.h"

/* The power of 2 of whose groups the terms are the last, incomplete one; 0:
 * none, or where it must be `single` several. */
static size_t last_group(size_t from, size_t count, size_t least, bool single)
{
    size_t found = 0;

    for (size_t group = least; group <= 1024 && group <= from; group *= 2) {
        if (from % group || from + group <= count)
            continue;
        if (found && single)
            return 0;
        found = group;
    }
    return found;
}

void rules_append_last_tile(char *text, const struct rules *r, size_t from)
{
    if (last_group(from, r->sum->count, 8, false))
        rules_append(text, ", where a last, incomplete tile or vector begins: "
                     "is their number rounded down, or is the last one left "
                     "out?");
}

void rules_append_last_group(char *text, const struct rules *r, size_t from)
{
    const size_t all = r->response->length[0];
    const size_t group = last_group(from, all, 2, true);

    if (group && evidence_count(r->evidence) == all
        && r->evidence->comparison->first >= from)
        rules_append(text, ", those of the last, incomplete group of %zu: does "
                     "a thread load all of a group or nothing? Each element "
                     "needs a check of its own.", group);
}
