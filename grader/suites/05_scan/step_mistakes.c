/* SPDX-License-Identifier: MIT */
/* Mistakes of lab 05 in the rounds of shuffles, or the steps of a tree. */
#include <stdbool.h>

#include "labs/05_scan/scan.h"
#include "mistakes.h"

/* The sums of the first warp's lanes, of so many elements each. */
static void add_lanes(const struct scan_input *input, size_t items,
                      double lane[32])
{
    enum { LANES = 32 };

    for (size_t i = 0; i < LANES * items; i++)
        lane[i / items] = (i % items ? lane[i / items] : 0)
                          + (i < input->n ? (double)input->in[i] : 0);
    for (size_t distance = 1; distance < LANES; distance *= 2)
        for (size_t i = LANES; i-- > 0;)
            lane[i] += lane[i >= distance ? i - distance : i];
}

/* __shfl_up_sync() gives a lane below the distance its own value.  How the
 * sums of the warps are combined is open.  A lane of several elements adds the
 * sum of the lane before it. */
static void try_unchecked_lanes(struct hypotheses *h,
                                const struct scan_input *input, size_t items)
{
    enum { LANES = 32 };
    double lane[LANES], own = 0, *values = hypothesis_values(h);

    add_lanes(input, items, lane);
    for (size_t i = 0; i < input->n; i++) {
        const size_t t = i / items;
        const double before = t > 0 && t < LANES ? lane[t - 1] : 0;
        const double sum = before + (i % items ? own : 0);

        own = (i % items ? own : 0) + (double)input->in[i];
        values[i] = t >= LANES                      ? HYPOTHESIS_ANY
                    : input->kind == SCAN_EXCLUSIVE ? sum
                    : items == 1                    ? lane[t]
                                                    : before + own;
    }
    hypothesis_try(h, "Add what a shuffle gives only where lane >= distance: "
                   "other lanes get their own value.",
                   "the sum, in the first warp, by shuffles without the "
                   "check of the lane");
}

void scan_lane_mistakes(struct hypotheses *h, const struct scan_input *input)
{
    const size_t fits = h->fits;

    for (size_t items = 1; items <= 16 && h->fits == fits; items *= 2)
        try_unchecked_lanes(h, input, items);
}

/* A step that is left out: a round of shuffles, or one of a tree; or the lane
 * at each step's distance from the first one does not add. */
struct lost_step {
    size_t tile, items; /* elements of a tile, and of a lane, in a row */
    size_t distance;    /* of the step, in lanes; 0: all are there */
    size_t first;       /* of the lanes that add, behind a step's distance */
    bool only_sums;     /* it is there, but not in the sums of the tiles */
};

/* The lanes' sums, from their own ones.
 * @return the tile's sum */
static double scan_lanes(const struct lost_step *m, size_t lanes, double *sums)
{
    double all = 0;

    for (size_t i = 0; i < lanes; i++)
        all += i & m->distance ? 0 : sums[i];
    for (size_t step = 1; step < m->tile / m->items; step *= 2)
        for (size_t i = lanes; (m->only_sums || step != m->distance)
                               && i-- > step + m->first;)
            sums[i] += sums[i - step];
    return m->only_sums ? all : sums[lanes - 1];
}

/* A tile of the scan.  A lane of several elements adds the sum of the lane
 * before it.
 * @return the tile's sum */
static double scan_tile_without(const struct scan_input *input, size_t first,
                                const struct lost_step *m, double prefix,
                                double *sums, double *values)
{
    const size_t rest = input->n - first, items = m->items;
    const size_t count = rest < m->tile ? rest : m->tile;
    const size_t lanes = (count + items - 1) / items;
    double own = 0, sum;

    for (size_t i = 0; i < lanes; i++) {
        sums[i] = 0;
        for (size_t k = i * items; k < count && k < (i + 1) * items; k++)
            sums[i] += input->in[first + k];
    }
    sum = scan_lanes(m, lanes, sums);
    for (size_t i = 0; i < count; i++) {
        const size_t lane = i / items;
        const double before = lane ? sums[lane - 1] : 0;
        const double at = input->in[first + i];

        own = (i % items ? own : before) + at;
        values[first + i] = prefix + (input->kind == SCAN_EXCLUSIVE
                                          ? (i % items ? own - at : before)
                                      : items == 1 ? sums[lane] : own);
    }
    return sum;
}

/* The whole scan with this mistake, if it can be: in sums it shows only from
 * the second tile on. */
static void try_lost_step(struct hypotheses *h, const struct scan_input *input,
                          const struct lost_step *m, double *sums)
{
    double *values = hypothesis_values(h), prefix = 0;

    if (m->distance >= m->tile / m->items
        || (m->only_sums && input->n <= m->tile))
        return;
    for (size_t first = 0; first < input->n; first += m->tile)
        prefix += scan_tile_without(input, first, m, prefix, sums, values);
    hypothesis_try(h, "The rounds of a warp's shuffles have the distances 16, "
                   "8, 4, 2 and 1, those of a tree all powers of two below "
                   "its size: is the loop's first or last one lost?",
                   m->only_sums
                   ? "the sum with tile sums that lack a round of shuffles, "
                     "or a step: that between elements %zu apart"
                   : "the sum by shuffles, or steps, without the round "
                     "between elements %zu apart", m->distance * m->items);
}

/* lane > distance, where lane >= distance is meant. */
static void try_late_lanes(struct hypotheses *h,
                           const struct scan_input *input, size_t tile,
                           size_t items, double *sums)
{
    const struct lost_step m = {tile, items, 0, 1, false};
    double *values = hypothesis_values(h), prefix = 0;

    for (size_t first = 0; first < input->n; first += tile)
        prefix += scan_tile_without(input, first, &m, prefix, sums, values);
    hypothesis_try(h, "Lane i adds the sum of lane i - distance where i >= "
                   "distance: at i = distance there is one, too.",
                   "the sum in which, in each round, the lane at that "
                   "distance from the first one does not add");
}

void scan_lost_steps(struct hypotheses *h, const struct scan_input *input,
                     double *sums)
{
    enum { MOST_ELEMENTS = 1 << 17 };

    if (input->n > MOST_ELEMENTS)
        return;
    for (size_t tile = 32; tile <= 4096; tile *= 2)
        for (size_t k = 0; k < 4 * 12; k++)
            try_lost_step(h, input,
                          &(struct lost_step){tile, (size_t)1 << k % 4,
                                              (size_t)1 << k / 4, 0, false},
                          sums);
    for (size_t tile = 32; tile <= 4096; tile *= 2)
        for (size_t items = 1; items <= 8; items *= 2)
            try_late_lanes(h, input, tile, items, sums);
    for (size_t tile = 32; tile <= 4096; tile *= 2)
        for (size_t k = 0; k < 12; k++)
            try_lost_step(h, input,
                          &(struct lost_step){tile, 1, (size_t)1 << k, 0,
                                              true},
                          sums);
}
