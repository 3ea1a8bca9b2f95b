/* SPDX-License-Identifier: MIT */
#include "block_order.h"

#include <stdlib.h>
#include <string.h>

#include "common/softgpu/core/fiber.h"
#include "record_pool.h"

enum { WARPS = 32, FLAGS = 256 };

/** How much is known of each warp: its accesses with a lower sequence. */
struct clock {
    uint32_t before[WARPS];
};

/** A warp of the block. */
struct warp_clocks {
    struct clock known;  /* what it has acquired */
    struct clock fenced; /* what its next write of a flag releases */
    struct clock seen;   /* what the flags had that it has read */
    uint32_t released;   /* sequence of its last fence or arrival */
    int has_arrived;     /* at a barrier that it has not waited for since */
};

struct block_order {
    struct warp_clocks warp[WARPS];
    struct clock flag[FLAGS]; /* by a hash of the address */
    uint32_t interval, sequence; /* of an earlier interval, at its begin */
    int is_used;
};

struct block_order *block_order_new(void)
{
    return calloc(1, sizeof(struct block_order));
}

void block_order_begin(struct watch_block *block)
{
    if (block->clocks->is_used)
        memset(block->clocks, 0, sizeof *block->clocks);
}

static unsigned running_warp(const struct watch_block *block)
{
    return index_of(block->block, softgpu_tls.thread) / WARP_LANES;
}

static void join(struct clock *to, const struct clock *from)
{
    for (int i = 0; i < WARPS; i++)
        to->before[i] = to->before[i] > from->before[i] ? to->before[i]
                                                        : from->before[i];
}

static struct clock *flag_at(struct watch_block *block, uintptr_t address,
                             uint64_t phase)
{
    const uint64_t key = address + phase * 0x9e3779b97f4a7c15u;

    return &block->clocks->flag[key * 0x9e3779b97f4a7c15u >> 56];
}

/* --- intervals ------------------------------------------------------------ */

void block_order_all(struct watch_block *block)
{
    block->ordered_interval = block->interval;
    block->clocks->interval = block->interval;
    block->clocks->sequence = block->sequence;
    record_pool_reset(block->pool);
}

/* Does each warp that runs know all accesses of the others up to a sequence? */
static int all_know(const struct watch_block *block, uint32_t sequence)
{
    const struct softgpu_block *b = block->block;
    const uint32_t warps = (b->count + WARP_LANES - 1) / WARP_LANES;

    for (uint32_t to = 0; to < warps; to++)
        for (uint32_t from = 0; from < warps; from++)
            if (b->warps[to].live && from != to
                && block->clocks->warp[to].known.before[from] <= sequence)
                return 0;
    return 1;
}

void block_order_some(struct watch_block *block)
{
    struct block_order *o = block->clocks;

    if (record_pool_is_half_used(block->pool)) {
        block_order_all(block);
    } else if (all_know(block, o->sequence)) {
        block->ordered_interval = o->interval;
        o->interval = block->interval;
        o->sequence = block->sequence;
    }
}

/* --- release and acquire -------------------------------------------------- */

static void acquire_seen(struct warp_clocks *warp)
{
    join(&warp->known, &warp->seen);
}

static void release(struct watch_block *block, unsigned i, int arrives)
{
    struct warp_clocks *warp = &block->clocks->warp[i];

    warp->released = warp->known.before[i] = block->sequence;
    warp->has_arrived = arrives;
    block->clocks->is_used = 1;
}

void block_order_fence(struct watch_block *block, uint32_t flags)
{
    const unsigned i = running_warp(block);
    struct warp_clocks *warp = &block->clocks->warp[i];

    if (flags & FENCE_ACQUIRE)
        acquire_seen(warp);
    if (!(flags & FENCE_RELEASE))
        return;
    release(block, i, 0);
    warp->fenced = warp->known;
}

void block_order_flag(const struct access *a)
{
    struct warp_clocks *warp = &a->block->clocks->warp[running_warp(a->block)];
    struct clock *flag = flag_at(a->block, a->address, 0);
    const int writes = a->flags & ACCESS_WRITE;

    if (!a->block->clocks->is_used)
        return;
    if (reads_value(a))
        join(&warp->seen, flag);
    if (a->flags & ACCESS_ACQUIRE)
        acquire_seen(warp);
    if (writes)
        join(flag, &warp->fenced);
}

void block_order_arrive(struct watch_block *block, const volatile void *barrier,
                        uint64_t phase)
{
    const unsigned i = running_warp(block);

    release(block, i, 1);
    join(flag_at(block, (uintptr_t)barrier, phase + 1),
         &block->clocks->warp[i].known);
}

void block_order_wait(struct watch_block *block, const volatile void *barrier,
                      uint64_t phase)
{
    struct warp_clocks *warp = &block->clocks->warp[running_warp(block)];

    acquire_seen(warp);
    join(&warp->known, flag_at(block, (uintptr_t)barrier, phase + 1));
    warp->fenced = warp->known;
    warp->has_arrived = 0;
}

/* --- queries -------------------------------------------------------------- */

int block_order_tells(const struct access_record *old,
                      const struct access_record *current)
{
    enum { OTHERS = RECORD_ATOMIC | RECORD_VOLATILE | RECORD_WARPS
                    | RECORD_BLOCKS };

    return !(old->threads & OTHERS) && old->block == current->block
           && (old->threads ^ current->threads) & RECORD_WARP;
}

enum order_gap block_order_gap(const struct watch_block *block,
                               const struct access_record *old,
                               const struct access_record *current)
{
    const uint32_t first = (old->threads & RECORD_THREAD) / WARP_LANES;
    const uint32_t second = (current->threads & RECORD_THREAD) / WARP_LANES;
    const struct warp_clocks *from = &block->clocks->warp[first];
    const struct warp_clocks *to = &block->clocks->warp[second];

    if (!block_order_tells(old, current)
        || old->interval < block->ordered_interval
        || old->sequence < to->known.before[first])
        return GAP_NONE;
    if (from->has_arrived && old->sequence >= from->released)
        return GAP_ARRIVAL;
    if (to->has_arrived)
        return GAP_NO_WAIT;
    if (old->interval == current->interval)
        return GAP_ANY; /* no flag, as far as is known */
    if (old->sequence >= from->released)
        return GAP_FENCE;
    return old->sequence < to->seen.before[first] ? GAP_NO_FENCE : GAP_ANY;
}
