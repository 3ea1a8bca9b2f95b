/* SPDX-License-Identifier: MIT */
/** @file
 *  The modeled time of a kernel whose launches differ, after a change: each
 *  group of launches is changed in the same proportion.
 */
#include "profile.h"

/* A value of a group, changed as that of the kernel.  What the kernel did not
 * have before is spread by the group's share. */
static uint64_t changed_alike(uint64_t value, uint64_t old_total,
                              uint64_t new_total, double share)
{
    if (old_total == new_total)
        return value;
    return old_total ? (uint64_t)((double)value * (double)new_total
                                  / (double)old_total)
                     : (uint64_t)((double)new_total * share);
}

static uint64_t at_least_1(uint64_t n)
{
    return n ? n : 1;
}

static unsigned block_threads(const struct kernel_profile *k)
{
    return k->block.x * k->block.y * k->block.z;
}

/* A group as a kernel of its own, with the averages of its launches. */
static struct kernel_profile kernel_of_group(const struct kernel_profile *k,
                                             const struct launch_group *g)
{
    struct kernel_profile one = *k;

    one.grid = g->grid;
    one.block = g->block;
    one.dynamic_shared = g->dynamic_shared;
    one.launches = g->launches;
    one.blocks = g->blocks;
    one.blocks_watched = g->blocks_watched;
    one.total = g->total;
    return one;
}

/* Change a group as its kernel was. */
static void change_group(struct kernel_profile *one,
                         const struct kernel_profile *k,
                         const struct kernel_profile *changed)
{
    const double share =
        (double)one->blocks_watched / (double)at_least_1(k->blocks_watched);

    one->launches = at_least_1(
        changed_alike(one->launches, k->launches, changed->launches, share));
    one->blocks = at_least_1(
        changed_alike(one->blocks, k->blocks, changed->blocks, share));
    one->blocks_watched = at_least_1(changed_alike(
        one->blocks_watched, k->blocks_watched, changed->blocks_watched,
        share));
    one->block.x = (unsigned)at_least_1(changed_alike(
        one->block.x, block_threads(k), block_threads(changed), share));
    one->registers = changed->registers;
    one->static_shared = changed->static_shared;
    one->dynamic_shared = (uint32_t)changed_alike(
        one->dynamic_shared, k->dynamic_shared, changed->dynamic_shared, 1);
#define X(name, metric, description)                                     \
    one->total.name = changed_alike(one->total.name, k->total.name,     \
                                    changed->total.name, share);
    SOFTGPU_COUNTERS(X)
#undef X
}

/* The time of a group, changed as its average is. */
static double changed_group_us(const struct softgpu_card *card,
                               const struct kernel_profile *k,
                               const struct launch_group *g,
                               const struct kernel_profile *changed)
{
    struct kernel_profile before = kernel_of_group(k, g), after = before;

    change_group(&after, k, changed);
    model_kernel(card, &before);
    model_kernel(card, &after);
    return before.model.us > 0 ? g->us * after.model.us / before.model.us : 0;
}

double model_changed_us(const struct softgpu_card *card,
                        const struct kernel_profile *k,
                        const struct kernel_profile *changed)
{
    struct kernel_profile average = *changed;
    double us = 0;

    for (size_t i = 0; i < k->group_count; i++)
        us += changed_group_us(card, k, &k->groups[i], changed);
    if (k->group_count)
        return us;
    model_kernel(card, &average);
    return average.model.us;
}
