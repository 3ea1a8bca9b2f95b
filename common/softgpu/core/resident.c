/* SPDX-License-Identifier: MIT */
/** @file
 *  Resident blocks: claimed from the grid, initialized, made current, retired.
 *  A worker reuses the memory of its retired blocks.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "grid_ends.h"
#include "shared_memory.h"
#include "hooks.h"
#include "permute.h"
#include "turns.h"
#include "softgpu/async_copy.h"

/* CUDA's limit of 1024 holds, so this cannot overflow. */
static uint32_t threads_of(dim3 block_dim)
{
    return block_dim.x * block_dim.y * block_dim.z;
}

/* --- threads and warps: the same in all blocks of a grid ----------------- */

/* x runs fastest, as in CUDA. */
static uint3 index_to_coordinates(uint64_t linear, dim3 extent)
{
    return (uint3){(unsigned)(linear % extent.x),
                   (unsigned)(linear / extent.x % extent.y),
                   (unsigned)(linear / extent.x / extent.y)};
}

/* The block itself is kept for the next grid. */
static void free_threads(struct softgpu_block *b)
{
    free(b->threads);
    free(b->start_order);
    free(b->successors);
    free(b->warps);
    b->threads = NULL;
    b->start_order = b->successors = NULL;
    b->warps = NULL;
    b->block_dim = (dim3){0, 0, 0};
}

/* The array of threads has unused entries at its end for prefetching. */
static bool allocate_threads(struct softgpu_block *b, uint32_t count)
{
    const uint32_t warps = (count + PREFETCH_THREADS - 1) / WARP_LANES + 1;
    b->threads = aligned_alloc(WARP_BYTES, (size_t)warps * WARP_BYTES);
    b->start_order = malloc(count * sizeof *b->start_order);
    b->successors = malloc(count * sizeof *b->successors);
    b->warps = calloc(warps, sizeof *b->warps);
    if (b->threads && b->start_order && b->successors && b->warps)
        return true;
    free_threads(b);
    return false;
}

/* Of gangs, which are scheduled as threads are, the first thread is stored. */
static void initialize_threads(struct softgpu_block *b, uint32_t count)
{
    const uint32_t step = b->gang_threads ? b->gang_threads : 1;
    memset(b->threads, 0, (count + PREFETCH_THREADS) * sizeof *b->threads);
    for (uint32_t i = 0; i < count; i++) {
        struct softgpu_thread *t = &b->threads[i];
        t->id = index_to_coordinates((uint64_t)i * step, b->block_dim);
        t->warp = &b->warps[i / WARP_LANES];
        set_wait(t, &softgpu_wait_forever, 0);
        b->start_order[softgpu_permute(b->seed, i, count)] = t;
    }
    for (uint32_t i = 0; i < count; i++)
        b->successors[index_of(b, b->start_order[i])] =
            b->start_order[(i + 1) % count];
}

/* Threads to schedule, or gangs. */
static uint32_t scheduled(const struct softgpu_block *b)
{
    return threads_of(b->block_dim) / (b->gang_threads ? b->gang_threads : 1);
}

/* Blocks of one shape are reused as they are, which is the common case. */
static bool resize_threads(struct softgpu_block *b, const struct run *run)
{
    const dim3 block_dim = run->grid->block;
    if (b->threads && !memcmp(&b->block_dim, &block_dim, sizeof block_dim)
        && b->seed == run->seed && b->gang_threads == run->gang_threads)
        return true;
    free_threads(b);
    if (!allocate_threads(b, threads_of(block_dim)))
        return false;
    b->block_dim = block_dim;
    b->seed = run->seed;
    b->gang_threads = run->gang_threads;
    initialize_threads(b, scheduled(b));
    return true;
}

/* --- one block ----------------------------------------------------------- */

/* A block from the free list, or a new one. @return NULL without memory */
static struct softgpu_block *acquire_block(struct worker *w)
{
    struct softgpu_block *b = w->free_blocks;
    if (b)
        w->free_blocks = b->next;
    else
        b = calloc(1, sizeof *b);
    if (b && resize_threads(b, w->run)
        && softgpu_map_shared_memory(b, w->run->shared_bytes))
        return b;
    if (b) {
        b->next = w->free_blocks;
        w->free_blocks = b;
    }
    return NULL;
}

/* Real shared memory is not cleared either: a kernel that relies on zeros must
 * fail. */
static void poison_shared_memory(struct softgpu_block *b, size_t bytes)
{
    const uint16_t pattern = SOFTGPU_SHARED_POISON;
    for (size_t i = 0; i + sizeof pattern <= bytes; i += sizeof pattern)
        memcpy(b->arena + i, &pattern, sizeof pattern);
    if (bytes % sizeof pattern)
        memcpy(b->arena + bytes - 1, &pattern, 1);
}

/* The state of a block that has not started. */
static void reset_block(struct softgpu_block *b, const struct run *run)
{
    b->thread_loop = run->thread_loop;
    b->count = b->live = run->thread_loop ? 1 : scheduled(b);
    b->started = b->arrived = b->votes = b->grid_arrived = 0;
    b->yield_count = b->rounds = b->long_runs = 0;
    b->uses_numbered = false;
    memset(b->numbered, 0, sizeof b->numbered);
    b->scan_start = b->start_order[0];
    b->threads[0].id = (uint3){0, 0, 0}; /* a preempted loop changed it */
    b->threads_end = b->threads + b->count;
    b->in_ring_order = false;
    for (uint32_t i = 0; i < b->count; i += WARP_LANES) {
        struct warp *warp = &b->warps[i / WARP_LANES];
        const uint32_t left = b->count - i;
        warp->lanes = left < WARP_LANES ? left : WARP_LANES;
        warp->live = ~0u >> (WARP_LANES - warp->lanes);
        warp->slot_count = warp->active_mask_waiters = warp->slots[0].mask = 0;
    }
    if (run->poison)
        poison_shared_memory(b, run->shared_bytes);
}

/* Claim the next blocks in index order: a chunk while many are left. */
static bool claim_chunk(struct worker *w)
{
    struct run *run = w->run;
    if (w->claim < w->claim_end)
        return true;
    const uint64_t begun = atomic_load(&run->claimed);
    if (begun >= run->blocks || !w->quota)
        return false;
    uint64_t chunk = (run->blocks - begun) / ((uint64_t)run->workers * 16);
    chunk = chunk < 1 ? 1 : chunk > 64 ? 64 : chunk;
    chunk = chunk > w->quota ? w->quota : chunk;
    w->claim = atomic_fetch_add(&run->claimed, chunk);
    w->claim_end = w->claim + chunk;
    if (w->claim_end > run->blocks)
        w->claim_end = run->blocks;
    w->quota -= chunk;
    return w->claim < w->claim_end;
}

/* Resident blocks form a ring, in the order of their start. */
static void add_to_ring(struct worker *w, struct softgpu_block *b)
{
    if (w->ring) {
        b->next = w->ring->next;
        b->previous = w->ring;
        b->next->previous = b;
        b->previous->next = b;
    } else {
        b->next = b->previous = b;
    }
    w->ring = b;
    w->resident++;
}

/* Linear index of the block that is claimed as number `claim`. */
static uint64_t linear_index(const struct run *run, uint64_t claim)
{
    return run->ends_only
               ? softgpu_end_index(run, claim)
               : softgpu_permute_windows(run->seed, claim, run->blocks);
}

struct softgpu_block *softgpu_claim_block(struct worker *w)
{
    struct run *run = w->run;
    if (atomic_load_explicit(&run->error, memory_order_relaxed)
        || !claim_chunk(w))
        return NULL;
    struct softgpu_block *b = acquire_block(w);
    if (!b) {
        int none = 0;
        if (!w->resident)
            atomic_compare_exchange_strong(&run->error, &none,
                                           SOFTGPU_OUT_OF_MEMORY);
        return NULL;
    }
    b->worker = w;
    b->order = w->blocks_started++;
    b->linear = linear_index(run, w->claim++);
    b->index = index_to_coordinates(b->linear, run->grid->grid);
    if (run->grid->cooperative)
        b->grid_epoch = atomic_load(&run->grid_epoch);
    reset_block(b, run);
    add_to_ring(w, b);
    SOFTGPU_HOOK(block_begin, (b));
    return b;
}

void softgpu_make_block_current(struct softgpu_block *b)
{
    const struct run *run = b->worker->run;
    softgpu_tls.block = b;
    softgpu_tls.shared = b->arena;
    softgpu_tls.dynamic = b->arena + run->dynamic_offset;
    softgpu_tls.functions = b->arena + run->functions_offset;
    softgpu_tls.shared_bytes = run->shared_bytes;
    blockIdx = b->index;
    softgpu_tls.batch_blocks = 0;
}

/* May the worker continue with its next claimed block in the same loop?  Not
 * with other resident blocks, and not if each block has work of its own. */
static bool may_extend_batch(const struct worker *w, uint64_t done)
{
    return w->resident == 1 && w->claim == done + 1
           && w->claim < w->claim_end && !w->run->poison
           && !w->run->grid->cooperative;
}

void softgpu_claim_batch(struct softgpu_block *b)
{
    struct worker *w = b->worker;
    const uint64_t in_x = w->run->grid->grid.x - b->index.x;
    uint64_t more = w->claim_end - w->claim;
    softgpu_tls.batch_blocks = 0;
    if (!may_extend_batch(w, b->linear))
        return;
    if (more >= in_x)
        more = in_x - 1;
    w->claim += more;
    softgpu_tls.batch_blocks = (int32_t)more;
}

void softgpu_release_batch(struct softgpu_block *b)
{
    b->linear += blockIdx.x - b->index.x;
    b->index = blockIdx;
    if (softgpu_tls.batch_blocks > 0)
        b->worker->claim -= (uint32_t)softgpu_tls.batch_blocks;
    softgpu_tls.batch_blocks = 0;
}

bool softgpu_claim_next_batch(struct softgpu_block *b)
{
    struct worker *w = b->worker;
    const struct run *run = w->run;
    softgpu_release_batch(b);
    if (!may_extend_batch(w, b->linear)
        || atomic_load_explicit(&run->error, memory_order_relaxed))
        return false;
    b->linear = w->claim++;
    b->index = index_to_coordinates(b->linear, run->grid->grid);
    blockIdx = b->index;
    b->yield_count = 0;
    note_progress(w);
    softgpu_claim_batch(b);
    return true;
}

void softgpu_retire_block(struct softgpu_block *b)
{
    struct worker *w = b->worker;
    SOFTGPU_HOOK(block_end, (b));
    softgpu_copy_discard(b);
    w->ring = b->previous == b ? NULL : b->previous;
    b->next->previous = b->previous;
    b->previous->next = b->next;
    b->next = w->free_blocks;
    w->free_blocks = b;
    w->resident--;
    w->start_burst = 0;
    note_progress(w);
    if (w->run->grid->cooperative) { /* only the grid barrier needs it */
        atomic_fetch_add(&w->run->finished, 1);
        softgpu_grid_barrier_thread_exited(b);
    }
}

void softgpu_discard_blocks(struct worker *w)
{
    while (w->ring) {
        struct softgpu_block *b = w->ring;
        w->ring = b->next == b ? NULL : b->next;
        b->next->previous = b->previous;
        b->previous->next = b->next;
        initialize_threads(b, scheduled(b));
        softgpu_copy_discard(b);
        b->next = w->free_blocks;
        w->free_blocks = b;
    }
    w->resident = 0;
}
