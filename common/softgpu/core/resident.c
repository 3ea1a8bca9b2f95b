/* SPDX-License-Identifier: MIT */
/** @file
 *  Resident blocks: claimed from the grid, set up, entered, retired.  A
 *  retired block's memory serves the next one of the same worker.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "fence.h"
#include "hooks.h"
#include "order.h"
#include "softgpu/copies.h"

enum { POISON = 0xCB };

static uint32_t threads_of(dim3 shape)
{
    return shape.x * shape.y * shape.z;
}

/* --- shape: what all blocks of a grid have in common --------------------- */

static uint3 coordinates(uint64_t linear, dim3 extent)
{
    return (uint3){(unsigned)(linear % extent.x),
                   (unsigned)(linear / extent.x % extent.y),
                   (unsigned)(linear / extent.x / extent.y)};
}

static void free_shape(struct softgpu_block *b)
{
    free(b->threads);
    free(b->order);
    free(b->after);
    free(b->warps);
    b->threads = NULL;
    b->order = b->after = NULL;
    b->warps = NULL;
    b->shape = (dim3){0, 0, 0};
}

/* Some threads more than there are, for who looks ahead. */
static bool allocate_shape(struct softgpu_block *b, uint32_t count)
{
    const uint32_t warps = (count + THREADS_AHEAD - 1) / WARP_LANES + 1;
    b->threads = aligned_alloc(WARP_BYTES, (size_t)warps * WARP_BYTES);
    b->order = malloc(count * sizeof *b->order);
    b->after = malloc(count * sizeof *b->after);
    b->warps = calloc(warps, sizeof *b->warps);
    if (b->threads && b->order && b->after && b->warps)
        return true;
    free_shape(b);
    return false;
}

static void order_threads(struct softgpu_block *b, uint32_t count)
{
    memset(b->threads, 0, (count + THREADS_AHEAD) * sizeof *b->threads);
    for (uint32_t i = 0; i < count; i++) {
        struct softgpu_thread *t = &b->threads[i];
        t->id = coordinates(i, b->shape);
        t->warp = &b->warps[i / WARP_LANES];
        set_wait(t, &softgpu_never, 0);
        b->order[softgpu_permute(b->seed, i, count)] = t;
    }
    for (uint32_t i = 0; i < count; i++)
        b->after[index_of(b, b->order[i])] = b->order[(i + 1) % count];
}

static bool set_shape(struct softgpu_block *b, const struct run *run)
{
    const dim3 shape = run->grid->block;
    if (b->threads && !memcmp(&b->shape, &shape, sizeof shape)
        && b->seed == run->seed)
        return true;
    free_shape(b);
    if (!allocate_shape(b, threads_of(shape)))
        return false;
    b->shape = shape;
    b->seed = run->seed;
    order_threads(b, threads_of(shape));
    return true;
}

/* --- one block ----------------------------------------------------------- */

static struct softgpu_block *new_resident(struct worker *w)
{
    struct softgpu_block *b = w->spare;
    if (b)
        w->spare = b->next;
    else
        b = calloc(1, sizeof *b);
    if (b && set_shape(b, w->run)
        && softgpu_shared_give(b, w->run->shared_bytes))
        return b;
    if (b) {
        b->next = w->spare;
        w->spare = b;
    }
    return NULL;
}

static void reset(struct softgpu_block *b, const struct run *run)
{
    const uint32_t threads = threads_of(b->shape);
    b->whole = run->whole;
    b->count = b->live = run->whole ? 1 : threads;
    b->started = b->spun = b->arrived = b->ayes = b->grid_arrived = 0;
    b->cursor = b->order[0];
    b->threads[0].id = (uint3){0, 0, 0}; /* a signal in a loop moved it */
    b->threads_end = b->threads + b->count;
    b->in_step = false;
    for (uint32_t i = 0; i < b->count; i += WARP_LANES) {
        struct warp *warp = &b->warps[i / WARP_LANES];
        const uint32_t left = b->count - i;
        warp->lanes = left < WARP_LANES ? left : WARP_LANES;
        warp->live = ~0u >> (WARP_LANES - warp->lanes);
        warp->used = warp->active = warp->slots[0].mask = 0;
    }
    if (run->poison)
        memset(b->arena, POISON, run->shared_bytes);
}

/* Blocks are handed out in order, several at a time while many are left. */
static bool next_claim(struct worker *w)
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

static void link_block(struct worker *w, struct softgpu_block *b)
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

struct softgpu_block *softgpu_block_claim(struct worker *w)
{
    struct run *run = w->run;
    if (atomic_load_explicit(&run->error, memory_order_relaxed)
        || !next_claim(w))
        return NULL;
    struct softgpu_block *b = new_resident(w);
    if (!b) {
        int none = 0;
        if (!w->resident)
            atomic_compare_exchange_strong(&run->error, &none,
                                           SOFTGPU_OUT_OF_MEMORY);
        return NULL;
    }
    b->worker = w;
    b->linear = softgpu_permute_near(run->seed, w->claim++, run->blocks);
    b->index = coordinates(b->linear, run->grid->grid);
    if (run->grid->cooperative)
        b->grid_epoch = atomic_load(&run->grid_epoch);
    reset(b, run);
    link_block(w, b);
    SOFTGPU_HOOK(block_begin, (b));
    return b;
}

void softgpu_block_enter(struct softgpu_block *b)
{
    const struct run *run = b->worker->run;
    softgpu_tls.block = b;
    softgpu_tls.shared = b->arena;
    softgpu_tls.dynamic = b->arena + run->dynamic_at;
    softgpu_tls.functions = b->arena + run->functions_at;
    softgpu_tls.shared_bytes = run->shared_bytes;
    blockIdx = b->index;
    softgpu_tls.row = 0;
}

/* May the worker go on with what it claimed without a look at others? */
static bool is_alone(const struct worker *w, uint64_t done)
{
    return w->resident == 1 && w->claim == done + 1
           && w->claim < w->claim_end && !w->run->poison
           && !w->run->grid->cooperative;
}

void softgpu_block_row(struct softgpu_block *b)
{
    struct worker *w = b->worker;
    const uint64_t in_x = w->run->grid->grid.x - b->index.x;
    uint64_t more = w->claim_end - w->claim;
    softgpu_tls.row = 0;
    if (!is_alone(w, b->linear))
        return;
    if (more >= in_x)
        more = in_x - 1;
    w->claim += more;
    softgpu_tls.row = (int32_t)more;
}

void softgpu_block_end_row(struct softgpu_block *b)
{
    b->linear += blockIdx.x - b->index.x;
    b->index = blockIdx;
    if (softgpu_tls.row > 0)
        b->worker->claim -= (uint32_t)softgpu_tls.row;
    softgpu_tls.row = 0;
}

bool softgpu_block_again(struct softgpu_block *b)
{
    struct worker *w = b->worker;
    const struct run *run = w->run;
    softgpu_block_end_row(b);
    if (!is_alone(w, b->linear)
        || atomic_load_explicit(&run->error, memory_order_relaxed))
        return false;
    b->linear = w->claim++;
    b->index = coordinates(b->linear, run->grid->grid);
    blockIdx = b->index;
    b->spun = w->idle = 0;
    softgpu_block_row(b);
    return true;
}

void softgpu_block_retire(struct softgpu_block *b)
{
    struct worker *w = b->worker;
    SOFTGPU_HOOK(block_end, (b));
    softgpu_copy_drop(b);
    w->ring = b->previous == b ? NULL : b->previous;
    b->next->previous = b->previous;
    b->previous->next = b->next;
    b->next = w->spare;
    w->spare = b;
    w->resident--;
    w->idle = w->burst = 0;
    if (w->run->grid->cooperative) { /* only its barrier wants to know */
        atomic_fetch_add(&w->run->finished, 1);
        softgpu_grid_barrier_exit(b);
    }
}

void softgpu_block_drop_all(struct worker *w)
{
    while (w->ring) {
        struct softgpu_block *b = w->ring;
        w->ring = b->next == b ? NULL : b->next;
        b->next->previous = b->previous;
        b->previous->next = b->next;
        order_threads(b, threads_of(b->shape));
        softgpu_copy_drop(b);
        b->next = w->spare;
        w->spare = b;
    }
    w->resident = 0;
}
