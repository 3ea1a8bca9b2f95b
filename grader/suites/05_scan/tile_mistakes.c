/* SPDX-License-Identifier: MIT */
/* Mistakes of lab 05 in which tiles are added to another one: some are left
 * out, or are there twice. */
#include <stdbool.h>
#include <stdint.h>

#include "labs/05_scan/scan.h"
#include "mistakes.h"

/* The difference of all elements of the tile that starts here.
 *  @return is it the same for all? */
static bool same_difference(const struct hypotheses *h, size_t first,
                            size_t last, double *difference)
{
    const double *want = h->evidence->expected->want;

    *difference = evidence_got(h->evidence, first) - want[first];
    for (size_t i = first; i < last; i++)
        if (evidence_got(h->evidence, i) - want[i] != *difference)
            return false;
    return true;
}

/* Is this difference the sum of some tiles in a row, all before tile number
 * `tile`?  before[t] is the sum of all tiles before tile t. */
static bool is_sum_of_tiles(const double *before, size_t tile,
                            double difference)
{
    for (size_t from = 0; from < tile; from++)
        for (size_t to = from + 1; to <= tile; to++)
            if (before[to] - before[from] == difference)
                return true;
    return false;
}

/* Is it the sum of tiles up to the one before, without the first tile?  A tile
 * after the second one lacks these where their prefixes do not include their
 * own sums. */
static bool is_sum_up_to(const double *before, size_t tile, double difference)
{
    for (size_t from = 1; from < tile; from++)
        if (before[tile] - before[from] == difference)
            return true;
    return false;
}

/* How the wrong tiles differ from the right ones. */
struct tile_differences {
    size_t wrong, more, less; /**< wrong tiles; with a sum of tiles too much,
                                   or missing */
    size_t unowned;           /**< of these: that of the ones just before */
    uint64_t from;  /**< bit t: each lacks those from tile t up to its own */
    size_t first;   /**< wrong tile */
};

/* Tiles t for which the difference is the sum of those from t up to this. */
static uint64_t tiles_from(const double *before, size_t tile, double difference)
{
    uint64_t tiles = 0;

    for (size_t from = 0; from < tile; from++)
        tiles |= (uint64_t)(before[tile] - before[from] == difference) << from;
    return tiles;
}

/* Is the sum of no tile added from one on where the last, incomplete group of
 * 4, 8, ... begins?  Then that is its number; else 0. */
static size_t first_unadded(const struct tile_differences *d, size_t tiles)
{
    const size_t from = d->first - 1;

    for (size_t group = 4; d->wrong > 1 && group <= from; group *= 2)
        if (tiles - tiles % group == from && d->from >> from & 1)
            return from;
    return 0;
}

/* Compare the difference of each tile with the sums of tiles before it. */
static bool compare_tiles(const struct hypotheses *h,
                          const struct scan_input *input, size_t tile,
                          double *before, struct tile_differences *found)
{
    const size_t tiles = (input->n + tile - 1) / tile;

    *found = (struct tile_differences){.from = UINT64_MAX};
    for (size_t t = 0; t < tiles; t++) {
        const size_t first = t * tile;
        const size_t last = first + tile < input->n ? first + tile : input->n;
        double difference;

        before[t + 1] = before[t];
        for (size_t i = first; i < last; i++)
            before[t + 1] += input->in[i];
        if (!same_difference(h, first, last, &difference))
            return false;
        if (difference == 0)
            continue;
        if (found->wrong++ == 0)
            found->first = t;
        found->from &= tiles_from(before, t, -difference);
        found->more += is_sum_of_tiles(before, t, difference);
        found->less += is_sum_of_tiles(before, t, -difference);
        found->unowned += is_sum_up_to(before, t, -difference);
    }
    return found->wrong > 0;
}

/* Whole numbers: does each wrong tile miss the sum of earlier tiles, or have
 * it twice?  Which tiles these are depends on when a look-back found them. */
static void try_lost_tiles(struct hypotheses *h, const struct scan_input *input)
{
    static const char look_back_hint[] =
        "Which predecessors does a tile add? All aggregates back to the "
        "nearest known prefix, and that prefix: each once, also when more "
        "than a window of them has no prefix yet. Are all states cleared in "
        "each call, before a tile looks at them?";
    static const char own_hint[] =
        "The prefix that a tile publishes is the sum before it plus its own. "
        "And each aggregate between the nearest prefix and a tile is added.";
    static const char levels_hint[] =
        "The prefix of a tile is the sum of all tiles before it, each once, "
        "also where the sums of the tiles are scanned in levels or rows, and "
        "is added to the elements of its own tile. Where tiles wait for "
        "others: are all states cleared in each call?";
    const struct facts *f = h->evidence->facts;
    const bool has_levels = f && f->launches > 1;
    enum { MOST_TILES = 64 };
    double before[MOST_TILES + 1] = {0};

    for (size_t tile = 8192; tile >= 64 && !h->fits
                             && input->n <= tile * MOST_TILES; tile /= 2) {
        const size_t tiles = (input->n + tile - 1) / tile;
        struct tile_differences found;
        double *values = hypothesis_values(h);

        if (!compare_tiles(h, input, tile, before, &found)
            || (found.more < found.wrong && found.less < found.wrong))
            continue;
        for (size_t i = 0; i < input->n; i++)
            values[i] = evidence_got(h->evidence, i);
        h->is_vague = true; /* a finding says why */
        if (first_unadded(&found, tiles))
            hypothesis_try(h, "", "the sum without those of the tiles from "
                           "number %zu on, of %zu: are the sums of tiles added "
                           "in groups, and is the last, incomplete one left "
                           "out? Each needs a check of its own.",
                           first_unadded(&found, tiles), tiles);
        else
            hypothesis_try(h, has_levels ? levels_hint
                           : found.unowned == found.wrong ? own_hint
                           : look_back_hint,
                           found.unowned == found.wrong
                           ? "the sum without that of the tile just before, or "
                             "of several up to it, but with that of the first "
                             "tile"
                           : found.less == found.wrong
                           ? "the sum without that of one or more tiles before"
                           : "the sum with that of one or more tiles before "
                             "added twice");
        h->is_vague = false;
    }
}

/* An exclusive sum that is stored one element further: the first one of a tile
 * comes from the tile before, with that tile's sum, and gets the prefix of its
 * own tile on top of it. */
static void try_first_of_tiles(struct hypotheses *h,
                               const struct scan_input *input, size_t tile)
{
    double *values = hypothesis_values(h), own = 0;

    if (input->kind != SCAN_EXCLUSIVE || input->n < tile + 2)
        return; /* of a tile of one element all would be wrong */
    for (size_t i = 0; i < input->n; i++) {
        if (i % tile == 0) {
            values[i] += own;
            own = 0;
        }
        own += input->in[i];
    }
    h->is_whole = true;
    hypothesis_try(h, "The first element of a tile is that tile's prefix, and "
                   "0 before the prefix is added: let its own block store it, "
                   "and no block store an element of the next tile.",
                   "the first of its tile of %zu elements, and has the sum of "
                   "the tile before twice: does that tile store it, before the "
                   "prefix is added?", tile);
    h->is_whole = false;
}

void scan_tile_mistakes(struct hypotheses *h, const struct scan_input *input)
{
    for (size_t tile = 8192; tile >= 32 && !h->fits; tile /= 2)
        try_first_of_tiles(h, input, tile);
    if (!h->fits && h->evidence->expected->steps == 0)
        try_lost_tiles(h, input);
}
