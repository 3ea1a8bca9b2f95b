/* SPDX-License-Identifier: MIT */
/** @file
 *  The cost of one warp instruction, by the rules in counters.h: coalescing,
 *  bank conflicts, serialization of atomics.  Pure functions of the lanes'
 *  addresses.
 */
#ifndef SOFTGPU_ACCESS_COST_H
#define SOFTGPU_ACCESS_COST_H

#include <stdbool.h>
#include <stdint.h>

/** Lanes of a warp, bytes of a sector, banks of shared memory. */
enum { COST_LANES = 32, SECTOR_BYTES = 32, SHARED_BANKS = 32 };
/** L1: sectors of a line, and lines whose tags it looks up in a clock. */
enum { LINE_SECTORS = 4, TAGS_PER_CLOCK = 4 };

/** The lanes of a warp that execute one access together. */
struct warp_access {
    uint32_t active;              /**< mask: bit l is lane l; not 0 */
    uint32_t bytes;               /**< per lane: 1, 2, 4, 8, 16, or 32 of TMA */
    uint64_t address[COST_LANES]; /**< of active lanes; of shared memory, the
                                       offset in the block's */
    bool async;                   /**< by an asynchronous copy */
};

/** Cost of an access to global memory. */
struct global_cost {
    uint32_t sectors;                /**< distinct sectors of 32 bytes */
    uint32_t bytes;                  /**< distinct bytes */
    uint32_t ideal;                  /**< sectors if the bytes were packed */
    uint64_t sector[2 * COST_LANES]; /**< address / 32, in rising order */
};

/** Cost of an access to shared memory. */
struct shared_cost {
    uint32_t wavefronts; /**< of all passes */
    uint32_t passes;     /**< with an active lane: the ideal */
};

/** Sectors and bytes of a load, store or atomic in global memory. */
void global_access_cost(const struct warp_access *access,
                        struct global_cost *cost);
/** Wavefronts of a load of global memory in L1, all sectors hits.
 *  @param cost  of the same access */
uint32_t global_load_wavefronts(const struct warp_access *access,
                                const struct global_cost *cost);
/** Wavefronts of a load or store in shared memory. */
struct shared_cost shared_access_cost(const struct warp_access *access);
/** Passes of an atomic: the most lanes with the same address. */
uint32_t atomic_serialization(const struct warp_access *access);
/** Passes of a load from constant memory: its distinct words of 4 bytes. */
uint32_t constant_passes_of(const struct warp_access *access);

#endif
