/* SPDX-License-Identifier: MIT */
/* Shared memory: the first access to a word in an interval, which is all that
 * a tiled kernel's stores are, resets the word's cell and needs no check.
 * Neither does a read by the instruction that the cell has. */
#include "shared_shadow.h"

#include "common/softgpu/core/fault.h"
#include "interleave.h"

SOFTGPU_TLS struct shared_shadow shared_shadow;

/* The rule of check_shared_bounds() (bounds_check.c). */
static inline int is_in_variable(size_t word, size_t end)
{
    return end <= shared_shadow.static_end
           || (word >= shared_shadow.dynamic_begin
               && end <= shared_shadow.dynamic_end)
           || word >= shared_shadow.functions_begin;
}

/* Reset a word's cell as cell_reset() does, with as few stores as possible.
 * Fails when the cell has records that the access must be compared with, and for a read of a word
 * that is not initialized. */
static ALWAYS_INLINE int start_record(size_t word, uint32_t flags, uint32_t pc)
{
    const struct softgpu_thread *t = softgpu_tls.thread;
    const struct watch_block *w = shared_shadow.block;
    const uint32_t interval = (uint32_t)same_access_filter.interval;
    struct shadow_cell *cell = &same_access_filter.cells[word];
    const uint32_t reader =
        (uint32_t)(t - same_access_filter.threads) | RECORD_BYTES;
    const uint32_t initialized = w->first_interval << 4 | 0xf;

    if (cell->tag >= shared_shadow.ordered_interval)
        return 0;
    if (flags)
        w->init_mask[word] = initialized;
    else if (w->init_mask[word] != initialized)
        return 0;
    store_both(&cell->head.pc, pc,
               flags ? reader | RECORD_WRITE | RECORD_LAST_WRITER : reader);
    store_both(&cell->head.block, 0, interval);
    store_both(&cell->head.sequence, w->sequence,
               (uint16_t)t->warp->syncwarp_count);
    store_both(&cell->tag, interval, flags ? CELL_WRITTEN : 0);
    return 1;
}

/* Add the running thread to a record of a read.
 * Returns 0 when the record would have to be replaced. */
static ALWAYS_INLINE int add_reader(struct shadow_cell *cell)
{
    const struct softgpu_thread *t = softgpu_tls.thread;
    const uint32_t old = cell->head.threads;
    const uint32_t differ =
        old ^ (uint32_t)(t - same_access_filter.threads);

    if (differ & (uint32_t)RECORD_WARP)
        cell->head.threads = old | RECORD_WARPS;
    else if (cell->head.warp_interval != (uint16_t)t->warp->syncwarp_count)
        return 0;
    else if (!(old & RECORD_LANES) && differ & RECORD_THREAD)
        cell->head.threads = old | RECORD_LANES;
    return 1;
}

/* A plain read of a whole word by the instruction of the cell's only record.
 * Fails when it is not that. */
static ALWAYS_INLINE int add_read(size_t word, uint32_t pc)
{
    struct shadow_cell *cell = &same_access_filter.cells[word];
    const uint32_t threads = cell->head.threads;

    if (load_both(&cell->tag) != same_access_filter.interval
        || cell->head.pc != pc || (threads & RECORD_KEY) != RECORD_BYTES)
        return 0; /* a write, a second record, or an older interval */
    if (!(threads & RECORD_WARPS) && !add_reader(cell))
        return 0;
    if (cell->head.threads & (RECORD_WARPS | RECORD_LANES))
        same_access_filter.keys[word] =
            reader_key(pc, !(cell->head.threads & RECORD_WARPS));
    return 1;
}

/* An access of two words or four.  It fails after some words at most: those
 * hold this very access. */
static __attribute__((noinline)) void
new_wide_access(const volatile void *p, uint64_t bytes_and_flags, uintptr_t pc,
                uintptr_t frame)
{
    const uint32_t words = (uint32_t)bytes_and_flags / 4;
    const uint32_t flags = (uint32_t)(bytes_and_flags >> 32);
    const size_t word =
        (size_t)((const volatile char *)p - same_access_filter.base) / 4;
    const int in_variable = is_in_variable(word, word + words);

    for (uint32_t i = 0; i < words; i++)
        if ((flags || !add_read(word + i, (uint32_t)pc))
            && (!in_variable
                || !start_record(word + i, flags, (uint32_t)pc))) {
            pass_access(p, bytes_and_flags, pc, frame);
            return;
        }
    if (flags)
        softgpu_announced_store = (const void *)pc;
}

/* A store of one word, or a read that add_read() fails for. */
static __attribute__((noinline)) void
new_record(const volatile void *p, uint64_t bytes_and_flags, uintptr_t pc,
           uintptr_t frame)
{
    const uint32_t flags = (uint32_t)(bytes_and_flags >> 32);
    const size_t word =
        (size_t)((const volatile char *)p - same_access_filter.base) / 4;

    if (!is_in_variable(word, word + 1)
        || !start_record(word, flags, (uint32_t)pc))
        pass_access(p, bytes_and_flags, pc, frame);
    else if (flags)
        softgpu_announced_store = (const void *)pc;
}

/* The filter's new_access.  Most are of one word.  Each case is a function that
 * needs few registers and saves none. */
static void new_access(const volatile void *p, uint64_t bytes_and_flags,
                       uintptr_t pc, uintptr_t frame)
{
    const size_t word =
        (size_t)((const volatile char *)p - same_access_filter.base) / 4;

    if ((uint32_t)bytes_and_flags != 4)
        new_wide_access(p, bytes_and_flags, pc, frame);
    else if (bytes_and_flags != 4 || !add_read(word, (uint32_t)pc))
        new_record(p, bytes_and_flags, pc, frame);
}

void shared_shadow_bind(struct watch_block *w)
{
    const struct run *run = w->block->worker->run;
    const uint32_t dynamic_end =
        run->dynamic_offset + run->grid->dynamic_bytes;

    shared_shadow.block = w;
    shared_shadow.ordered_interval = w->ordered_interval;
    shared_shadow.static_end = run->grid->kernel->static_shared / 4;
    shared_shadow.dynamic_begin = run->dynamic_offset / 4;
    shared_shadow.dynamic_end = dynamic_end / 4;
    shared_shadow.functions_begin = run->functions_offset / 4;
    same_access_filter.base = w->block->arena;
    same_access_filter.cells = w->cells;
    same_access_filter.threads = w->block->threads;
    same_access_filter.keys = w->keys;
    same_access_filter.interval = w->interval;
    same_access_filter.warp_interval = WARP_KEY | w->warp_epoch;
    same_access_filter.new_access = new_access;
    same_access_filter.words =
        w->sampled && !watch_has_deferred && !w->block->profile
                && !interleave_is_on()
            ? softgpu_tls.shared_bytes / 4
            : 0; /* the profiler, too, must see each access of its blocks */
}
