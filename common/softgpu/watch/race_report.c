/* SPDX-License-Identifier: MIT */
/* The finding for a race: its kind, its two lines, its text. */
#include "race_report.h"

#include <string.h>

#include "common/softgpu/core/code_range.h"
#include "common/softgpu/core/source_line.h"
#include "block_order.h"
#include "happens_before.h"

uintptr_t race_full_pc(uint32_t pc)
{
    uintptr_t base = softgpu_image_begin();

    return base + (uint32_t)(pc - (uint32_t)base);
}

static enum softgpu_finding_kind finding_kind_of(enum region region,
                                                 enum relation relation)
{
    if (relation == IN_WARP)
        return SOFTGPU_FIND_LOCKSTEP;
    if (region == REGION_SHARED)
        return SOFTGPU_FIND_RACE_SHARED;
    return relation == BETWEEN_BLOCKS ? SOFTGPU_FIND_RACE_BLOCKS
                                      : SOFTGPU_FIND_RACE_GLOBAL;
}

static const char *access_name(const struct access_record *record)
{
    if (record->threads & RECORD_OF_BLOCK)
        return "atomic of block scope";
    if (record->threads & RECORD_ATOMIC)
        return "atomic";
    return record->threads & RECORD_WRITE ? "write" : "read";
}

int race_is_later_in_source(uintptr_t a, uintptr_t b)
{
    struct source_line x, y;
    int files;

    softgpu_source_line(a, &x);
    softgpu_source_line(b, &y);
    files = strcmp(x.file, y.file);
    if (files)
        return files > 0;
    return x.line != y.line ? x.line > y.line : x.column > y.column;
}

/* Is one an atomic, and the other a plain store? */
static int is_store_beside_atomic(const struct access_record *a,
                                  const struct access_record *b)
{
    return ((a->threads ^ b->threads) & RECORD_ATOMIC) != 0
           && (a->threads & b->threads & RECORD_WRITE) != 0;
}

/* What is known of the two accesses. */
struct how {
    int is_update; /* both are of one line */
    int is_mixed;  /* see is_store_beside_atomic() */
    int is_early;  /* the read came before the write */
    int is_lane;   /* see are_same_lane() */
};

/* Of two threads that store one element. */
static const char *order_of_stores(const struct softgpu_finding *s,
                                   const struct how *how)
{
    if (s->kind == SOFTGPU_FIND_LOCKSTEP)
        return "lanes of one warp store one element: must the update be "
               "atomic, is the index wrong, or is a __syncwarp() missing in a "
               "loop?";
    /* no barrier helps where a statement stores an element twice */
    if (s->kind == SOFTGPU_FIND_RACE_SHARED && how->is_lane)
        return "two warps store one element, both by the same lane: does each "
               "warp need a part of its own (is the warp's number in the "
               "index?), may only one of them store it, must the update be "
               "atomic, or is a barrier missing in a loop?";
    if (s->kind == SOFTGPU_FIND_RACE_SHARED)
        return "two threads store one element: is a barrier missing in a "
               "loop, is the index wrong, must the update be atomic, or does "
               "each warp need a part of its own?";
    return s->kind == SOFTGPU_FIND_RACE_BLOCKS
               ? "two threads own one element: is the index or a bounds "
                 "check wrong, or do blocks have to add their parts, with "
                 "an atomic?"
               : "two threads own one element: is the index or a bounds "
                 "check wrong?";
}

/* Of two blocks. */
static const char *order_of_blocks(const struct softgpu_finding *s,
                                   const struct how *how)
{
    if (how->is_mixed)
        return "nothing orders a plain store and another block's atomic: an "
               "initial value is stored before the launch, and a value that "
               "is handed over by an atomic";
    if (how->is_update)
        return "nothing orders blocks here: a value that several blocks change "
               "needs one atomic update, or a lock with a __threadfence()";
    if (!hb_any_flag())
        return "nothing orders the blocks of a launch: is an index wrong, or "
               "does the kernel write to an array that other blocks still "
               "read?";
    if (s->atomic)
        return "nothing orders an atomic and another block's plain read: is it "
               "needed, and must it be an atomic, too?  Where a flag hands the "
               "value over, the writer needs the order value, "
               "__threadfence(), flag, and the reader flag, __threadfence(), "
               "value";
    if (how->is_early) /* a fence alone does not help */
        return "the read came first: is a flag stored before its value, or is "
               "a counter of finished blocks not 0 when the kernel starts, so "
               "that another block than the last one reads; or is the index "
               "wrong?";
    return "nothing orders blocks here: where a flag hands the value over, "
           "the writer needs the order value, __threadfence(), flag, and the "
           "reader flag, __threadfence(), value";
}

/* What keeps two accesses in order, or why nothing can. */
static const char *missing_order(const struct softgpu_finding *s,
                                 const struct how *how)
{
    if (s->is_two_stores)
        return order_of_stores(s, how);
    if (s->kind == SOFTGPU_FIND_RACE_BLOCKS)
        return order_of_blocks(s, how);
    if (s->kind == SOFTGPU_FIND_LOCKSTEP)
        return "lanes of one warp, no __syncwarp between (shuffles do not order "
               "accesses to memory)";
    return how->is_update && s->kind == SOFTGPU_FIND_RACE_GLOBAL
               ? "no barrier between them; or may only one thread of the block "
                 "update this element?"
               : "no barrier between them";
}

/* Do two statements store one word, neither with an atomic?  Their arrays may
 * be the same memory, where a barrier would only choose one of the values. */
static int is_two_stores(const struct access_record *a,
                         const struct access_record *b)
{
    return a->threads & b->threads & RECORD_WRITE
           && !((a->threads | b->threads) & RECORD_ATOMIC) && a->pc != b->pc;
}

/* A statement that loads a value, changes it and stores it. */
static int is_same_line(uint32_t a, uint32_t b)
{
    struct source_line x, y;

    softgpu_source_line(race_full_pc(a), &x);
    softgpu_source_line(race_full_pc(b), &y);
    return x.line == y.line && strcmp(x.file, y.file) == 0;
}

static uint3 index_of_linear(uint64_t linear, dim3 extent)
{
    return (uint3){(unsigned)(linear % extent.x),
                   (unsigned)(linear / extent.x % extent.y),
                   (unsigned)(linear / extent.x / extent.y)};
}

static unsigned linear_of_index(uint3 i, dim3 extent)
{
    return (i.z * extent.y + i.y) * extent.x + i.x;
}

/* Are they one lane of two warps?  An index that lacks the warp does that. */
static int are_same_lane(uint3 a, uint3 b)
{
    const dim3 block = softgpu_tls.block->worker->run->grid->block;
    const unsigned x = linear_of_index(a, block), y = linear_of_index(b, block);

    return x != y && x % 32 == y % 32;
}

/* Why the threads of a block are not ordered, though some of them are. */
static const char *text_of_gap(enum order_gap gap, int is_early)
{
    static const char *const texts[] = {
        [GAP_FENCE] = "no fence stands between the write and the flag that "
                      "hands it over: the writer needs the order value, "
                      "__threadfence_block(), flag",
        [GAP_ARRIVAL] = "one of the threads had arrived at its barrier before: "
                        "the barrier orders what stands before the arrival",
        [GAP_NO_FENCE] = "no fence stands after the flag that hands it over: "
                         "the reader needs the order flag, "
                         "__threadfence_block(), value",
        [GAP_NO_WAIT] = "one of the threads has arrived at its barrier, and "
                        "has not waited yet: the barrier orders what stands "
                        "after the wait",
        [GAP_NONE] = NULL, [GAP_ANY] = NULL,
    };

    if (gap == GAP_FENCE && is_early)
        return "no fence stands between the read and the flag that says that "
               "it is done: the reader needs the order value, "
               "__threadfence_block(), flag";
    return texts[gap];
}

/* Is one of them a load or a store with a cache hint?  Such a one polls no flag,
 * though it looks past the L1 cache. */
static const char *cache_hint(const struct access_record *a,
                              const struct access_record *b)
{
    struct source_line x, y;

    softgpu_source_line(race_full_pc(a->pc), &x);
    softgpu_source_line(race_full_pc(b->pc), &y);
    return strcmp(x.header, "softgpu/cache.h")
                   && strcmp(y.header, "softgpu/cache.h")
               ? ""
               : "; __ldcg(), __ldcv(), __stcg() and their like are plain "
                 "accesses: a flag is volatile or atomic";
}

static void report_pair(struct softgpu_finding *s,
                        const struct access_record *first,
                        const struct access_record *second, uint3 other,
                        enum order_gap gap, int is_early)
{
    const int is_update = is_same_line(first->pc, second->pc);
    const struct how how = {is_update, is_store_beside_atomic(first, second),
                            is_early, are_same_lane(s->thread, other)};
    const int is_two_arrays = s->kind == SOFTGPU_FIND_RACE_GLOBAL
                              && !is_update && is_two_stores(first, second);
    char thread[64] = "another thread"; /* its index was not recorded */

    s->is_two_stores = is_update /* of one line: a loop may be unrolled */
                       && first->threads & second->threads & RECORD_WRITE;
    if (s->kind == SOFTGPU_FIND_RACE_BLOCKS || other.x != s->thread.x
        || other.y != s->thread.y || other.z != s->thread.z)
        snprintf(thread, sizeof thread, "thread (%u,%u,%u)",
                 other.x, other.y, other.z);
    softgpu_report_finding(s, "%s here, %s of the same word by %s of %s: %s%s",
                           access_name(first), access_name(second),
                           thread,
                           s->kind == SOFTGPU_FIND_RACE_BLOCKS
                               ? "another block"
                               : "the same block",
                           text_of_gap(gap, is_early)
                               ? text_of_gap(gap, is_early)
                           : is_two_arrays
                               ? "no barrier between them; or are two arrays, "
                                 "as the levels of a workspace, in the same "
                                 "memory?"
                               : missing_order(s, &how),
                           cache_hint(first, second));
}

void report_race(struct softgpu_finding *s,
                        const struct access_record *old,
                        const struct access_record *current)
{
    const struct softgpu_grid *grid = softgpu_tls.block->worker->run->grid;
    uint3 other_index = index_of_linear(old->threads & RECORD_THREAD,
                                        grid->block);
    uint3 own_index = s->thread;
    const int is_early = !(old->threads & RECORD_WRITE)
                         && current->threads & RECORD_WRITE;
    const enum order_gap gap =
        s->kind == SOFTGPU_FIND_RACE_BLOCKS
            ? GAP_NONE
            : block_order_gap(watch_current_block(), old, current);

    s->other = race_full_pc(old->pc);
    s->atomic = ((old->threads | current->threads) & RECORD_ATOMIC)
                != 0;
    if (!race_is_later_in_source(s->other, s->pc)) {
        report_pair(s, current, old, other_index, gap, is_early);
        return;
    }
    s->other = s->pc;
    s->pc = race_full_pc(old->pc);
    s->thread = other_index;
    if (s->kind == SOFTGPU_FIND_RACE_BLOCKS)
        s->block = index_of_linear(old->block, grid->grid);
    report_pair(s, old, current, own_index, gap, is_early);
}

struct softgpu_finding make_race_finding(const struct access *access,
                                         enum relation relation)
{
    return watch_make_finding(access,
                              finding_kind_of(access->region, relation));
}
