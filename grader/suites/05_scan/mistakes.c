/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 05: a scan by tiles is computed with each of them. */
#include "mistakes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "labs/05_scan/scan.h"

/* A scan of tiles, and what is wrong with it. */
struct scan_mistake {
    const char *text, *hint;
    /* what is added to a tile: the sum of all tiles before it, or */
    enum { BEFORE, NOTHING, ONE_BEFORE, WITH_OWN } prefix;
    bool half_window;  /* the last step of the tree is missing */
    bool strict;       /* element `offset` is left out of each step */
    bool sum_one_short; /* a tile's sum lacks its last element */
};

static const char prefix_hint[] =
    "The prefix of a tile is the sum of all tiles before it: the sums of the "
    "tiles need an exclusive scan of their own.";
static const char unstored_hint[] =
    "The prefix of a tile is the sum of all tiles before it: the sums of the "
    "tiles need an exclusive scan of their own. If there is one: is each sum "
    "stored before the root is set to 0, and is the prefix added?";
static const char step_hint[] =
    "The steps add values at distances 1, 2, 4, ... up to half of the tile, "
    "where t >= distance.";

static const struct scan_mistake list[] = {
    {"the sum from the start of its tile on: no prefix is added",
     unstored_hint, NOTHING, .strict = false},
    {"its tile's sum plus that of the one tile before it", prefix_hint,
     ONE_BEFORE, .strict = false},
    {"the sum plus the sum of its own tile", prefix_hint, WITH_OWN,
     .strict = false},
    {"the sum with the last element of each earlier tile left out",
     "A tile's sum includes its last element, in an exclusive scan, too.",
     BEFORE, .sum_one_short = true},
    {"the sum without the last step of its tile", step_hint, BEFORE,
     .half_window = true},
    {"the sum by steps with t > distance for t >= distance", step_hint,
     BEFORE, .strict = true},
};

/* Inclusive sums within a tile by Hillis and Steele's steps. */
static void scan_tile(const float *in, size_t count, size_t tile,
                      const struct scan_mistake *m, double *sums)
{
    for (size_t i = 0; i < count; i++)
        sums[i] = in[i];
    for (size_t distance = 1; distance < (m->half_window ? tile / 2 : tile);
         distance *= 2)
        for (size_t i = count; i-- > distance + m->strict;)
            sums[i] += sums[i - distance];
}

/* The whole scan with this mistake. */
static void scan_wrong(const struct scan_input *input, size_t tile,
                       const struct scan_mistake *m, double *sums,
                       double *values)
{
    double prefix = 0, last = 0;

    for (size_t first = 0; first < input->n; first += tile) {
        const size_t rest = input->n - first;
        const size_t count = rest < tile ? rest : tile;
        double own;

        scan_tile(input->in + first, count, tile, m, sums);
        own = sums[count - 1] - (m->sum_one_short ? input->in[first + count - 1]
                                                  : 0);
        for (size_t i = 0; i < count; i++) {
            const double added = m->prefix == NOTHING      ? 0
                                 : m->prefix == ONE_BEFORE ? last
                                 : m->prefix == WITH_OWN   ? prefix + own
                                                           : prefix;
            const bool exclusive = input->kind == SCAN_EXCLUSIVE;

            values[first + i] = added + (!exclusive ? sums[i]
                                         : i > 0    ? sums[i - 1] : 0);
        }
        prefix += own;
        last = own;
    }
}

/* The other kind, which needs no tiles.  Two wrong elements may be so by any
 * mistake that leaves a term out. */
static void try_other_kind(struct hypotheses *h, const struct scan_input *input)
{
    enum { FEWEST = 3 };
    static const struct scan_mistake none = {"", "", BEFORE, .strict = false};
    const bool exclusive = input->kind == SCAN_EXCLUSIVE;
    double *values = hypothesis_values(h);
    const struct scan_input other = {
        input->in, input->n, exclusive ? SCAN_INCLUSIVE : SCAN_EXCLUSIVE};
    double *sums;

    if (h->evidence->comparison->wrong < FEWEST
        || !(sums = malloc((input->n + 1) * sizeof *sums)))
        return;
    scan_wrong(&other, input->n, &none, sums, values);
    hypothesis_try(h, "An exclusive scan is the inclusive one shifted by one "
                   "position: out[0] is 0.", exclusive
                   ? "the inclusive sum: it contains the element itself"
                   : "the exclusive sum: the element itself is missing");
    free(sums);
}

/* Loads with a distance of a block between the elements of a thread, which then
 * owns elements in a row. */
static void try_striped(struct hypotheses *h, const struct scan_input *input,
                        size_t threads, size_t items)
{
    const size_t tile = threads * items;
    double *values = hypothesis_values(h), sum = 0;

    for (size_t i = 0; i < input->n; i++) {
        const size_t k = i % tile;
        const size_t from = i - k + k % items * threads + k / items;
        const double element = from < input->n ? input->in[from] : 0;

        values[i] = input->kind == SCAN_EXCLUSIVE ? sum : sum + element;
        sum += element;
    }
    hypothesis_try(h, "Load the elements that the thread owns; or exchange "
                   "them in shared memory, so that each thread has "
                   "elements in a row.",
                   "the sum with thread t's element j loaded from j * %zu + t, "
                   "stored at t * %zu + j", threads, items);
}

static void try_all_striped(struct hypotheses *h,
                            const struct scan_input *input)
{
    for (size_t threads = 32; threads <= 1024; threads *= 2)
        for (size_t items = 2; items <= 16; items *= 2)
            if (threads * items <= 4096)
                try_striped(h, input, threads, items);
}

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
    static const char hint[] =
        "Which predecessors does a tile add? All aggregates back to the "
        "nearest known prefix, and that prefix: each once, also when more "
        "than a window of them has no prefix yet. Are all states cleared in "
        "each call, before a tile looks at them?";
    static const char own_hint[] =
        "The prefix that a tile publishes is the sum before it plus its own. "
        "And each aggregate between the nearest prefix and a tile is added.";
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
            hypothesis_try(h, found.unowned == found.wrong ? own_hint : hint,
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

/* As one thread adds all elements, in float. */
static void try_single_thread(struct hypotheses *h,
                              const struct scan_input *input)
{
    double *values = hypothesis_values(h);
    float sum = 0;

    for (size_t i = 0; i < input->n; i++) {
        const float before = sum;

        sum += input->in[i];
        values[i] = input->kind == SCAN_EXCLUSIVE ? before : sum;
    }
    h->precision = 0x1p20; /* the same roundings */
    hypothesis_try(h, "Let many threads share the work: one long chain of "
                   "additions loses precision.",
                   "the sum in float of a single thread");
    h->precision = 8;
}

/* The difference between this number and the next larger one. */
static double ulp_of(float x)
{
    return (double)nextafterf(fabsf(x), INFINITY) - (double)fabsf(x);
}

/* Does this wrong element differ from the right one by a rounding of the
 * inclusive sum, of which the element was subtracted?  What is left is a
 * multiple of the smallest difference between numbers of their size. */
static bool is_remainder(const struct hypotheses *h, size_t i, double element)
{
    const double want = h->evidence->expected->want[i];
    const double got = evidence_got(h->evidence, i);
    const float inclusive = (float)(want + element);
    const double unit = fmin(ulp_of(inclusive), ulp_of((float)element));

    if (!isfinite(element) || !isfinite(want))
        return isnan(got);
    return fmod(got, unit) == 0
           && fabs(got - want) <= 2 * fmax(ulp_of(inclusive), unit);
}

/* The exclusive sum as the inclusive one minus the element: of a small sum
 * before a large element no digit may be left.  A few zeros are no evidence of
 * that, but they tell where to look. */
static void try_subtraction(struct hypotheses *h,
                            const struct scan_input *input, bool is_vague)
{
    const double needed = h->needed;
    const unsigned char *wrong = h->evidence->comparison->wrong_mask;
    double *values = hypothesis_values(h);

    if (input->kind != SCAN_EXCLUSIVE)
        return;
    for (size_t i = 0; i < input->n; i++) {
        if (wrong[i] && !is_remainder(h, i, input->in[i]))
            return;
        values[i] = evidence_got(h->evidence, i);
    }
    h->is_vague = is_vague;
    h->needed = is_vague ? 1 : needed;
    hypothesis_try(h, is_vague ? "Is the element subtracted from its inclusive "
                   "sum? Next to a large one the small sum before it loses its "
                   "digits. Take the inclusive sum of the element before."
                   : "Do not subtract: next to a large element the small sum "
                   "before it loses its digits, and infinity - infinity is "
                   "NaN. Take the inclusive sum of the element before.",
                   "%s", is_vague ? "what is left of the inclusive sum minus "
                   "the element, in float"
                   : "the inclusive sum minus the element");
    h->is_vague = false;
    h->needed = needed;
}

void scan_mistakes(struct hypotheses *h, const void *context)
{
    const struct scan_input *input = context;
    double *sums = malloc(4096 * sizeof *sums);

    if (!sums || input->n == 0) {
        free(sums);
        return;
    }
    h->precision = 8; /* the bound allows long chains of additions */
    try_other_kind(h, input);
    try_subtraction(h, input, false);
    try_single_thread(h, input);
    if (!h->fits)
        scan_lane_mistakes(h, input);
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        const size_t fits = h->fits;

        for (size_t tile = 32; tile <= 4096 && h->fits == fits; tile *= 2) {
            scan_wrong(input, tile, &list[k], sums, hypothesis_values(h));
            hypothesis_try(h, list[k].hint, "%s", list[k].text);
        }
    }
    if (!h->fits)
        scan_lost_steps(h, input, sums);
    free(sums);
    if (!h->fits)
        try_all_striped(h, input);
    if (!h->fits && h->evidence->expected->steps == 0)
        try_lost_tiles(h, input);
    if (!h->fits)
        scan_prefix_mistakes(h, input);
    if (!h->fits)
        try_subtraction(h, input, true);
}
