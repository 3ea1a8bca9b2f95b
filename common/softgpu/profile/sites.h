/* SPDX-License-Identifier: MIT */
/** @file
 *  A table from code addresses to what was counted there.
 */
#ifndef SOFTGPU_SITES_H
#define SOFTGPU_SITES_H

#include <stddef.h>

#include "profile.h"
#include "rules.h"

/** What a site is: an access (the first six as in pictures), or a block. */
enum site_kind {
    SITE_LOCAL = PICTURE_KINDS,
    SITE_CONSTANT,
    SITE_BLOCK /**< a basic block of the code begins here */
};

/** The costliest warp instruction of a site; ties: the first block's first. */
struct sample {
    uint32_t cost;          /**< sectors, wavefronts or passes; 0: none */
    uint32_t warp;          /**< of the block */
    uint64_t linear;        /**< the block's number in the grid */
    uint3 block;            /**< and its index */
    struct warp_access was; /**< global: offsets from the allocation once the
                                 block has ended, as in shared memory */
};

/** A return address in the program, and the sums of all that happened there. */
struct site {
    uint64_t code;            /**< the return address */
    int kind;                 /**< enum picture_kind or site_kind */
    struct counters counters; /**< of an access, or a barrier */
    uint64_t runs;            /**< of a basic block: by warps */
    uint64_t lanes;           /**< and by threads */
    uint64_t parted;          /**< runs after which the lanes went two ways */
    struct sample sample;     /**< of an access to global or shared memory */
};

/** Sites by code address; all zero is empty. */
struct sites {
    struct site *all;    /**< in order of first use */
    uint32_t count;      /**< how many */
    uint32_t room;
    uint32_t *index;     /**< hash table: 1 + place in all; 2 * room entries */
};

/** The place in `all` of a site, made if it is new; -1 without memory.  May
 *  move `all`.
 *  @param kind  tells apart what happens at the same address */
int site_at(struct sites *sites, uint64_t code, int kind);
/** The site, or NULL. */
const struct site *sites_find(const struct sites *sites, uint64_t code,
                              int kind);
/** Add what another table counted. @return 0, or -1 without memory */
int sites_add(struct sites *to, const struct sites *from);
/** Forget all, keep the memory. */
void sites_clear(struct sites *sites);
/** Give the memory back. */
void sites_free(struct sites *sites);

#endif
