/* SPDX-License-Identifier: MIT */
/** @file
 *  The words of memory that one warp instruction accessed, for drawings of its
 *  access pattern.
 */
#ifndef SOFTGPU_ACCESS_MAP_H
#define SOFTGPU_ACCESS_MAP_H

#include "profile.h"

/** Words of an access: 16 unaligned bytes lie in up to 5. */
enum { ACCESS_MAP_WORDS = 32 * 5 };

/** A word of 4 bytes that some lane accessed. */
struct access_word {
    int64_t at;     /**< offset / 4 */
    uint32_t lanes; /**< mask */
    unsigned bytes; /**< mask of its bytes that were accessed */
    int wavefront;  /**< shared memory: its wavefront in its pass, from 0 */
};

/** All words that the warp accessed. */
struct access_map {
    const struct access_pattern *p; /**< not owned */
    struct access_word word[ACCESS_MAP_WORDS]; /**< sorted by offset */
    int words;      /**< number of them; 0 without an active lane */
    int wavefronts; /**< of shared memory */
    int ideal;      /**< passes with an active lane */
    int sectors;    /**< of 32 bytes */
    int used_bytes; /**< distinct bytes */
};

/** The map of a pattern. */
void access_map_fill(struct access_map *map, const struct access_pattern *p);
/** Is it shared memory? */
int access_map_is_shared(const struct access_map *map);
/** Is word `i` in another sector than the word before it? */
int access_map_begins_sector(const struct access_map *map, int i);

#endif
