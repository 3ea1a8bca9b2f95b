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
    "stored before the root is set to 0, and is the prefix added? With "
    "look-back: is the sum added at which it ends, the nearest known prefix?";
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

/* Are some elements of a tile right, and others not? */
static bool is_part_of_tile(const struct hypotheses *h, size_t tile)
{
    enum { LEAST = 4 };
    const struct comparison *c = h->evidence->comparison;

    for (size_t first = tile; first < c->count; first += tile) {
        const size_t rest = c->count - first;
        const size_t elements = rest < tile ? rest : tile;
        size_t wrong = 0;

        for (size_t i = first; i < first + elements; i++)
            wrong += c->wrong_mask[i];
        if (wrong >= LEAST && wrong + LEAST <= elements)
            return true;
    }
    return false;
}

/* One mistake of the list, with the tile that fits.  A single wrong element is
 * the first one after any group whose sum is lost.
 *  @return is it a prefix that a part of each tile lacks? */
static bool try_tiles(struct hypotheses *h, const struct scan_input *input,
                      const struct scan_mistake *m, double *sums)
{
    const size_t fits = h->fits;
    const size_t most = h->evidence->comparison->wrong > 1 ? 4096 : 0;
    bool is_part = false;

    for (size_t tile = 32; tile <= most && h->fits == fits; tile *= 2) {
        scan_wrong(input, tile, m, sums, hypothesis_values(h));
        is_part = m->prefix == NOTHING && is_part_of_tile(h, tile);
        if (is_part)
            hypothesis_try(h, "The prefix goes to each element of the tile: "
                           "does the loop that adds it take the steps of the "
                           "one that loads or stores the elements?",
                           "the sum from the start of its tile of %zu on: the "
                           "prefix is added to other elements of the tile, not "
                           "to it", tile);
        else
            hypothesis_try(h, m->hint, "%s", m->text);
    }
    return is_part && h->fits > fits;
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
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if (try_tiles(h, input, &list[k], sums))
            break; /* with other tiles, other mistakes fit it, too */
    if (!h->fits)
        scan_lost_steps(h, input, sums);
    free(sums);
    if (!h->fits)
        try_all_striped(h, input);
    if (!h->fits)
        scan_tile_mistakes(h, input);
    if (!h->fits)
        scan_prefix_mistakes(h, input);
    if (!h->fits)
        try_subtraction(h, input, true);
}
