/* SPDX-License-Identifier: MIT */
/** @file
 *  What one warp instruction costs, by the rules in counters.h.  Pure
 *  functions of the lanes' addresses; nothing here knows of the program.
 */
#ifndef SOFTGPU_RULES_H
#define SOFTGPU_RULES_H

#include <stdbool.h>
#include <stdint.h>

enum { RULE_LANES = 32, RULE_SECTOR = 32, RULE_BANKS = 32 };

/** The lanes of a warp that execute one access together. */
struct warp_access {
    uint32_t active;         /**< bit l: lane l takes part; not 0 */
    uint32_t bytes;          /**< a lane: 1, 2, 4, 8 or 16 */
    uint64_t at[RULE_LANES]; /**< addresses, of active lanes; of shared memory:
                                  offsets in the block's */
    bool async;             /**< by a copy that goes on beside the lanes */
};

/** Cost in global memory. */
struct global_cost {
    uint32_t sectors; /**< distinct chunks of 32 bytes */
    uint32_t bytes;   /**< union of the lanes' bytes */
    uint32_t ideal;   /**< chunks, were those bytes packed */
    uint64_t sector[2 * RULE_LANES]; /**< their numbers: address / 32, rising */
};

/** Cost in shared memory. */
struct shared_cost {
    uint32_t wavefronts; /**< sum over the passes */
    uint32_t passes;     /**< with an active lane: the ideal */
};

/** Sectors and bytes of a load, store or atomic in global memory. */
void rule_global(const struct warp_access *access, struct global_cost *cost);
/** Wavefronts of a load or store in shared memory. */
struct shared_cost rule_shared(const struct warp_access *access);
/** The most lanes that meet at one address: an atomic's passes. */
uint32_t rule_atomic(const struct warp_access *access);
/** Distinct 4-byte words: passes of a load from constant memory. */
uint32_t rule_constant(const struct warp_access *access);

#endif
