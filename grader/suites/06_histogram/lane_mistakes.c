/* SPDX-License-Identifier: MIT */
/* Mistakes of lab 06 in what the lanes of a warp add for each other, and in
 * counters of too few bits. */
#include "mistakes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "labs/06_histogram/histogram.h"

enum { LANES = 32 };

/* The first lane with a value adds the number of all lanes, not of those with
 * the same value. */
static void try_whole_warps(struct hypotheses *h,
                            const struct histogram_input *input)
{
    double *values = hypothesis_values(h);

    for (size_t v = 0; v < HISTOGRAM_BINS; v++)
        values[v] = 0;
    for (size_t first = 0; first < input->n; first += LANES) {
        const size_t left = input->n - first;
        const size_t lanes = left < LANES ? left : LANES;

        for (size_t i = first; i < first + lanes; i++) {
            size_t k = first;

            while (input->in[k] != input->in[i])
                k++;
            if (k == i)
                values[input->in[i]] += (double)lanes;
        }
    }
    hypothesis_try(h, "A lane that counts for others adds as many as have its "
                   "value: the bits of what __match_any_sync() returns.",
                   "the number of bytes in all warps that have one of this "
                   "value");
}

/* Lane 0 of each warp adds its peers, and no other lane does. */
static void try_first_lane(struct hypotheses *h,
                           const struct histogram_input *input)
{
    double *values = hypothesis_values(h);

    if (input->n <= LANES)
        return; /* too few: another lane may be lost */
    for (size_t first = 0; first < input->n; first += LANES)
        for (size_t i = first; i < input->n && i < first + LANES; i++)
            values[input->in[i]] -= input->in[i] != input->in[first];
    hypothesis_try(h, "The lane that adds for all lanes with its value is the "
                   "first of them, __ffs(mask) - 1, of each value another one.",
                   "the number of bytes that equal the first one of their "
                   "warp: only lane 0 of each warp adds");
}

/* The lane that counts for a warp's equal values is taken from __ffs(), which
 * counts from 1: the one after the first of them counts if it is one, too. */
static void try_lane_of_ffs(struct hypotheses *h,
                            const struct histogram_input *input)
{
    double *values = hypothesis_values(h);

    for (size_t first = 0; first < input->n; first += LANES) {
        const size_t left = input->n - first;
        const size_t end = first + (left < LANES ? left : LANES);

        for (size_t i = first; i < end; i++) {
            const uint8_t value = input->in[i];
            size_t k = first;

            while (input->in[k] != value)
                k++;
            values[value] -= k + 1 == end || input->in[k + 1] != value;
        }
    }
    hypothesis_try(h, "__ffs() counts bits from 1: the first lane of a mask is "
                   "__ffs(mask) - 1.",
                   "what is counted where the lane after the first one with a "
                   "value counts, and has that value");
}

/* Each lane adds the number of lanes with its value: c lanes add c * c.  A lane
 * may load several bytes at once, which are matched one after another. */
static void try_each_peer(struct hypotheses *h,
                          const struct histogram_input *input, size_t width)
{
    const size_t group = LANES * width;
    double *values = hypothesis_values(h);

    memset(values, 0, HISTOGRAM_BINS * sizeof *values);
    for (size_t first = 0; first < input->n; first += group)
        for (size_t member = 0; member < width; member++) {
            double count[HISTOGRAM_BINS] = {0};
            size_t i = first + member;

            for (; i < input->n && i < first + group; i += width)
                count[input->in[i]]++;
            for (size_t v = 0; v < HISTOGRAM_BINS; v++)
                values[v] += count[v] * count[v];
        }
    hypothesis_try(h, "Of the lanes with equal values one adds their number: "
                   "the first in the mask of __match_any_sync(), __ffs(mask) - "
                   "1. Or each lane adds 1.",
                   "the sum of c * c over the warps, for a value that c lanes "
                   "have: each of them adds c");
}

/* Which lane counts byte i?  Words of `width` bytes are one a lane, those
 * before the first and after the last one are, too. */
static size_t lane_of(const struct histogram_input *input, size_t i,
                      size_t width)
{
    const size_t rest = (width - input->offset % width) % width;
    const size_t head = rest < input->n ? rest : input->n;
    const size_t tail = head + (input->n - head) / width * width;

    return (i < head ? i : i < tail ? (i - head) / width : i - tail) % LANES;
}

/* Each lane counts in a copy of its own, of which only the first are added. */
static void try_lost_copies(struct hypotheses *h,
                            const struct histogram_input *input)
{
    static const size_t widths[] = {1, 4, 16}, kept[] = {16, 8, 4, 2, 1};
    enum { WIDTHS = 3, KEPT = 5, CERTAIN_FROM = 1000 };
    const size_t fits = h->fits;
    const double needed = h->needed;

    if (input->n <= LANES)
        return; /* of so few, those of some lanes are lost for any reason */
    h->needed = 8; /* as those of the last bytes, which may be the same */
    for (size_t k = 0; k < WIDTHS * KEPT && h->fits == fits; k++) {
        const size_t lanes = kept[k / WIDTHS];
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < input->n; i++)
            values[input->in[i]] -= lane_of(input, i, widths[k % WIDTHS])
                                    >= lanes;
        h->is_vague = input->n < CERTAIN_FROM;
        hypothesis_try(h, "Where each lane counts in a copy of its own, a bin "
                       "is the sum of all 32 copies, however many warps a "
                       "block has.",
                       "the count without the bytes of lanes %zu to 31 of each "
                       "warp: are their copies added?", lanes);
        h->is_vague = false;
    }
    h->needed = needed;
}

void histogram_lane_mistakes(struct hypotheses *h,
                             const struct histogram_input *input)
{
    const double needed = h->needed;

    try_whole_warps(h, input);
    try_first_lane(h, input);
    try_lane_of_ffs(h, input);
    try_lost_copies(h, input);
    h->needed = 12; /* of a few bytes only one value may be there twice */
    for (size_t width = 1; width <= 16 && input->n > 1; width *= 4)
        try_each_peer(h, input, width);
    h->needed = needed;
}

/* Counters of a few bits, several in a word: one that overflows adds to the
 * next one.  How often each did depends on the blocks' shares. */
static void try_packed_counters(struct hypotheses *h, int bits, int bins)
{
    const double limit = (double)(1u << bits), needed = h->needed;
    const double *want = h->evidence->expected->want;
    double *values = hypothesis_values(h);
    double carry = 0;
    bool is_carried = false; /* seen in another bin: else nothing tells it */

    for (int bin = 0; bin < HISTOGRAM_BINS; bin++) {
        const double got = evidence_got(h->evidence, (size_t)bin);
        const double lost = want[bin] + carry - got;
        const double times = lost / limit;

        if (lost < 0 || times != floor(times))
            return;
        is_carried = is_carried || carry > 0;
        carry = bin % bins < bins - 1 ? times : 0;
        values[bin] = got;
    }
    if (!is_carried)
        return;
    h->needed = 8; /* two bins of one word tell it */
    hypothesis_try(h, "A counter of few bits must be added to the bins before "
                   "it can overflow: how many bytes does a block count?",
                   "what counters of %d bits give that share a word: one that "
                   "overflows adds to the next one", bits);
    h->needed = needed;
}

/* Nothing is left of counts that are multiples of 256: those of the call before
 * were smaller and right, so that some are added. */
static void try_wrapped_to_zero(struct hypotheses *h)
{
    const struct evidence *e = h->evidence;
    const double needed = h->needed;
    bool is_16_bits = true;
    double *values = hypothesis_values(h), before = 0;

    for (size_t i = 0; i < e->previous_count; i++)
        before = fmax(before, e->previous[i]);
    for (size_t bin = 0; bin < HISTOGRAM_BINS; bin++) {
        if (!e->comparison->wrong_mask[bin])
            continue;
        if (evidence_got(e, bin) != 0 || fmod(values[bin], 0x1p8) != 0
            || values[bin] <= before)
            return;
        is_16_bits = is_16_bits && fmod(values[bin], 0x1p16) == 0;
        values[bin] = 0;
    }
    if (before == 0)
        return;
    h->needed = 1;
    h->is_vague = true; /* a thread may add nothing for another reason */
    hypothesis_try(h, "What is the largest number that the type of a counter "
                   "can hold, and how many bytes does it count before it is "
                   "added to the bins? 255 fit in 8 bits, 65,535 in 16.",
                   "0, where a multiple of %s is expected, and smaller counts "
                   "were right: does a counter of %s bits, of a thread, a warp "
                   "or a block, wrap around?",
                   is_16_bits ? "65,536" : "256", is_16_bits ? "8 or 16" : "8");
    h->is_vague = false;
    h->needed = needed;
}

/* Bins that are the largest count of a block, not the sum of all: the blocks'
 * bytes are those of a grid-stride loop. */
static void try_largest_block(struct hypotheses *h,
                              const struct histogram_input *input)
{
    enum { MOST_BLOCKS = 64 };
    const size_t size = hypothesis_block_size(h);
    const size_t blocks = hypothesis_grid_size(h);
    double *values = hypothesis_values(h);

    if (size == 0 || blocks < 2 || blocks > MOST_BLOCKS)
        return;
    memset(values, 0, HISTOGRAM_BINS * sizeof *values);
    for (size_t block = 0; block < blocks; block++) {
        double count[HISTOGRAM_BINS] = {0};

        for (size_t i = 0; i < input->n; i++)
            count[input->in[i]] += i / size % blocks == block;
        for (size_t v = 0; v < HISTOGRAM_BINS; v++)
            values[v] = fmax(values[v], count[v]);
    }
    hypothesis_try(h, "The counts of the blocks are added up: atomicAdd().",
                   "the largest count that one of the %zu blocks has, not the "
                   "sum of all", blocks);
}

/* A comparison that leaves out counts of 1. */
static void try_lost_ones(struct hypotheses *h)
{
    const double needed = h->needed;
    double *values = hypothesis_values(h);
    size_t larger = 0;

    for (size_t v = 0; v < HISTOGRAM_BINS; v++) {
        larger += values[v] > 1;
        values[v] = values[v] == 1 ? 0 : values[v];
    }
    h->needed = 8; /* there may be few of them */
    if (larger > 2)
        hypothesis_try(h, "Is a count compared before it is added to the bins? "
                       "Only a 0 may be left out.",
                       "0 where 1 is expected, and larger counts are right");
    h->needed = needed;
}

void histogram_counter_mistakes(struct hypotheses *h,
                                const struct histogram_input *input)
{
    try_largest_block(h, input);
    try_lost_ones(h);
    try_packed_counters(h, 16, 2);
    try_packed_counters(h, 8, 4);
    if (!h->fits)
        try_wrapped_to_zero(h);
}
