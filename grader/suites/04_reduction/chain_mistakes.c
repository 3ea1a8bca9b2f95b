/* SPDX-License-Identifier: MIT */
/* Sums of too long chains of additions, and sums of a head, float4 vectors and
 * a tail that overlap. */
#include "mistakes.h"

#include "labs/04_reduction/reduction.h"

static double sum_of(const struct reduction_input *input, size_t from,
                     size_t to)
{
    double sum = 0;

    for (size_t i = from; i < to; i++)
        sum += input->in[i];
    return sum;
}

/* The sum in float of what each thread adds in turn.
 * stride: between its elements, or 1 */
static double sum_of_chains(const struct reduction_input *input,
                            size_t threads, size_t stride)
{
    const size_t each = (input->n + threads - 1) / threads;
    double sum = 0;

    for (size_t t = 0; t < threads; t++) {
        float chain = 0;
        size_t i = stride == 1 ? t * each : t;

        for (size_t k = 0; k < each && i < input->n; k++, i += stride)
            chain += input->in[i];
        sum += chain;
    }
    return sum;
}

/* So many threads with a long chain each.  How the chains are added changes
 * little. */
static void try_chains_of(struct hypotheses *h,
                          const struct reduction_input *input, size_t threads)
{
    enum { LONG = 256 };
    const double precision = h->precision, needed = h->needed;

    if (!threads || input->n / threads < LONG)
        return;
    h->precision = 32;
    h->needed /= 2;
    for (int k = 0; k < 2; k++) {
        hypothesis_values(h)[0] = sum_of_chains(input, threads,
                                                k ? threads : 1);
        hypothesis_try(h, "Each addition to a large sum rounds: a thread may "
                       "add only some of the elements one after another. Let "
                       "more blocks share them.",
                       "the sum in float of only %zu threads, each of which "
                       "adds %zu elements one after another", threads,
                       (input->n + threads - 1) / threads);
    }
    h->precision = precision;
    h->needed = needed;
}

/* One launch, or a few blocks and then one that adds their sums. */
static void try_chains(struct hypotheses *h,
                       const struct reduction_input *input)
{
    enum { FEW = 64 };
    const struct facts *f = h->evidence->facts;
    const size_t grid = hypothesis_grid_size(h);
    const size_t block = hypothesis_block_size(h), fits = h->fits;

    if (f && f->launches == 1)
        try_chains_of(h, input, grid * block);
    if (!f || f->launches != 2 || grid != 1)
        return;
    for (size_t blocks = 2; blocks <= FEW && h->fits == fits; blocks *= 2)
        try_chains_of(h, input, blocks * block);
}

/* As many partial results, of as many elements each, in one chain: those of a
 * first launch, or of the blocks of the only one. */
static void try_chain_of_results(struct hypotheses *h,
                                 const struct reduction_input *input,
                                 size_t results)
{
    enum { LONG = 512 };
    const size_t each = results ? (input->n + results - 1) / results : 0;
    const double precision = h->precision, needed = h->needed;
    float chain = 0;

    if (results < LONG || each < 2)
        return;
    for (size_t i = 0; i < input->n; i += each)
        chain += (float)sum_of(input, i, i + each < input->n ? i + each
                                                             : input->n);
    h->precision = 32;
    h->needed /= 2;
    hypothesis_values(h)[0] = chain;
    hypothesis_try(h, "Each addition to a large sum rounds. Combine the "
                   "partial results as the elements: many threads with a short "
                   "chain each, then a tree.",
                   "the sum in float of %zu partial results, of %zu elements "
                   "each, that are added one after another", results, each);
    h->precision = precision;
    h->needed = needed;
}

static void try_chains_of_results(struct hypotheses *h,
                                  const struct reduction_input *input)
{
    enum { FEWEST = 32, MOST = 8192 };
    const struct facts *f = h->evidence->facts;
    const size_t grid = hypothesis_grid_size(h), fits = h->fits;

    if (f && f->launches == 1 && grid > 1)
        try_chain_of_results(h, input, grid);
    if (!f || f->launches < 2 || grid != 1)
        return;
    for (size_t each = FEWEST; each <= MOST && h->fits == fits; each *= 2)
        try_chain_of_results(h, input, (input->n + each - 1) / each);
}

/* Elements before the first float4 at a multiple of 16 bytes. */
static size_t head_of(const struct reduction_input *input)
{
    enum { VECTOR = 16 };
    const size_t head =
        (VECTOR - input->offset % VECTOR) % VECTOR / sizeof *input->in;

    return head < input->n ? head : input->n;
}

/* A tail that begins as if there were no head.  Of few elements, many mistakes
 * count one twice. */
static void try_tails(struct hypotheses *h, const struct reduction_input *input)
{
    enum { WIDTH = 4, FEW = 8 };
    const size_t head = head_of(input);
    const size_t vectors = (input->n - head) / WIDTH;
    const size_t end = head + vectors * WIDTH;
    const size_t starts[] = {vectors * WIDTH, input->n / WIDTH * WIDTH};
    const double needed = h->needed;

    h->needed = 10; /* a frequent mistake, of an array that is misaligned */
    for (size_t k = 0; head && input->n >= FEW && k < 2; k++) {
        hypothesis_values(h)[0] =
            sum_of(input, 0, end) + sum_of(input, starts[k], input->n);
        if (starts[k] != end)
            hypothesis_try(h, "With `head` elements before the first multiple "
                           "of 16 bytes there are (n - head) / 4 vectors, and "
                           "the tail begins at head + 4 * that.",
                           "the sum with a tail from element %zu on: behind a "
                           "head of %zu and %zu vectors of four it begins at "
                           "%zu", starts[k], head, vectors, end);
    }
    h->needed = needed;
}

void try_chains_and_tails(struct hypotheses *h,
                          const struct reduction_input *input)
{
    const size_t fits = h->fits;

    try_chains(h, input);
    if (h->fits == fits)
        try_chains_of_results(h, input);
    try_tails(h, input);
}
