/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 06: bytes and bins that are left out or added twice. */
#include "mistakes.h"

#include <math.h>
#include <stdbool.h>

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

/* The bytes after those that all threads share evenly. */
static bool try_lost_share(struct hypotheses *h,
                           const struct histogram_input *input)
{
    const size_t threads = hypothesis_block_size(h) * hypothesis_grid_size(h);
    const size_t n = input->n, fits = h->fits;

    if (threads < 2 || n < threads || n % threads < 2)
        return false;
    count_without(h, input, n - n % threads, n, 1);
    hypothesis_try(h, "n / threads rounds down: round the share of a thread "
                   "up, and end at n, or let the threads advance by their "
                   "number until n.",
                   "the count without the last %zu bytes, those that are left "
                   "where each of %zu threads counts %zu: is the share of a "
                   "thread rounded down?", n % threads, threads, n / threads);
    return h->fits > fits;
}

/* One byte, or those after the last whole group, which a loop leaves out.  They
 * differ in few counts, so little evidence must do. */
static void try_lost_ends(struct hypotheses *h,
                          const struct histogram_input *input)
{
    static const char hint[] = "Is the number of blocks rounded up, and does "
                               "the bounds check let the last byte pass?";
    /* of fewer bytes, those of some lanes may be the last ones */
    enum { MANY = 31, CERTAIN_FROM = 1000 };
    const double needed = h->needed;
    const size_t n = input->n;
    bool is_share;

    h->needed = 8;
    if (n >= MANY) { /* of a few it is one by chance */
        count_without(h, input, n - 1, n, 1);
        hypothesis_try(h, hint, "the count without the last byte");
    }
    if (n >= MANY) {
        count_without(h, input, 0, 1, 1);
        hypothesis_try(h, "Byte 0 counts, too.", "the count without the first "
                       "byte");
    }
    is_share = try_lost_share(h, input);
    for (size_t group = 4, tail = n % 2; !is_share && group <= 1024;
         group *= 2) {
        if (n % group == tail || n % group <= 1 || n < group)
            continue; /* the same bytes as before, or all */
        tail = n % group;
        count_without(h, input, n - tail, n, 1);
        h->is_vague = n < CERTAIN_FROM;
        hypothesis_try(h, hint, "the count without the last %zu bytes, after "
                       "the last whole group of %zu", tail, group);
        h->is_vague = false;
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

/* Threads past the end that count a 0: all of the last block, or of a group of
 * 4 or 16 bytes a thread.  Whole warps of them are no chance. */
static void try_zeros_past_the_end(struct hypotheses *h,
                                   const struct histogram_input *input)
{
    const struct comparison *c = h->evidence->comparison;
    enum { MOST_BYTES = 16 }; /* of a thread */
    const double more = evidence_got(h->evidence, 0)
                        - h->evidence->expected->want[0];
    const double threads = (double)(hypothesis_block_size(h)
                                    * hypothesis_grid_size(h));
    const double needed = h->needed;
    double *values = hypothesis_values(h);

    if (c->wrong != 1 || c->first != 0 || !(more > 0)
        || fmod((double)input->n + more, 32) != 0
        || evidence_got(h->evidence, 0) == (double)input->n + more
        || (threads > 0 && (double)input->n + more > MOST_BYTES * threads))
        return; /* also where all bytes are 0: some may be there twice */
    values[0] += more;
    h->needed = 0;
    hypothesis_try(h, "Lanes that have no byte take part in a warp call as if "
                   "theirs were 0: they must add nothing.",
                   "the count and %.0f zeros, which fill the %zu bytes up to "
                   "whole warps: do threads past the end count a 0?", more,
                   input->n);
    h->needed = needed;
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

    try_zeros_past_the_end(h, input);
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

/* Are there counts in most bins before this one, and in most from it on?  Of
 * one value alone nothing says that its bin is lost, and not its counts. */
static bool has_counts_around(const struct hypotheses *h, size_t bin)
{
    const double *want = h->evidence->expected->want;
    size_t before = 0, after = 0;

    for (size_t i = 0; i < HISTOGRAM_BINS; i++) {
        before += i < bin && want[i] > 0;
        after += i >= bin && want[i] > 0;
    }
    return bin < HISTOGRAM_BINS && 4 * before > bin
           && 4 * after > HISTOGRAM_BINS - bin;
}

/* Bins that no thread adds to. */
static void try_end_of_bins(struct hypotheses *h, size_t first)
{
    double *values = hypothesis_values(h);

    if (!has_counts_around(h, first))
        return;
    for (size_t bin = first; bin < HISTOGRAM_BINS; bin++)
        values[bin] = 0;
    hypothesis_try(h, "All 256 bins are added, by a loop where a block has "
                   "fewer threads.",
                   "0 from bin %zu on: no thread adds them", first);
}

/* Those, and bytes past the end that count as 0.  Both differ in few counts, so
 * little evidence must do. */
static void try_ends_of_bins(struct hypotheses *h,
                             const struct histogram_input *input)
{
    enum { MANY = 100 };
    const double needed = h->needed;
    const size_t size = hypothesis_block_size(h);
    double *values;

    if (input->n < MANY)
        return;
    h->needed = 4;
    if (size)
        try_end_of_bins(h, HISTOGRAM_BINS - 1);
    if (size)
        try_end_of_bins(h, size);
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
    histogram_lane_mistakes(h, input);
    if (!h->fits)
        histogram_counter_mistakes(h, input);
    values = hypothesis_values(h);
    for (int bin = 128; bin < HISTOGRAM_BINS; bin++)
        values[bin] = 0;
    if (!h->fits) /* a block of 128 threads leaves the same */
        hypothesis_try(h, "Use each value as an unsigned char: 200 is -56 in "
                       "a signed char.",
                       "the count of the bytes below 128 only");
    for (int bin = 128; bin < HISTOGRAM_BINS; bin++)
        values[bin - 128] += h->evidence->expected->want[bin];
    hypothesis_try(h, "There are 256 values, of 8 bits.", "the count of the "
                   "lower 7 bits of each byte");
}
