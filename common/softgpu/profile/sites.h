/* SPDX-License-Identifier: MIT */
/** @file
 *  Sites: a table from code addresses to the counters of the instruction or
 *  basic block there.
 */
#ifndef SOFTGPU_SITES_H
#define SOFTGPU_SITES_H

#include <stddef.h>

#include "access_cost.h"
#include "profile.h"

/** Kinds of site, after those of enum pattern_kind. */
enum site_kind {
    SITE_LOCAL = PATTERN_KINDS, /**< an access to local memory */
    SITE_CONSTANT,              /**< a load from constant memory */
    SITE_BASIC_BLOCK            /**< a basic block begins here */
};

/** The costliest access of a site; of equal ones that of the first block and
 *  warp. */
struct sample {
    uint32_t cost;   /**< sectors, wavefronts or passes; 0: no sample */
    uint32_t warp;   /**< of the block */
    uint64_t linear; /**< linear index of the block in the grid */
    uint3 block;     /**< its index */
    struct warp_access access; /**< global memory: addresses while the block
                                    runs, then offsets from the allocation */
};

/** One site. */
struct site {
    uint64_t code;              /**< return address in the program */
    int kind;                   /**< enum pattern_kind or site_kind */
    struct counters counters;   /**< of an access or a barrier */
    uint64_t warp_executions;   /**< of a basic block: by warps */
    uint64_t thread_executions; /**< of a basic block: by threads */
    uint64_t diverged;          /**< of the warps: lanes branched apart after */
    struct sample sample;       /**< of an access to global or shared memory */
};

/** Sites by code address; all zero is an empty table. */
struct sites {
    struct site *items; /**< in the order of their first execution */
    uint32_t count;     /**< of items */
    uint32_t capacity;  /**< of items */
    uint32_t *index;    /**< hash table of item + 1; 2 * capacity slots */
};

/** Find a site, or add it.
 *
 *  @param sites  its items may move
 *  @param code   return address
 *  @param kind   sites of different kinds may have the same address
 *  @return index in items; -1 without memory */
int sites_find_or_add(struct sites *sites, uint64_t code, int kind);
/** Find a site.  @return NULL if there is none */
const struct site *sites_lookup(const struct sites *sites, uint64_t code,
                                int kind);
/** Add all counters of another table.  @return 0, or -1 without memory */
int sites_add(struct sites *to, const struct sites *from);
/** Requests to global memory of all sites: loads, stores and atomics. */
uint64_t sites_global_requests(const struct sites *sites);
/** Remove all sites; the memory is kept. */
void sites_clear(struct sites *sites);
/** Free the memory; the table is empty then. */
void sites_free(struct sites *sites);

#endif
