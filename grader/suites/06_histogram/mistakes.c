/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 06: bytes and bins that are left out or added twice. */
#include "mistakes.h"

#include <math.h>

#include "labs/06_histogram/histogram.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Bytes from `first` to before `last` are not counted, of them only those with
 * i % step == 0. */
static double *count_without(struct hypotheses *h,
                             const struct histogram_input *input,
                             size_t first, size_t last, size_t step)
{
    double *values = hypothesis_values(h);

    for (size_t i = first; i < last; i += step)
        values[input->in[i]]--;
    return values;
}

/* One byte, or those after the last whole group, which a loop leaves out.  They
 * differ in few counts, so little evidence must do. */
static void try_lost_ends(struct hypotheses *h,
                          const struct histogram_input *input)
{
    static const char hint[] = "Is the number of blocks rounded up, and does "
                               "the bounds check let the last byte pass?";
    enum { MANY = 31 };
    const double needed = h->needed;
    const size_t n = input->n;

    h->needed = 8;
    if (n == 1) {
        count_without(h, input, 0, 1, 1);
        h->is_vague = true; /* many mistakes lose it: more bytes tell more */
        hypothesis_try(h, "Is a block launched, does its thread pass the "
                       "bounds check, and is its own count added to the bins?",
                       "the count without the only byte");
        h->is_vague = false;
    }
    if (n >= MANY) { /* of a few it is one by chance */
        count_without(h, input, n - 1, n, 1);
        hypothesis_try(h, hint, "the count without the last byte");
    }
    if (n >= MANY) {
        count_without(h, input, 0, 1, 1);
        hypothesis_try(h, "Byte 0 counts, too.", "the count without the first "
                       "byte");
    }
    for (size_t group = 4, tail = n % 2; group <= 1024; group *= 2) {
        if (n % group == tail || n % group <= 1 || n < group)
            continue; /* the same bytes as before, or all */
        tail = n % group;
        count_without(h, input, n - tail, n, 1);
        hypothesis_try(h, hint, "the count without the last %zu bytes, after "
                       "the last whole group of %zu", tail, group);
    }
    h->needed = needed;
}

/* Only one block's count, of its bytes in a grid-stride loop. */
static void try_single_blocks(struct hypotheses *h,
                              const struct histogram_input *input)
{
    const size_t size = hypothesis_block_size(h);
    const size_t blocks = hypothesis_grid_size(h);

    if (size == 0 || blocks < 2 || blocks > 64)
        return;
    for (size_t block = 0; block < blocks; block++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < input->n; i++)
            values[input->in[i]] -= i / size % blocks != block;
        hypothesis_try(h, "A block adds its counts to the bins with an atomic; "
                       "it must not store them.",
                       "the count of block %zu alone", block);
    }
}

/* The stride of each block's loop is the block: it counts all bytes from its
 * first one on. */
static void try_stride_of_a_block(struct hypotheses *h,
                                  const struct histogram_input *input)
{
    const size_t size = hypothesis_block_size(h);
    const size_t blocks = hypothesis_grid_size(h);
    double *values = hypothesis_values(h);

    if (size == 0 || blocks < 2)
        return;
    for (size_t i = 0; i < input->n; i++)
        values[input->in[i]] +=
            (double)(i / size < blocks ? i / size : blocks - 1);
    hypothesis_try(h, "The stride of the loop is that of the whole grid: "
                   "gridDim.x * blockDim.x.",
                   "what loops count that advance by one block: each block "
                   "counts all bytes from its first one on");
}

/* Without the bytes of one warp of each block, which has counted them in a copy
 * of its own. */
static void try_lost_warps(struct hypotheses *h,
                           const struct histogram_input *input)
{
    const size_t size = hypothesis_block_size(h), warps = size / 32;

    for (size_t k = 0; k < 2 && warps > 1; k++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < input->n; i++)
            values[input->in[i]] -= i % size / 32 == (k ? 0 : warps - 1);
        hypothesis_try(h, "Where each warp counts in a copy of its own: are "
                       "all copies added, and are all set to 0 first?",
                       "the count without the bytes of each block's %s warp",
                       k ? "first" : "last");
    }
}

/* Only some of the bytes are counted. */
static void try_lost_parts(struct hypotheses *h,
                           const struct histogram_input *input)
{
    const size_t n = input->n;

    try_single_blocks(h, input);
    try_stride_of_a_block(h, input);
    try_lost_warps(h, input);
    for (size_t first = 0; first < 4; first++) {
        count_without(h, input, first, n, 4);
        hypothesis_try(h, NULL, "the count without byte %zu of each four",
                       first);
        count_without(h, input, first, n / 16 * 16, 4);
        hypothesis_try(h, NULL, "the count without byte %zu of each four",
                       first);
    }
}

/* Bytes before the first 16-byte word, counted apart: of an aligned address 16
 * again, and the words then end 16 bytes early. */
static void try_head_of_aligned(struct hypotheses *h,
                                const struct histogram_input *input)
{
    enum { WORD = 16 };
    const size_t words = input->n / WORD;
    double *values = hypothesis_values(h);

    if (words < 2)
        return;
    for (size_t i = 0; i < WORD; i++) {
        values[input->in[i]]++;
        values[input->in[(words - 1) * WORD + i]]--;
    }
    hypothesis_try(h, "16 - address % 16 is 16, not 0, for an aligned "
                   "address.",
                   "the count with the first 16 bytes twice, and without the "
                   "last whole 16");
}

/* The bytes after the last whole word are looked for at an index from the first
 * word on, as if no bytes were before it. */
static void try_tail_without_head(struct hypotheses *h,
                                  const struct histogram_input *input)
{
    for (size_t word = 4; word <= 16; word *= 2) {
        const size_t head = (word - input->offset % word) % word;
        const size_t rest = input->n > head ? input->n - head : 0;
        double *values = hypothesis_values(h);

        if (head == 0 || rest < word || rest % word == 0)
            continue;
        for (size_t i = 0; i < rest % word; i++) {
            values[input->in[rest / word * word + i]]++;
            values[input->in[head + rest / word * word + i]]--;
        }
        hypothesis_try(h, "The tail begins behind the bytes before the first "
                       "whole word and all whole words.",
                       "the count with other bytes for the last %zu: those %zu "
                       "before, where the words would end without the head",
                       rest % word, head);
    }
}

/* The bytes before the first and after the last whole word, counted by each
 * block, not by one. */
static void try_ends_of_each_block(struct hypotheses *h,
                                   const struct histogram_input *input)
{
    static const char *const ends[] = {"before the first", "after the last",
                                       "outside of the"};
    const size_t blocks = hypothesis_grid_size(h), n = input->n;

    for (size_t word = 4; word <= 16 && blocks > 1; word *= 2) {
        const size_t head = (word - input->offset % word) % word;
        const size_t tail = n > head ? (n - head) % word : 0;

        for (int k = head && tail ? 2 : 1; k >= 0 && n > head + tail; k--) {
            double *values = hypothesis_values(h);

            for (size_t i = 0; k != 1 && i < head; i++)
                values[input->in[i]] += (double)(blocks - 1);
            for (size_t i = n - tail; k != 0 && i < n; i++)
                values[input->in[i]] += (double)(blocks - 1);
            hypothesis_try(h, "The bytes outside of whole words belong to one "
                           "block: guard them with the index in the grid, "
                           "blockIdx.x * blockDim.x + threadIdx.x.",
                           "the count with the bytes %s whole word%s added by "
                           "each of the %zu blocks", ends[k],
                           k == 2 ? "s" : "", blocks);
        }
    }
}

/* A block that counts its bytes in chunks adds the counts of all chunks before
 * again: they were not set to 0. */
static void try_stale_counts(struct hypotheses *h,
                             const struct histogram_input *input)
{
    for (size_t chunk = 256; chunk <= 65536 && chunk < input->n; chunk *= 2) {
        const size_t chunks = (input->n + chunk - 1) / chunk;
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < input->n; i++)
            values[input->in[i]] += (double)(chunks - 1 - i / chunk);
        hypothesis_try(h, "Set a block's own counters to 0 for each chunk, or "
                       "add them to the bins once, at the end.",
                       "the count with that of each chunk of %zu bytes added "
                       "again with the later ones", chunk);
    }
}

/* Bins that no thread adds to, and bytes past the end that count as 0.  Both
 * differ in few counts, so little evidence must do. */
static void try_ends_of_bins(struct hypotheses *h,
                             const struct histogram_input *input)
{
    enum { MANY = 100 };
    const double needed = h->needed;
    const size_t size = hypothesis_block_size(h);
    const size_t first[] = {HISTOGRAM_BINS - 1, size};
    double *values;

    if (input->n < MANY)
        return;
    h->needed = 4;
    for (size_t k = 0; k < COUNT(first); k++) {
        values = hypothesis_values(h);
        for (size_t bin = first[k]; bin < HISTOGRAM_BINS && size; bin++)
            values[bin] = 0;
        hypothesis_try(h, "All 256 bins are added, by a loop where a block has "
                       "fewer threads.",
                       "0 from bin %zu on: no thread adds them", first[k]);
    }
    for (size_t group = 2; group <= 32; group *= 2) {
        values = hypothesis_values(h);
        if (input->n % group == 0)
            continue;
        values[0] += (double)(group - input->n % group);
        hypothesis_try(h, "Bytes past the end are no zeros: do not count them.",
                       "the count with zeros after the last byte, up to a "
                       "whole group of %zu", group);
    }
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

    for (int bin = 0; bin < HISTOGRAM_BINS; bin++) {
        const double got = evidence_got(h->evidence, (size_t)bin);
        const double lost = want[bin] + carry - got;
        const double times = lost / limit;

        if (lost < 0 || times != floor(times))
            return;
        carry = bin % bins < bins - 1 ? times : 0;
        values[bin] = got;
    }
    h->needed = 8; /* two bins of one word tell it */
    hypothesis_try(h, "A counter of few bits must be added to the bins before "
                   "it can overflow: how many bytes does a block count?",
                   "what counters of %d bits give that share a word: one that "
                   "overflows adds to the next one", bits);
    h->needed = needed;
}

/* The first lane with a value adds the number of all lanes, not of those with
 * the same value. */
static void try_whole_warps(struct hypotheses *h,
                            const struct histogram_input *input)
{
    enum { LANES = 32 };
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

/* The lane that counts for a warp's equal values is taken from __ffs(), which
 * counts from 1: the one after the first of them counts if it is one, too. */
static void try_lane_of_ffs(struct hypotheses *h,
                            const struct histogram_input *input)
{
    enum { LANES = 32 };
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

void histogram_mistakes(struct hypotheses *h, const void *context)
{
    const struct histogram_input *input = context;
    double *values;

    if (input->n == 0)
        return;
    try_lost_ends(h, input);
    try_lost_parts(h, input);
    try_stale_counts(h, input);
    try_head_of_aligned(h, input);
    try_ends_of_each_block(h, input);
    try_tail_without_head(h, input);
    try_ends_of_bins(h, input);
    try_whole_warps(h, input);
    try_lane_of_ffs(h, input);
    if (!h->fits) {
        try_packed_counters(h, 16, 2);
        try_packed_counters(h, 8, 4);
    }
    values = hypothesis_values(h);
    for (int bin = 128; bin < HISTOGRAM_BINS; bin++)
        values[bin] = 0;
    hypothesis_try(h, "Use each value as an unsigned char: 200 is -56 in a "
                   "signed char.", "the count of the bytes below 128 only");
    for (int bin = 128; bin < HISTOGRAM_BINS; bin++)
        values[bin - 128] += h->evidence->expected->want[bin];
    hypothesis_try(h, "There are 256 values, of 8 bits.", "the count of the "
                   "lower 7 bits of each byte");
}
