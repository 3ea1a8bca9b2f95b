/* SPDX-License-Identifier: MIT */
/** @file
 *  What was counted of each kernel, over all its launches.
 *
 *  A launch that is too much to watch whole is sampled by blocks.  Which ones
 *  does not depend on the order in which they ran: each block has a level,
 *  and as long as the watched ones did more than the budget allows, those of
 *  the lowest level are dropped.
 */
#ifndef SOFTGPU_PROFILE_GRID_H
#define SOFTGPU_PROFILE_GRID_H

#include "caches.h"
#include "sites.h"

/** Registers a thread, where nobody says how many. */
enum { REGISTERS_ASSUMED = 32 };

/** A kernel and its sums. */
struct kernel_record {
    const struct softgpu_kernel *kernel;
    struct kernel_record *next; /**< in the order of first launch */
    uint64_t launches, blocks, blocks_watched, threads;
    dim3 grid, block;           /**< of the launch with the most threads */
    uint64_t most;              /**< its threads */
    uint32_t dynamic_shared;    /**< bytes, of that launch */
    uint64_t budget;            /**< events that further launches may log */
    uint64_t split;
    uint64_t library_ns;        /**< modelled, of a library's calls */
    struct sites sites;
    struct caches *caches;      /**< NULL without memory */
};

/** The first kernel that was launched. */
struct kernel_record *profile_records(void);

#endif
