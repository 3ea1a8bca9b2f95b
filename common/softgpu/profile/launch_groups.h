/* SPDX-License-Identifier: MIT */
/** @file
 *  Groups of a kernel's launches that are modeled alike.
 *
 *  Each launch is modeled by itself, and a kernel's time is the sum.  Programs
 *  repeat launches, so a launch takes the time of an earlier one if both have
 *  the same grid, block and size of dynamic shared memory, and if the blocks
 *  that were sampled of both did the same work, to a tenth.  So one more launch
 *  never lowers a kernel's time, whatever it does.
 */
#ifndef SOFTGPU_LAUNCH_GROUPS_H
#define SOFTGPU_LAUNCH_GROUPS_H

#include "caches.h"
#include "sites.h"

struct kernel_record;

/** Sampling levels of blocks; block 0 has the last one. */
enum { SAMPLE_LEVELS = 33 };

/** Counts of the sampled blocks of one level. */
struct level_work {
    uint64_t blocks;   /**< sampled */
    uint64_t executed; /**< basic blocks, by warps */
    uint64_t threads;  /**< basic blocks, by threads */
    uint64_t sectors;  /**< of global memory, accessed */
    uint64_t passes;   /**< wavefronts of shared memory, passes of atomics */
    uint64_t l2;       /**< sectors read from L2 or written to it */
};

/** Counts and times of a launch. */
struct launch_work {
    uint32_t min_level; /**< blocks of lower levels were not sampled */
    struct level_work levels[SAMPLE_LEVELS];
};

/** The groups of one kernel; all zero: no launch yet. */
struct launch_groups {
    struct launch_group *shown;    /**< owned; as in struct kernel_profile */
    struct recorded_group *counts; /**< owned; to compare launches by */
    size_t count;                  /**< of both */
    struct model_time time;        /**< of all launches */
};

/** Add the work of the sites and the caches of a level.
 *  @param[in,out] to      the sum
 *  @param[in]     sites   of its sampled blocks
 *  @param[in]     caches  of the same blocks; NULL: none */
void launch_work_add(struct level_work *to, const struct sites *sites,
                     const struct caches *caches);

/** Add a launch that has ended: to the group of launches like it, or to a new
 *  group, for which it is modeled.
 *
 *  @param[in,out] groups  of its kernel
 *  @param[in]     one     a record of this launch alone
 *  @param[in]     work    of the same launch
 *  @return its modeled microseconds, without launch overhead */
double launch_groups_add(struct launch_groups *groups,
                         const struct kernel_record *one,
                         const struct launch_work *work);

#endif
