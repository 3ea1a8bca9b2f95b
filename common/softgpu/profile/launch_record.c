/* SPDX-License-Identifier: MIT */
/* The profiler's hooks: a launch begins, blocks begin and end, the launch
 * ends. */
#include "launch_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/softgpu/core/symbols.h"
#include "common/softgpu/host/device.h"
#include "common/softgpu/host/launch.h"
#include "common/softgpu/host/memory.h"
#include "lane_log.h"
#include "profiler.h"
#include "timeline_record.h"

/* Events (accesses and basic blocks of threads) logged for one kernel: the
 * work of some seconds.  A launch may use half of what is left. */
#define DEFAULT_EVENT_BUDGET (100ull << 20)

/** Sums of the sampled blocks of one level, during a launch. */
struct level {
    uint64_t events, blocks, split, phases, arrivals;
    uint64_t busiest; /* most requests to global memory that one of them has */
    struct sites sites;
    struct caches *caches; /* NULL: no block yet */
};

/** A launch. */
struct launch {
    struct kernel_record *record;
    _Atomic uint32_t min_level; /* blocks below this level are not sampled */
    uint64_t event_limit;
    struct cache_config config;
    struct level levels[SAMPLE_LEVELS];
    struct launch *next; /* of those that wait */
    const struct run *run; /* whose it is, of a launch that waits */
    struct lane_parameters parameters; /* likewise */
};

static pthread_mutex_t launch_lock = PTHREAD_MUTEX_INITIALIZER;
static struct launch launch; /* the one that runs; only one runs at a time */
static struct launch *waiting; /* that have begun */

static struct kernel_record *records;
static SOFTGPU_TLS struct block_profile *free_list;
static SOFTGPU_TLS double launch_us; /* of last_launch_us() */

struct kernel_record *kernel_records(void)
{
    return records;
}

double last_launch_us(void)
{
    return launch_us;
}

/* A block has level l or more with probability 2^-l.  Multiples of the golden
 * ratio are spread evenly and do not follow the rows of a grid. */
static uint32_t sample_level(uint64_t linear)
{
    uint32_t spread = (uint32_t)linear * 0x9e3779b9u;

    return spread ? (uint32_t)__builtin_clz(spread) : SAMPLE_LEVELS - 1;
}

static uint64_t event_budget(void)
{
    const char *text = getenv("SOFTGPU_PROFILE_EVENTS");
    const double millions = text ? strtod(text, NULL) : 0;

    return millions > 0 && millions < 1 << 20 ? (uint64_t)(millions * 0x1p20)
                                              : DEFAULT_EVENT_BUDGET;
}

static struct kernel_record *find_or_add_record(
    const struct softgpu_kernel *kernel)
{
    struct kernel_record **at = &records;

    while (*at && (*at)->kernel != kernel)
        at = &(*at)->next;
    if (!*at && (*at = calloc(1, sizeof **at)) != NULL) {
        (*at)->kernel = kernel;
        (*at)->event_budget = event_budget();
    }
    return *at;
}

static uint64_t dim3_volume(dim3 d)
{
    return (uint64_t)d.x * d.y * d.z;
}

static struct cache_config cache_config_of(const struct softgpu_grid *grid)
{
    struct softgpu_block_resources needs = {
        .threads = (int)dim3_volume(grid->block),
        .registers = REGISTERS_ASSUMED,
        .shared = softgpu_static_shared(grid->kernel) + grid->dynamic_bytes,
    };

    return cache_config(softgpu_card(), &needs);
}

static void record_launch(struct kernel_record *r,
                          const struct softgpu_grid *grid)
{
    uint64_t threads = dim3_volume(grid->grid) * dim3_volume(grid->block);

    r->launches++;
    r->blocks += dim3_volume(grid->grid);
    r->threads += threads;
    if (threads > r->largest_launch_threads) {
        r->largest_launch_threads = threads;
        r->grid = grid->grid;
        r->block = grid->block;
        r->dynamic_shared = grid->dynamic_bytes;
    }
}

static void grid_begin(const struct run *run)
{
    launch_us = 0;
    launch.record = find_or_add_record(run->grid->kernel);
    atomic_store(&launch.min_level, 0);
    if (!launch.record)
        return;
    record_launch(launch.record, run->grid);
    if (run->grid->kernel->flags & SOFTGPU_LIBRARY) {
        launch.record->library_ns += launch_modeled_ns(run->grid);
        launch.record = NULL; /* library calls have no counters */
        return;
    }
    launch.event_limit = launch.record->event_budget / 2;
    launch.config = cache_config_of(run->grid);
}

/* Put the launch aside while others run.  Without memory its counts are
 * lost. */
static void begin_wait(const struct run *run)
{
    struct launch *l = malloc(sizeof *l);

    if (l) {
        memcpy(l, &launch, sizeof *l);
        l->parameters = profile_swap_parameters(l->parameters);
        l->run = run;
        l->next = waiting;
        waiting = l;
    }
    memset(&launch, 0, sizeof launch);
}

static void end_wait(const struct run *run)
{
    struct launch **at = &waiting, *l;

    while (*at && (*at)->run != run)
        at = &(*at)->next;
    if (!(l = *at))
        return;
    *at = l->next;
    memcpy(&launch, l, sizeof launch);
    profile_swap_parameters(launch.parameters);
    free(l);
}

static void grid_waits(const struct run *run, int waits)
{
    if (waits)
        begin_wait(run);
    else
        end_wait(run);
}

/* --- blocks -------------------------------------------------------------- */

static struct block_profile *acquire_block_profile(void)
{
    struct block_profile *p = free_list;

    if (!p)
        return calloc(1, sizeof *p);
    free_list = p->next;
    return p;
}

static void release_block_profile(struct softgpu_block *b)
{
    struct block_profile *p = b->profile;

    b->profile = NULL;
    if (!p)
        return;
    cache_log_clear(&p->cache);
    p->next = free_list;
    free_list = p;
}

static void block_begin(struct softgpu_block *b)
{
    struct block_profile *p;

    release_block_profile(b); /* left by a launch that failed */
    if (!launch.record
        || sample_level(b->linear) < atomic_load(&launch.min_level))
        return;
    p = acquire_block_profile();
    if (!p)
        return;
    b->profile = p;
    if (block_log_begin(p, b) != 0)
        release_block_profile(b);
}

/* Stop sampling the blocks of a level. */
static void discard_level(struct level *l)
{
    sites_clear(&l->sites);
    /* the next launch may have another cache configuration */
    caches_free(l->caches);
    l->caches = NULL;
    l->events = l->blocks = l->split = 0;
    l->phases = l->arrivals = l->busiest = 0;
}

static void drop_levels_over_budget(void)
{
    uint64_t events = 0;
    uint32_t min_level = atomic_load(&launch.min_level);

    for (uint32_t i = min_level; i < SAMPLE_LEVELS; i++)
        events += launch.levels[i].events;
    while (events > launch.event_limit && min_level < SAMPLE_LEVELS - 1) {
        events -= launch.levels[min_level].events;
        discard_level(&launch.levels[min_level++]);
    }
    atomic_store(&launch.min_level, min_level);
}

/* Start of the allocation or variable that contains the address. */
static uint64_t allocation_base(uint64_t address)
{
    const void *p = (const void *)(uintptr_t)address;
    const struct softgpu_allocation *a = softgpu_find_allocation(p);
    const struct softgpu_symbol *s = a ? NULL : softgpu_symbol_at(p);

    if (a)
        return (uintptr_t)a->ptr;
    return s ? (uintptr_t)s->address : address & ~0xfffull;
}

/* Replace the addresses of a sample by offsets from its allocation, which
 * exists as long as the kernel runs. */
static void make_sample_relative(struct sample *s)
{
    uint64_t base =
        allocation_base(s->access.address[__builtin_ctz(s->access.active)]);

    for (uint32_t left = s->access.active; left; left &= left - 1)
        s->access.address[__builtin_ctz(left)] -= base;
}

static void make_samples_relative(struct sites *sites)
{
    for (uint32_t i = 0; i < sites->count; i++)
        if (sites->items[i].kind <= PATTERN_GLOBAL_ATOMIC
            && sites->items[i].sample.cost)
            make_sample_relative(&sites->items[i].sample);
}

static void add_block(struct level *l, struct block_profile *p)
{
    const uint64_t requests = sites_global_requests(&p->sites);

    l->busiest = requests > l->busiest ? requests : l->busiest;
    l->events += p->events;
    l->split += p->split;
    l->phases += p->phase_count;
    l->arrivals += p->arrivals;
    l->blocks++;
    sites_add(&l->sites, &p->sites);
    if (!l->caches)
        l->caches = caches_new(&launch.config);
    if (l->caches)
        caches_replay_block(l->caches, &p->cache, p->block->linear);
}

static void block_end(struct softgpu_block *b)
{
    struct block_profile *p = b->profile;
    uint32_t level = sample_level(b->linear);

    if (!p)
        return;
    block_log_end(p);
    make_samples_relative(&p->sites);
    cache_log_sort(&p->cache);
    pthread_mutex_lock(&launch_lock);
    if (level >= atomic_load(&launch.min_level)) {
        add_block(&launch.levels[level], p);
        drop_levels_over_budget();
    }
    pthread_mutex_unlock(&launch_lock);
    release_block_profile(b);
}

/* Add the counters of a level's blocks to those of the launch. */
static void merge_level(struct kernel_record *one, struct caches *caches,
                        struct level *l)
{
    sites_add(&one->sites, &l->sites);
    if (caches && l->caches)
        caches_merge(caches, l->caches);
    one->blocks_watched += l->blocks;
    one->split += l->split;
    one->cached.barrier_phases += l->phases;
    one->cached.barrier_arrivals += l->arrivals;
    if (l->busiest > one->cached.global_busiest_requests)
        one->cached.global_busiest_requests = l->busiest;
    discard_level(l);
}

/* Move what all levels counted into a record of this launch alone. */
static void collect_launch(const struct run *run, struct kernel_record *one,
                           struct launch_work *work)
{
    struct caches *caches = caches_new(&launch.config);

    *one = (struct kernel_record){.kernel = run->grid->kernel};
    record_launch(one, run->grid);
    work->min_level = atomic_load(&launch.min_level);
    for (uint32_t i = work->min_level; i < SAMPLE_LEVELS; i++) {
        struct level *l = &launch.levels[i];

        launch_work_add(&work->levels[i], &l->sites, l->caches);
        work->levels[i].blocks = l->blocks;
        one->event_budget += l->events;
        merge_level(one, caches, l);
    }
    if (caches && one->blocks_watched)
        caches_launch_end(caches, (double)one->blocks_watched
                                      / (double)run->blocks);
    if (caches)
        caches_add_counters(caches, &one->cached);
    caches_free(caches);
}

/* Model the launch, unless one like it was, and add it to the kernel. */
static void grid_end(const struct run *run, int error)
{
    struct kernel_record *r = launch.record, one;
    struct launch_work work = {0};

    (void)error;
    if (!r)
        return;
    collect_launch(run, &one, &work);
    launch_us = launch_groups_add(&r->groups, &one, &work);
    sites_add(&r->sites, &one.sites);
    counters_add(&r->cached, &one.cached);
    r->blocks_watched += one.blocks_watched;
    r->split += one.split;
    r->event_budget -= one.event_budget < r->event_budget ? one.event_budget
                                                          : r->event_budget;
    sites_free(&one.sites);
    launch.record = NULL;
}

const struct softgpu_hooks profile_hooks = {
    .grid_begin = grid_begin,
    .grid_end = grid_end,
    .grid_waits = grid_waits,
    .grid_passes = grid_waits,
    .block_begin = block_begin,
    .block_end = block_end,
    .barrier = profile_barrier,
    .numbered_barrier = profile_numbered_barrier,
    .grid_barrier = profile_grid_barrier,
    .ordered = profile_ordered,
    .async_copy_issued = block_log_async_copy,
    .modeled_ns = launch_modeled_ns,
    .host_ns = consume_host_ns,
    .span = timeline_add_span,
    .queued = timeline_count_call,
};
