/* SPDX-License-Identifier: MIT */
/* From the offsets of 32 lanes to words, sectors and wavefronts. */
#include "access_map.h"

#include <stdlib.h>

/* Kinds of shared memory come after those of global memory. */
int access_map_is_shared(const struct access_map *map)
{
    return map->p->kind >= PATTERN_SHARED_LOAD;
}

/* A lane accesses a byte. */
static void add_byte(struct access_map *map, int64_t byte, int lane)
{
    int i = 0;

    while (i < map->words && map->word[i].at != byte / 4)
        i++;
    if (i == map->words)
        map->word[map->words++] = (struct access_word){.at = byte / 4};
    map->word[i].lanes |= 1u << lane;
    map->word[i].bytes |= 1u << byte % 4;
}

static int by_address(const void *left, const void *right)
{
    const struct access_word *a = left, *b = right;

    return a->at < b->at ? -1 : a->at > b->at;
}

/* One pass: the lanes of `mask`.  Words of the same bank are in different
 * wavefronts.  @return wavefronts */
static int count_pass_wavefronts(struct access_map *map, uint32_t mask)
{
    int in_bank[32] = {0}, most = 0;

    for (int i = 0; i < map->words; i++) {
        struct access_word *w = &map->word[i];
        int *n = &in_bank[w->at % 32];

        if (!(w->lanes & mask))
            continue;
        if (*n > w->wavefront)
            w->wavefront = *n;
        if (++*n > most)
            most = *n;
    }
    return most;
}

int access_map_begins_sector(const struct access_map *map, int i)
{
    return i == 0 || map->word[i].at / 8 != map->word[i - 1].at / 8;
}

/* Collect the words, then the passes: each has the lanes of 128 bytes. */
void access_map_fill(struct access_map *map, const struct access_pattern *p)
{
    int lanes = p->bytes <= 4 ? 32 : p->bytes <= 8 ? 16 : 8;

    *map = (struct access_map){.p = p};
    for (int lane = 0; lane < 32; lane++)
        for (uint32_t b = 0; p->lanes[lane] >= 0 && b < p->bytes; b++)
            add_byte(map, p->lanes[lane] + b, lane);
    qsort(map->word, (size_t)map->words, sizeof *map->word, by_address);
    for (int first = 0; first < 32; first += lanes) {
        uint32_t mask = lanes == 32 ? ~0u : ((1u << lanes) - 1) << first;
        int wavefronts = count_pass_wavefronts(map, mask);

        map->wavefronts += wavefronts;
        map->ideal += wavefronts > 0;
    }
    for (int i = 0; i < map->words; i++) {
        map->sectors += access_map_begins_sector(map, i);
        map->used_bytes += __builtin_popcount(map->word[i].bytes);
    }
}
