/* SPDX-License-Identifier: MIT */
/* Mistakes of lab 05 in what is added to a tile, or to the elements of a warp:
 * sums that are right from its first element on, and a prefix that is not. */
#include <math.h>
#include <stdbool.h>

#include "labs/05_scan/scan.h"
#include "mistakes.h"

/* Neighboring elements, all of which get the same prefix. */
struct part {
    size_t first, last; /* from here to before here */
    double got, want;   /* the prefix in the output, and the right one */
};

/* The largest difference by roundings alone. */
static double rounding_of(const struct hypotheses *h, size_t i)
{
    return fmax(element_tolerance(h->evidence->expected, i),
                0x1p-22 * fabs(evidence_got(h->evidence, i)));
}

/* Subtract the sums from the part's first element on.  The values are set to
 * the prefix plus these.
 * @return is what is left the same for all of the part? */
static bool find_prefix(const struct hypotheses *h,
                        const struct scan_input *input, struct part *part,
                        double *values)
{
    const bool is_exclusive = input->kind == SCAN_EXCLUSIVE;
    const double *want = h->evidence->expected->want;
    double own = 0;

    part->want = want[part->first] - (is_exclusive ? 0
                                                   : input->in[part->first]);
    for (size_t i = part->first; i < part->last; i++) {
        const double element = input->in[i], got = evidence_got(h->evidence, i);
        const double sum = is_exclusive ? own : own + element;

        own += element;
        if (i == part->first)
            part->got = got - sum;
        values[i] = part->got + sum;
        if (!(fabs(got - values[i]) <= rounding_of(h, i)))
            return false;
    }
    return true;
}

static struct part part_at(const struct scan_input *input, size_t first,
                           size_t size)
{
    const size_t rest = input->n - first;

    return (struct part){.first = first,
                         .last = first + (rest < size ? rest : size)};
}

/* The sums of warps, or of tiles, lose their fractions in an int: each prefix
 * is a whole number, and less than 1 is lost for each part before it. */
static void try_whole_prefixes(struct hypotheses *h,
                               const struct scan_input *input, size_t size)
{
    enum { LEAST = 3 }; /* one may be whole by chance */
    double *values = hypothesis_values(h), last = 0;
    size_t telling = 0;

    for (size_t first = 0; first < input->n; first += size) {
        struct part part = part_at(input, first, size);
        const double whole =
            find_prefix(h, input, &part, values) ? rint(part.got) : INFINITY;
        const bool is_wrong = h->evidence->comparison->wrong_mask[first];

        if (!(fabs(part.got - whole) <= rounding_of(h, first))
            || rounding_of(h, first) > 0x1p-6
            || (is_wrong
                && fabs(whole - part.want) > (double)(first / size)))
            return;
        telling += is_wrong && whole != last;
        last = whole;
    }
    if (telling < LEAST)
        return;
    hypothesis_try(h, "Keep sums of floats in floats, also those of warps and "
                   "tiles in shared memory or in the workspace.",
                   "the sum with the fractions cut off the sums of the parts "
                   "of %zu elements before: are these kept in an int?", size);
}

/* The sum of the elements from `first` to before `last`. */
static double sum_between(const struct hypotheses *h,
                          const struct scan_input *input, size_t first,
                          size_t last)
{
    const double *want = h->evidence->expected->want;
    const bool exclusive = input->kind == SCAN_EXCLUSIVE;

    return want[last] - (exclusive ? 0 : input->in[last])
           - (want[first] - (exclusive ? 0 : input->in[first]));
}

/* What the first two parts' prefixes lack if it is the same, or NAN. */
static double lost_prefix(const struct hypotheses *h,
                          const struct scan_input *input, size_t start,
                          size_t size, double *values)
{
    struct part one = part_at(input, start, size), two = one;

    if (one.last < input->n)
        two = part_at(input, one.last, size);
    if (!find_prefix(h, input, &one, values)
        || !find_prefix(h, input, &two, values))
        return NAN;
    return fabs((one.want - one.got) - (two.want - two.got))
                   <= 2 * rounding_of(h, two.first)
               ? one.want - one.got : NAN;
}

/* A loop over pieces of the sums of tiles, whose carry from piece to piece is
 * wrong: later prefixes lack the sums of all, of the first half, which is one
 * of two pieces, or of the second half of what is before.
 *  @param values  those of the hypothesis, right already
 *  @return is it so? */
static bool try_carry(struct hypotheses *h, const struct scan_input *input,
                      size_t start, size_t size, double *values)
{
    static const char hint[] = "A loop over the sums of tiles carries the sum "
        "of all pieces before: add each piece's to it.";
    const size_t half = start / 2;
    const double lost = lost_prefix(h, input, start, size, values);
    const double least = 2 * rounding_of(h, start);

    if (fabs(lost - sum_between(h, input, 0, start)) <= least)
        hypothesis_try(h, hint, "right but for the sum before its tile, which "
                       "begins again at 0 with element %zu: is the sum of the "
                       "pieces before not carried on?", start);
    else if (fabs(lost - sum_between(h, input, 0, half)) <= least)
        hypothesis_try(h, hint, "right but for the sum before its tile, which "
                       "from element %zu on lacks that of the first %zu: is "
                       "the sum of the last piece carried alone?", start, half);
    else if (fabs(lost - sum_between(h, input, half, start)) <= least)
        hypothesis_try(h, hint, "right but for the sum before its tile, which "
                       "from element %zu on lacks that of elements %zu to "
                       "%zu: is the carry not added to after the first piece?",
                       start, half, start - 1);
    else
        return false;
    return true;
}

/* As many sums of tiles as one block can hold have a right prefix, later ones
 * have not. */
static void try_last_level(struct hypotheses *h,
                           const struct scan_input *input, size_t size)
{
    enum { FEWEST = 32, MOST = 4096, /* elements of such a block */
           LEVELS = 4 /* launches of one level are three at most */ };
    const struct facts *f = h->evidence->facts;
    const size_t start = h->evidence->comparison->first, tiles = start / size;
    double *values = hypothesis_values(h);

    if (f && f->launches == 1) /* a look-back: no block scans the sums */
        return;
    if (start % size || tiles < FEWEST || tiles > MOST || (tiles & (tiles - 1))
        || input->n < start + 8)
        return;
    for (size_t first = start; first < input->n; first += size) {
        struct part part = part_at(input, first, size);

        if (!find_prefix(h, input, &part, values))
            return;
    }
    h->is_vague = true; /* so does any other limit on the number of tiles */
    if (try_carry(h, input, start, size, values)) {
        h->is_vague = false;
        return;
    }
    if (f && f->launches >= LEVELS)
        hypothesis_try(h, "With more tiles than a block has sums there is a "
                       "second level: its sums lie behind all of the first in "
                       "the workspace, and are added to them before these are "
                       "added to the elements.",
                       "right but for the sum before its tile, from tile %zu "
                       "of %zu elements on: are the sums of the second level "
                       "stored over those of the first, or not added to them?",
                       tiles, size);
    else
        hypothesis_try(h, "The sums of the tiles need a scan of their own, for "
                       "any number of tiles: with more levels where one block "
                       "cannot hold them all, or by a block that loops over "
                       "them.",
                       "right but for the sum before its tile, from tile %zu "
                       "of %zu elements on: does one block scan the sums of "
                       "the first %zu tiles only?", tiles, size, tiles);
    h->is_vague = false;
}

void scan_prefix_mistakes(struct hypotheses *h, const struct scan_input *input)
{
    enum { SMALLEST = 32, LARGEST = 8192 };
    const size_t fits = h->fits;

    for (size_t size = LARGEST; size >= SMALLEST && h->fits == fits; size /= 2)
        try_whole_prefixes(h, input, size);
    for (size_t size = LARGEST; size >= SMALLEST && h->fits == fits; size /= 2)
        try_last_level(h, input, size);
}
