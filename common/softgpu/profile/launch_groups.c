/* SPDX-License-Identifier: MIT */
#include "launch_groups.h"

#include <stdlib.h>
#include <string.h>

#include "kernel_profile.h"
#include "launch_record.h"

/* Launches whose counts differ by less are modeled alike. */
#define TOLERANCE 0.1

/** A recorded launch, with which later ones are compared, and its time. */
struct recorded_group {
    struct launch_work work;  /* of the first launch */
    struct counters cached;   /* of the same launch */
    struct model_time time;   /* of one launch */
    double us;                /* the same without launch overhead */
};

void launch_work_add(struct level_work *to, const struct sites *sites,
                     const struct caches *caches)
{
    for (uint32_t i = 0; i < sites->count; i++) {
        const struct site *s = &sites->items[i];
        const struct counters *c = &s->counters;

        to->executed += s->warp_executions;
        to->threads += s->thread_executions;
        to->sectors += c->global_load_sectors + c->global_store_sectors
                       + c->global_atomic_sectors;
        to->passes += c->global_load_wavefronts + c->shared_load_wavefronts
                      + c->shared_store_wavefronts
                      + c->shared_atomic_passes + c->global_atomic_passes;
    }
    to->l2 += caches_l2_sectors(caches);
}

static bool nearly_equal(uint64_t a, uint64_t b)
{
    const double difference = a > b ? (double)(a - b) : (double)(b - a);

    return difference <= TOLERANCE * (double)(a > b ? a : b);
}

/* Sum of the levels from `level`: the same blocks of each launch. */
static struct level_work work_from(const struct launch_work *work,
                                   uint32_t level)
{
    struct level_work sum = {0};

    for (; level < SAMPLE_LEVELS; level++) {
        const struct level_work *one = &work->levels[level];

        sum.executed += one->executed;
        sum.threads += one->threads;
        sum.sectors += one->sectors;
        sum.passes += one->passes;
        sum.l2 += one->l2;
    }
    return sum;
}

/* Did the blocks that were sampled of both launches do the same work? */
static bool is_same_work(const struct recorded_group *g,
                         const struct kernel_record *one,
                         const struct launch_work *work)
{
    const uint32_t level = g->work.min_level > work->min_level
                               ? g->work.min_level
                               : work->min_level;
    const struct level_work a = work_from(&g->work, level),
                            b = work_from(work, level);
    const struct counters *x = &g->cached, *y = &one->cached;

    if (g->work.min_level == work->min_level
        && !(nearly_equal(x->dram_read_bytes + x->dram_write_bytes,
                          y->dram_read_bytes + y->dram_write_bytes)
             && nearly_equal(x->global_atomic_hottest,
                             y->global_atomic_hottest)))
        return false;
    return nearly_equal(a.executed, b.executed)
           && nearly_equal(a.threads, b.threads)
           && nearly_equal(a.sectors, b.sectors)
           && nearly_equal(a.passes, b.passes) && nearly_equal(a.l2, b.l2);
}

static bool is_same_shape(const struct launch_group *g,
                          const struct kernel_record *one)
{
    return memcmp(&g->grid, &one->grid, sizeof g->grid) == 0
           && memcmp(&g->block, &one->block, sizeof g->block) == 0
           && g->dynamic_shared == one->dynamic_shared;
}

/* The group that the launch belongs to; `count`: to none. */
static size_t find_group(const struct launch_groups *groups,
                         const struct kernel_record *one,
                         const struct launch_work *work)
{
    size_t i = 0;

    while (i < groups->count
           && !(i < MAX_LAUNCH_GROUPS - 1
                && is_same_shape(&groups->shown[i], one)
                && is_same_work(&groups->counts[i], one, work)))
        i++;
    return i;
}

static void add_time(struct model_time *to, const struct model_time *time)
{
    int longest = 0;

    to->us += time->us;
    for (int i = 0; model_ceilings[i]; i++) {
        to->ceiling[i] += time->ceiling[i];
        if (to->ceiling[i] > to->ceiling[longest])
            longest = i;
    }
    to->limiter = model_ceilings[longest];
}

/* Model the launch. */
static struct recorded_group model_launch(const struct kernel_record *one,
                                          const struct launch_work *work,
                                          struct counters *total)
{
    struct kernel_profile k;
    struct recorded_group g = {.work = *work, .cached = one->cached};

    profile_launch(one, &k);
    *total = k.total;
    g.time = k.model;
    g.us = k.model.us - model_launch_us(&k);
    g.us = g.us > 0 ? g.us : 0;
    profile_kernel_free(&k);
    return g;
}

/* Room for all groups at once: a kernel has few. */
static bool has_room(struct launch_groups *groups)
{
    if (!groups->shown)
        groups->shown = calloc(MAX_LAUNCH_GROUPS, sizeof *groups->shown);
    if (!groups->counts)
        groups->counts = calloc(MAX_LAUNCH_GROUPS, sizeof *groups->counts);
    return groups->shown && groups->counts;
}

/* The launch is the first of a new group, or one more of the last group. */
static size_t add_modeled(struct launch_groups *groups,
                          const struct kernel_record *one,
                          const struct launch_work *work)
{
    struct counters total;
    const struct recorded_group modeled = model_launch(one, work, &total);
    const size_t i = groups->count < MAX_LAUNCH_GROUPS
                         ? groups->count++
                         : MAX_LAUNCH_GROUPS - 1;
    struct launch_group *g = &groups->shown[i];

    if (!g->launches)
        *g = (struct launch_group){.grid = one->grid, .block = one->block,
                                   .dynamic_shared = one->dynamic_shared};
    g->blocks_watched += one->blocks_watched;
    counters_add(&g->total, &total);
    groups->counts[i] = modeled;
    return i;
}

double launch_groups_add(struct launch_groups *groups,
                         const struct kernel_record *one,
                         const struct launch_work *work)
{
    size_t i;

    if (!has_room(groups))
        return 0;
    i = find_group(groups, one, work);
    if (i == groups->count)
        i = add_modeled(groups, one, work);
    groups->shown[i].launches++;
    groups->shown[i].blocks += one->blocks;
    groups->shown[i].us += groups->counts[i].time.us;
    add_time(&groups->time, &groups->counts[i].time);
    return groups->counts[i].us;
}
