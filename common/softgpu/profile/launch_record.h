/* SPDX-License-Identifier: MIT */
/** @file
 *  Counters of each kernel, over all its launches.
 *
 *  A launch that is too large to be counted completely is sampled by blocks.
 *  Which blocks are sampled does not depend on the order in which they ran:
 *  each block has a level, and while the sampled blocks have more events than
 *  the budget allows, those of the lowest level are dropped.
 */
#ifndef SOFTGPU_LAUNCH_RECORD_H
#define SOFTGPU_LAUNCH_RECORD_H

#include "launch_groups.h"
#include "sites.h"

/** Registers per thread when ptxas does not tell. */
enum { REGISTERS_ASSUMED = 32 };

/** The sums of one kernel. */
struct kernel_record {
    const struct softgpu_kernel *kernel; /**< the kernel */
    struct kernel_record *next; /**< in the order of first launch */
    uint64_t launches, blocks, blocks_watched, threads; /**< totals */
    dim3 grid, block;                /**< of the launch with the most threads */
    uint64_t largest_launch_threads; /**< threads of that launch */
    uint32_t dynamic_shared;         /**< bytes, of that launch */
    uint64_t event_budget; /**< events that further launches may log */
    uint64_t split;        /**< as in block_profile */
    uint64_t library_ns;   /**< modeled, of library calls */
    struct sites sites;
    struct counters cached;      /**< of L2, DRAM and the busiest region */
    struct launch_groups groups; /**< with the modeled times */
};

/** The record of the kernel that was launched first; NULL: none was. */
struct kernel_record *kernel_records(void);
/** Modeled duration of the launch that ended last on this OS thread, without
 *  launch overhead; 0: it has no counters.
 *  @return microseconds */
double last_launch_us(void);

#endif
