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
static const char step_hint[] =
    "The steps add values at distances 1, 2, 4, ... up to half of the tile, "
    "where t >= distance.";

static const struct scan_mistake list[] = {
    {"the sum from the start of its tile on: no prefix is added",
     prefix_hint, NOTHING, .strict = false},
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

/* The other kind, which needs no tiles. */
static void try_other_kind(struct hypotheses *h, const struct scan_input *input)
{
    static const struct scan_mistake none = {"", "", BEFORE, .strict = false};
    const bool exclusive = input->kind == SCAN_EXCLUSIVE;
    double *values = hypothesis_values(h);
    const struct scan_input other = {
        input->in, input->n, exclusive ? SCAN_INCLUSIVE : SCAN_EXCLUSIVE};
    double *sums = malloc((input->n + 1) * sizeof *sums);

    if (!sums)
        return;
    scan_wrong(&other, input->n, &none, sums, values);
    hypothesis_try(h, "An exclusive scan is the inclusive one shifted by one "
                   "position: out[0] is 0.", exclusive
                   ? "the inclusive sum: it contains the element itself"
                   : "the exclusive sum: the element itself is missing");
    free(sums);
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
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        const size_t fits = h->fits;

        for (size_t tile = 32; tile <= 4096 && h->fits == fits; tile *= 2) {
            scan_wrong(input, tile, &list[k], sums, hypothesis_values(h));
            hypothesis_try(h, list[k].hint, "%s", list[k].text);
        }
    }
    free(sums);
}
