/* SPDX-License-Identifier: MIT */
/* Advice about shared memory, atomics and constants. */
#include <stdio.h>

#include "advice_rules.h"

/* Per request. */
static double per_request(const struct access_row *row)
{
    return ratio((double)row->transactions, (double)row->requests);
}

/* One conflict in ten wavefronts comes from a tail or an odd row. */
static int has_conflicts(const struct advisor *a, const struct line_profile *l,
                         const struct access_row *row)
{
    (void)a, (void)l;
    return row->transactions - row->ideal > row->ideal / 10;
}

/* A column of a tile whose width is a power of two lies in few banks; padding
 * shifts each row by one bank.  Vector accesses must stay aligned, so their
 * padding is one vector. */
static void write_conflicts(const struct advisor *a,
                            const struct line_profile *l,
                            const struct access_row *row, char *text)
{
    struct lane_stride p = advice_lane_stride(a->k, l, row->kind);
    int64_t gap = p.stride < 0 ? -p.stride : p.stride;
    int n = snprintf(text, ADVICE_BYTES,
                     "a warp's %s takes %.1f wavefronts instead of %.1f (bank "
                     "conflicts), ",
                     row->what, per_request(row),
                     ratio((double)row->ideal, (double)row->requests));
    char *rest = text + n;
    size_t room = ADVICE_BYTES - (size_t)n;

    if (p.known && p.bytes > 4)
        snprintf(rest, room,
                 "as lanes of %u bytes share banks: pad each row by %u bytes, "
                 "or swizzle (column ^ row)", p.bytes,
                 p.bytes);
    else if (p.known && gap >= 128)
        snprintf(rest, room,
                 "as neighboring lanes are %d words apart and share a bank: "
                 "pad each row by one word (tile[32][32 + 1]), or swizzle "
                 "(column ^ row)",
                 (int)(gap / 4));
    else if (p.known && gap > 4)
        snprintf(rest, room,
                 "as neighboring lanes are %d words apart: let neighboring "
                 "lanes access neighboring words",
                 (int)(gap / 4));
    else
        snprintf(rest, room,
                 "as lanes access different words of one bank: pad the rows by "
                 "one word, or swizzle");
}

/* Two lanes at one address may be chance; more are a pattern. */
static int is_contended(const struct advisor *a, const struct line_profile *l,
                        const struct access_row *row)
{
    (void)a, (void)l;
    return row->transactions > 2 * row->requests;
}

/* Most atomics go to shared memory: the global ones merge copies of blocks. */
static int has_private_copies(const struct kernel_profile *k)
{
    return k->total.shared_atomic_requests
         > 2 * k->total.global_atomic_requests;
}

/* Nearly all lanes at one address: reduce within the warp first.  Fewer lanes:
 * privatize. */
static void write_contended(const struct advisor *a,
                            const struct line_profile *l,
                            const struct access_row *row, char *text)
{
    double lanes = per_request(row);
    const char *remedy;

    (void)l;
    if (row->kind == ACCESS_GLOBAL_ATOMIC && has_private_copies(a->k))
        remedy = "the copies of the blocks are added here; fewer blocks, each "
                 "with a loop over more of the input, add fewer of them";
    else if (lanes > 24)
        remedy = "reduce within the warp first (shuffles), and let one lane do "
               "the atomic";
    else if (row->kind == ACCESS_GLOBAL_ATOMIC)
        remedy = "accumulate in shared memory, one copy per block, and add it "
                 "to "
                 "global memory once at the end (privatization)";
    else
        remedy = "keep one copy per warp, and reduce the copies at the end "
               "(privatization)";
    snprintf(text, ADVICE_BYTES,
             "%.1f lanes of a warp have the same address in its %s and are "
             "serialized: %s",
             lanes, row->what, remedy);
}

/* Constant memory broadcasts one word per pass. */
static void write_constants(const struct advisor *a,
                            const struct line_profile *l,
                            const struct access_row *row, char *text)
{
    (void)a, (void)l;
    snprintf(text, ADVICE_BYTES,
             "the lanes of a warp load %.1f different words of constant "
             "memory, which are serialized: use an index that is the same for "
             "the whole warp, or shared or global memory",
             per_request(row));
}

/* The line with the most global atomics. */
static const struct line_profile *most_atomic_line(
    const struct kernel_profile *k)
{
    const struct line_profile *most = NULL;

    for (size_t i = 0; i < k->line_count; i++)
        if (k->lines[i].counters.global_atomic_requests
            && (!most
                || k->lines[i].counters.global_atomic_requests
                       > most->counters.global_atomic_requests))
            most = &k->lines[i];
    return most;
}

/* The lanes of a warp have different addresses, but all blocks add to the same
 * kilobyte: a histogram without private copies. */
static void advise_private_copies(struct advisor *a)
{
    const struct kernel_profile *k = a->k;
    const struct counters *c = &k->total;
    const uint64_t words = 256 * k->blocks_watched; /* of the copies */
    struct kernel_profile improved = *k;

    if (has_private_copies(k) || 2 * words > c->global_atomic_hottest
        || c->global_atomic_passes > 2 * c->global_atomic_requests
        || c->global_atomic_hottest < 16 * c->global_atomic_requests)
        return;
    improved.total.shared_atomic_requests += c->global_atomic_requests;
    improved.total.shared_atomic_passes += c->global_atomic_passes;
    improved.total.global_atomic_hottest = words;
    improved.total.global_atomic_requests = words / 32;
    improved.total.global_atomic_sectors = words / 8;
    improved.total.global_atomic_passes = words / 32;
    advice_add(a, most_atomic_line(k), advice_gain(a, &improved),
               "all blocks add to the same kilobyte of global memory: keep a "
               "copy per block in shared memory, and add it to global memory "
               "once at the end (privatization)");
}

/* Loads and stores of a tile have one remedy; atomics have another. */
void advise_shared(struct advisor *a)
{
    static const struct advice_rule rules[] = {
        {{ACCESS_SHARED_LOAD, ACCESS_SHARED_STORE}, has_conflicts,
         write_conflicts, 0},
        {{ACCESS_GLOBAL_ATOMIC, ACCESS_GLOBAL_ATOMIC}, is_contended,
         write_contended, 0},
        {{ACCESS_SHARED_ATOMIC, ACCESS_SHARED_ATOMIC}, is_contended,
         write_contended, 0},
        {{ACCESS_CONSTANT_LOAD, ACCESS_CONSTANT_LOAD}, is_contended,
         write_constants, 0},
    };

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        advice_apply_rule(a, &rules[i]);
    advise_private_copies(a);
}
