/* SPDX-License-Identifier: MIT */
/* Advice about shared memory, atomics and constants. */
#include <stdio.h>

#include "advice_rules.h"

/* Of one request. */
static double each(const struct access_row *row)
{
    return ratio((double)row->moved, (double)row->requests);
}

/* One wavefront in ten is what a tail or an odd row makes. */
static int has_conflicts(const struct advisor *a, const struct line_profile *l,
                         const struct access_row *row)
{
    (void)a, (void)l;
    return row->moved - row->ideal > row->ideal / 10;
}

/* A column of a power-of-two row lies in few banks; padding moves each row on
 * by one.  Wide lanes must stay aligned, so they pad by a lane. */
static void say_conflicts(const struct advisor *a, const struct line_profile *l,
                          const struct access_row *row, char *text)
{
    struct lane_pattern p = advice_pattern(a->k, l, row->kind);
    int64_t gap = p.stride < 0 ? -p.stride : p.stride;
    int n = snprintf(text, ADVICE_BYTES, "a warp's %s takes %.1f wavefronts "
                     "where %.1f would do, ", row->what, each(row),
                     ratio((double)row->ideal, (double)row->requests));
    char *rest = text + n;
    size_t room = ADVICE_BYTES - (size_t)n;

    if (p.known && p.bytes > 4)
        snprintf(rest, room, "as its lanes of %u bytes meet in the same banks: "
                 "pad each row by %u bytes, or swizzle (column ^ row)", p.bytes,
                 p.bytes);
    else if (p.known && gap >= 128)
        snprintf(rest, room, "as neighbouring lanes are %d words apart and "
                 "share a bank: pad each row by one word (tile[32][32 + 1]), or "
                 "swizzle (column ^ row)", (int)(gap / 4));
    else if (p.known && gap > 4)
        snprintf(rest, room, "as neighbouring lanes are %d words apart: let "
                 "neighbours use neighbouring words", (int)(gap / 4));
    else
        snprintf(rest, room, "as different words of one bank are wanted "
                 "together: pad the rows by one word, or swizzle");
}

/* Two lanes at one address are chance; more are a habit. */
static int is_contended(const struct advisor *a, const struct line_profile *l,
                        const struct access_row *row)
{
    (void)a, (void)l;
    return row->moved > 2 * row->requests;
}

/* Nearly all lanes at one address: they can add up among themselves.  Fewer:
 * they need places of their own. */
static void say_contended(const struct advisor *a, const struct line_profile *l,
                          const struct access_row *row, char *text)
{
    double lanes = each(row);
    const char *cure;

    (void)a, (void)l;
    if (lanes > 24)
        cure = "add up within the warp first (shuffles), and let one lane do "
               "the atomic";
    else if (row->kind == ACCESS_GLOBAL_ATOMIC)
        cure = "collect in shared memory, one copy a block, and add that to "
               "global memory once at the end";
    else
        cure = "keep several copies, one for each warp, and add them up at the "
               "end";
    snprintf(text, ADVICE_BYTES, "%.1f lanes of a warp meet at one address in "
             "its %s and wait for each other: %s", lanes, row->what, cure);
}

/* Constant memory broadcasts one word at a time. */
static void say_constants(const struct advisor *a, const struct line_profile *l,
                          const struct access_row *row, char *text)
{
    (void)a, (void)l;
    snprintf(text, ADVICE_BYTES, "the lanes of a warp read %.1f different words "
             "of constant memory, one after the other: index it by what is the "
             "same for the warp, or use shared or global memory", each(row));
}

/* Loads and stores of a tile are cured together, atomics apart. */
void advise_shared(struct advisor *a)
{
    static const struct row_rule rules[] = {
        {{ACCESS_SHARED_LOAD, ACCESS_SHARED_STORE}, has_conflicts,
         say_conflicts, 0},
        {{ACCESS_GLOBAL_ATOMIC, ACCESS_GLOBAL_ATOMIC}, is_contended,
         say_contended, 0},
        {{ACCESS_SHARED_ATOMIC, ACCESS_SHARED_ATOMIC}, is_contended,
         say_contended, 0},
        {{ACCESS_CONSTANT_LOAD, ACCESS_CONSTANT_LOAD}, is_contended,
         say_constants, 0},
    };

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        advice_rows(a, &rules[i]);
}
