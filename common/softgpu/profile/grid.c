/* SPDX-License-Identifier: MIT */
/* The runtime's hooks: a launch begins, blocks come and go, it ends. */
#include "grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/symbols.h"
#include "../host/device.h"
#include "../host/memory.h"
#include "../watch/modes.h"
#include "lanes.h"
#include "live.h"

enum { LEVELS = 33 };
/* Events (accesses and basic blocks of threads) logged for one kernel: some
 * seconds' worth.  Half of what is left is for one launch. */
#define BUDGET (100ull << 20)

/** Blocks of one level, while their launch runs. */
struct level {
    uint64_t events, blocks, split;
    struct sites sites;
    struct caches *caches; /* NULL: no block yet */
};

/** The launch that runs; there is one at a time. */
static struct {
    pthread_mutex_t lock;
    struct kernel_record *record;
    _Atomic uint32_t least; /* blocks below this level are not watched */
    uint64_t allowed;       /* events */
    struct cache_shape shape;
    struct level levels[LEVELS];
} launch = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct kernel_record *records;
static SOFTGPU_TLS struct block_profile *spare;

struct kernel_record *profile_records(void)
{
    return records;
}

/* 2^-l of all blocks have level l or more.  Multiples of the golden ratio are
 * spread evenly, and keep no step with the rows of a grid. */
static uint32_t level_of(uint64_t linear)
{
    uint32_t spread = (uint32_t)linear * 0x9e3779b9u;

    return spread ? (uint32_t)__builtin_clz(spread) : LEVELS - 1;
}

static uint64_t budget(void)
{
    const char *text = getenv("SOFTGPU_PROFILE_EVENTS");
    uint64_t millions = text ? strtoull(text, NULL, 10) : 0;

    return millions ? millions << 20 : BUDGET;
}

static struct kernel_record *record_of(const struct softgpu_kernel *kernel)
{
    struct kernel_record **at = &records;

    while (*at && (*at)->kernel != kernel)
        at = &(*at)->next;
    if (!*at && (*at = calloc(1, sizeof **at)) != NULL) {
        (*at)->kernel = kernel;
        (*at)->budget = budget();
    }
    return *at;
}

static uint64_t volume(dim3 d)
{
    return (uint64_t)d.x * d.y * d.z;
}

static struct cache_shape shape_of(const struct softgpu_grid *grid)
{
    struct softgpu_block_needs needs = {
        .threads = (int)volume(grid->block),
        .registers = REGISTERS_ASSUMED,
        .shared = grid->kernel->static_shared + grid->dynamic_bytes,
    };

    return cache_shape(softgpu_card(), &needs);
}

static void note_launch(struct kernel_record *r,
                        const struct softgpu_grid *grid)
{
    uint64_t threads = volume(grid->grid) * volume(grid->block);

    r->launches++;
    r->blocks += volume(grid->grid);
    r->threads += threads;
    if (threads > r->most) {
        r->most = threads;
        r->grid = grid->grid;
        r->block = grid->block;
        r->dynamic_shared = grid->dynamic_bytes;
    }
}

static void grid_begin(const struct run *run)
{
    launch.record = record_of(run->grid->kernel);
    atomic_store(&launch.least, 0);
    if (!launch.record)
        return;
    note_launch(launch.record, run->grid);
    if (run->grid->kernel->flags & SOFTGPU_LIBRARY) {
        launch.record->library_ns += live_modelled_ns(run->grid);
        launch.record = NULL; /* nothing of it is seen */
        return;
    }
    launch.allowed = launch.record->budget / 2;
    launch.shape = shape_of(run->grid);
    if (!launch.record->caches)
        launch.record->caches = caches_new(&launch.shape);
}

/* --- blocks -------------------------------------------------------------- */

static struct block_profile *take(void)
{
    struct block_profile *p = spare;

    if (!p)
        return calloc(1, sizeof *p);
    spare = p->next;
    return p;
}

static void give(struct softgpu_block *b)
{
    struct block_profile *p = b->profile;

    b->profile = NULL;
    if (!p)
        return;
    cache_log_clear(&p->cache);
    p->next = spare;
    spare = p;
}

static void block_begin(struct softgpu_block *b)
{
    struct block_profile *p;

    give(b); /* of a grid that failed */
    if (!launch.record || level_of(b->linear) < atomic_load(&launch.least))
        return;
    p = take();
    if (!p)
        return;
    b->profile = p;
    if (lanes_begin(p, b) != 0)
        give(b);
}

/* A level is not watched any more. */
static void drop(struct level *l)
{
    sites_clear(&l->sites);
    caches_free(l->caches); /* the next launch's may have another shape */
    l->caches = NULL;
    l->events = l->blocks = l->split = 0;
}

static void keep_to_budget(void)
{
    uint64_t events = 0;
    uint32_t least = atomic_load(&launch.least);

    for (uint32_t i = least; i < LEVELS; i++)
        events += launch.levels[i].events;
    while (events > launch.allowed && least < LEVELS - 1) {
        events -= launch.levels[least].events;
        drop(&launch.levels[least++]);
    }
    atomic_store(&launch.least, least);
}

/* Where the allocation or the variable begins that holds this byte. */
static uint64_t base_of(uint64_t address)
{
    const void *p = (const void *)(uintptr_t)address;
    const struct softgpu_allocation *a = softgpu_find_allocation(p);
    const struct softgpu_symbol *s = a ? NULL : softgpu_symbol_at(p);

    if (a)
        return (uintptr_t)a->ptr;
    return s ? (uintptr_t)s->address : address & ~0xfffull;
}

/* Samples of global memory name addresses; what is drawn is offsets.  The
 * allocation is alive while the kernel runs. */
static void localise(struct sample *s)
{
    uint64_t base = base_of(s->was.at[__builtin_ctz(s->was.active)]);

    for (uint32_t left = s->was.active; left; left &= left - 1)
        s->was.at[__builtin_ctz(left)] -= base;
}

static void localise_all(struct sites *sites)
{
    for (uint32_t i = 0; i < sites->count; i++)
        if (sites->all[i].kind <= PICTURE_GLOBAL_ATOMIC
            && sites->all[i].sample.cost)
            localise(&sites->all[i].sample);
}

static void add_block(struct level *l, struct block_profile *p)
{
    l->events += p->events;
    l->split += p->split;
    l->blocks++;
    sites_add(&l->sites, &p->sites);
    if (!l->caches)
        l->caches = caches_new(&launch.shape);
    if (l->caches)
        caches_block(l->caches, &p->cache, p->block->linear);
}

static void block_end(struct softgpu_block *b)
{
    struct block_profile *p = b->profile;
    uint32_t level = level_of(b->linear);

    if (!p)
        return;
    lanes_end(p);
    localise_all(&p->sites);
    cache_log_sort(&p->cache);
    pthread_mutex_lock(&launch.lock);
    if (level >= atomic_load(&launch.least)) {
        add_block(&launch.levels[level], p);
        keep_to_budget();
    }
    pthread_mutex_unlock(&launch.lock);
    give(b);
}

static void barrier(struct softgpu_block *b, const void *site)
{
    struct block_profile *p = b->profile;
    struct counters none = {0}, *counters = &none;
    int place;

    if (!p)
        return;
    lanes_meet(p);
    for (uint32_t i = 0; !site && i < b->count; i++)
        if (b->threads[i].word == &b->epoch)
            site = b->threads[i].site; /* who returned opened it */
    place = site_at(&p->sites, (uintptr_t)site, SITE_BLOCK);
    if (place >= 0)
        counters = &p->sites.all[place].counters;
    counters->barriers++;
    for (uint32_t i = 0; i * WARP_LANES < b->count; i++)
        count_barrier(&p->warps[i], counters);
}

/* What the blocks of a level did belongs to the kernel.  @return how many */
static uint64_t keep_level(struct kernel_record *r, struct level *l)
{
    uint64_t blocks = l->blocks;

    sites_add(&r->sites, &l->sites);
    if (r->caches && l->caches)
        caches_merge(r->caches, l->caches);
    r->blocks_watched += blocks;
    r->split += l->split;
    r->budget -= l->events < r->budget ? l->events : r->budget;
    drop(l);
    return blocks;
}

static void grid_end(const struct run *run, int error)
{
    struct kernel_record *r = launch.record;
    uint64_t blocks = 0;

    (void)error;
    if (!r)
        return;
    for (uint32_t i = atomic_load(&launch.least); i < LEVELS; i++)
        blocks += keep_level(r, &launch.levels[i]);
    if (r->caches && blocks)
        caches_launch_end(r->caches, (double)blocks / (double)run->blocks);
    launch.record = NULL;
}

const struct softgpu_hooks profile_hooks = {
    .grid_begin = grid_begin,
    .grid_end = grid_end,
    .block_begin = block_begin,
    .block_end = block_end,
    .barrier = barrier,
    .async_copied = lanes_copied,
    .modelled_ns = live_modelled_ns,
    .host_ns = live_host_ns,
    .span = live_span,
    .queued = live_queued,
};
