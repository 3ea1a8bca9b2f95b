/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 04: elements that are left out, other operations. */
#include "mistakes.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "labs/04_reduction/reduction.h"

/* Elements with this property take part. */
typedef bool part(size_t i, size_t n, size_t number);

static bool all(size_t i, size_t n, size_t number)
{
    (void)number;
    return i < n;
}

static bool before_tail(size_t i, size_t n, size_t number)
{
    return i < n / number * number;
}

static bool not_last(size_t i, size_t n, size_t number)
{
    (void)number;
    return i + 1 < n;
}

static bool not_first(size_t i, size_t n, size_t number)
{
    (void)n;
    (void)number;
    return i > 0;
}

static bool first_block(size_t i, size_t n, size_t number)
{
    (void)n;
    return i < number;
}

static bool last_block(size_t i, size_t n, size_t number)
{
    return i >= (n - 1) / number * number;
}

static bool first_of_block(size_t i, size_t n, size_t number)
{
    (void)n;
    return i % number == 0;
}

static bool first_warp(size_t i, size_t n, size_t number)
{
    (void)n;
    return i % number < 32;
}

/* Shuffles in the warps, then among their results, both without a step. */
static bool without_shuffle(size_t i, size_t n, size_t number)
{
    enum { LANES = 32 };

    (void)n;
    return !(i & number) && !(i / LANES & number);
}

/* A step of a tree adds the value at this distance. */
static bool without_step(size_t i, size_t n, size_t number)
{
    (void)n;
    return (i & number) == 0;
}

static bool odd(size_t i, size_t n, size_t number)
{
    (void)n;
    (void)number;
    return i % 2 == 1;
}

static bool not_member(size_t i, size_t n, size_t number)
{
    return i % 4 != number || i >= n / 4 * 4;
}

/* Sum or maximum of some elements. */
static double reduce(const struct reduction_input *input, int op, part *takes,
                     size_t number)
{
    double sum = 0;
    float maximum = -INFINITY;

    for (size_t i = 0; i < input->n; i++)
        if (takes(i, input->n, number)) {
            sum += input->in[i];
            maximum = fmaxf(maximum, input->in[i]);
        }
    return op == REDUCTION_SUM ? sum : maximum;
}

/* Some elements are left out. */
static const struct {
    const char *text, *hint;
    part *takes;
    size_t from, to; /* numbers: powers of two */
} parts[] = {
    {"the result without the last element", "Which bounds check leaves it "
     "out?", not_last, 1, 1},
    {"the result without the first element", NULL, not_first, 1, 1},
    {"the result without the elements after the last whole group of %zu",
     "The last group is partial: its elements count as well. Does a loop over "
     "vectors leave them, or is n / blocks, or n / threads, rounded down?",
     before_tail, 2, 1024},
    {"the result of the first %zu elements only", "Each block writes a value, "
     "and all of them must be combined: with as many passes as it takes, or a "
     "loop.", first_block, 4, 1 << 22},
    {"the result of the elements from the last multiple of %zu on",
     "Each block must write its own value.", last_block, 4, 1024},
    {"the result of every %zuth element: each thread's own value is lost "
     "within its group", "Do the threads of a block exchange their values?",
     first_of_block, 4, 1024},
    {"the result of the first warp of each block of %zu", "After the warps "
     "have reduced, one warp combines their values: is each one stored?",
     first_warp, 64, 1024},
    {"the result without the step of the tree that adds values at a distance "
     "of %zu", "A tree halves the distance from half of the block down to 1.",
     without_step, 1, 512},
    {"the result of shuffles without the step between elements at a "
     "distance of %zu, in the warps and among them",
     "A warp's shuffles add at 16, 8, 4, 2 and 1.", without_shuffle, 1, 16},
    {"the result of the elements with odd indices", "Which element of shared "
     "memory has the block's result?", odd, 1, 1},
};

/* As one thread adds them, in float. */
static double sum_in_order(const struct reduction_input *input)
{
    float sum = 0;

    for (size_t i = 0; i < input->n; i++)
        sum += input->in[i];
    return sum;
}

static void try_value(struct hypotheses *h, double value, const char *hint,
                      const char *text)
{
    hypothesis_values(h)[0] = value;
    hypothesis_try(h, hint, "%s", text);
}

/* The maxima of the blocks are added: the operation is lost in the second
 * pass.  One value of float precision is evidence enough. */
static void try_sum_of_maxima(struct hypotheses *h,
                              const struct reduction_input *input)
{
    for (size_t block = 128; block <= 8192 && block < input->n; block *= 2) {
        double sum = 0;

        for (size_t i = 0; i < input->n; i += block) {
            float maximum = -INFINITY;

            for (size_t k = i; k < i + block && k < input->n; k++)
                maximum = fmaxf(maximum, input->in[k]);
            sum += maximum;
        }
        hypothesis_values(h)[0] = sum;
        hypothesis_try(h, "Both operations go through `op`, in each pass.",
                       "the sum of the maxima of each %zu elements", block);
    }
}

static void try_operations(struct hypotheses *h,
                           const struct reduction_input *input)
{
    static const char start[] =
        "The maximum of negative numbers is negative: start with -infinity. A "
        "shuffle, too, gives 0 for a lane that does not call it.";
    const double sum = reduce(input, REDUCTION_SUM, all, 1);
    const double maximum = reduce(input, REDUCTION_MAX, all, 1);
    double largest = 0, smallest = INFINITY, squares = 0;

    for (size_t i = 0; i < input->n; i++) {
        largest = fmax(largest, fabs(input->in[i]));
        smallest = fmin(smallest, input->in[i]);
        squares += (double)input->in[i] * input->in[i];
    }
    if (input->op == REDUCTION_SUM) {
        try_value(h, maximum, "Both operations go through `op`.",
                  "the maximum, not the sum");
        try_value(h, sum / (double)input->n, NULL, "the mean, not the sum");
        try_value(h, squares, NULL, "the sum of the squares");
        h->needed /= 2;
        h->precision = 0x1p20; /* the same roundings */
        try_value(h, sum_in_order(input), "Let many threads share the work: "
                  "one long chain of additions loses precision.",
                  "the sum in float of a single thread");
        h->precision = 8;
        h->needed *= 2;
        return;
    }
    try_value(h, sum, "Both operations go through `op`.",
              "the sum, not the maximum");
    try_value(h, largest, "Compare the values, not their magnitudes.",
              "the largest absolute value");
    try_value(h, smallest, NULL, "the minimum");
    try_sum_of_maxima(h, input);
    if (maximum < 0) { /* 0 is evidence enough */
        const double needed = h->needed;

        h->needed = 0;
        try_value(h, 0, start, "0, not -infinity: the start, an "
                  "element past the end, or a lane without a result?");
        h->needed = needed;
    }
}

/* Among negative floats the bits of -infinity are the largest int. */
static bool is_all_negative(const struct reduction_input *input)
{
    for (size_t i = 0; i < input->n; i++)
        if (input->in[i] >= 0)
            return false;
    return true;
}

/* The exact value is evidence enough. */
static void try_start_values(struct hypotheses *h,
                             const struct reduction_input *input)
{
    static const char none[] = "A partial group of elements counts as well: "
                               "where does the loop end?";
    static const char bits[] = "Does a loop reach all elements? And as "
                               "integers the bits of negative floats are in "
                               "the reverse order: do not compare them.";
    const double got = evidence_got(h->evidence, 0);
    const double needed = h->needed;
    const bool is_sum = input->op == REDUCTION_SUM;

    h->needed = -1;
    if (!is_sum && got == FLT_MIN)
        try_value(h, FLT_MIN, "FLT_MIN is the smallest positive number, not "
                  "the lowest one: start with -infinity.",
                  "FLT_MIN: the maximum starts there");
    if (input->n > 0 && got == (is_sum ? 0 : -INFINITY)
        && !(fabs(h->evidence->expected->want[0]) < FLT_MIN)) /* underflow */
        try_value(h, got, !is_sum && is_all_negative(input) ? bits : none,
                  is_sum ? "0, the sum of no element at all"
                  : is_all_negative(input)
                  ? "-infinity, the maximum of no element at all, or that of "
                    "the bits as signed integers"
                  : "-infinity, the maximum of no element at all");
    h->needed = needed;
}

/* The sum when block b begins with group b of so many elements, and takes all
 * later ones, too.  What is behind the last whole float4 counts once. */
static double sum_by_blocks(const struct reduction_input *input, size_t width,
                            size_t threads, size_t grid)
{
    const size_t tail = input->n / width * width;
    double sum = 0;

    for (size_t i = 0; i < input->n; i++) {
        const size_t group = i / (threads * width);
        const size_t blocks = 1 + (group < grid ? group : grid - 1);

        sum += input->in[i] * (i < tail ? (double)blocks : 1);
    }
    return sum;
}

/* A loop by the threads of one block, in a grid of many.  The last launch may
 * be a second pass: then the grid is that of a few elements a thread. */
static void try_stride_of_block(struct hypotheses *h,
                                const struct reduction_input *input)
{
    const size_t threads = hypothesis_block_size(h);
    const size_t launched = hypothesis_grid_size(h), fits = h->fits;

    for (size_t items = 1; threads && items <= 32; items *= 2)
        for (size_t width = 1; width <= 4 && h->fits == fits; width *= 4) {
            const size_t per_block = threads * items;
            const size_t grid = launched > 1 ? launched
                                : (input->n + per_block - 1) / per_block;

            if (grid > 1)
                try_value(h, sum_by_blocks(input, width, threads, grid),
                          "The loop goes on by the threads of the whole grid: "
                          "gridDim.x * blockDim.x.",
                          "the sum with each element added again by every "
                          "earlier block: the loop goes on by the threads of "
                          "one block");
        }
}

/* Vectors of four and a tail; and a loop that is none. */
static void try_loops(struct hypotheses *h, const struct reduction_input *input)
{
    const size_t n = input->n;
    const size_t threads = hypothesis_grid_size(h) * hypothesis_block_size(h);
    double sum = reduce(input, REDUCTION_SUM, before_tail, 4);

    for (size_t i = 0; i < n % 4; i++)
        sum += input->in[n / 4 + i];
    try_value(h, sum, "The tail starts behind n / 4 vectors: at n / 4 * 4.",
              "the result with the elements from n / 4 on in place of the last "
              "n % 4");
    for (size_t items = 1; items <= 16 && threads * items < n; items *= 2) {
        hypothesis_values(h)[0] =
            reduce(input, REDUCTION_SUM, first_block, threads * items);
        hypothesis_try(h, "Each thread needs a loop that goes on by the number "
                       "of threads in the grid.",
                       "the result of the first %zu elements only: %zu for "
                       "each thread", threads * items, items);
    }
}

/* Are the elements after the last group those of the last warp of the only
 * block? */
static bool is_last_warp(const struct hypotheses *h, size_t group)
{
    enum { LANES = 32 };
    const struct reduction_input *input = h->evidence->expected->context;
    const size_t threads = hypothesis_block_size(h);

    return group == LANES && input->n <= threads
           && input->n > threads - LANES;
}

void reduction_mistakes(struct hypotheses *h, const void *context)
{
    const struct reduction_input *input = context;

    if (!try_maximum_of_nans(h, input))
        try_start_values(h, input);
    if (input->n == 0 || h->fits)
        return;
    h->precision = 8; /* the bound allows long chains of additions */
    try_operations(h, input);
    if (input->op == REDUCTION_SUM)
        try_chains_and_tails(h, input);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        const size_t fits = h->fits;
        const double needed = h->needed;

        if (input->n > 2 /* of two, one is also every other element */
            && (parts[k].takes == before_tail || parts[k].takes == not_last
                || parts[k].takes == not_first))
            h->needed = 7; /* the most frequent mistakes, of few elements */
        else if (parts[k].takes == first_block
                 && input->op == REDUCTION_SUM
                 && h->evidence->expected->steps == 0)
            h->needed = 12; /* likewise, among millions of them */
        else if (input->op == REDUCTION_MAX)
            continue; /* the maxima of two parts are often the same */

        for (size_t number = parts[k].from;
             number <= parts[k].to && h->fits == fits; number *= 2) {
            hypothesis_values(h)[0] =
                reduce(input, input->op, parts[k].takes, number);
            if (parts[k].takes == before_tail && is_last_warp(h, number))
                hypothesis_try(h, "Does the warp that combines the values of "
                               "the block's warps take as many as there are? "
                               "Or is a partial group left out?",
                               "the result without the elements of the last "
                               "warp of the block, from element %zu on",
                               input->n / number * number);
            else
                hypothesis_try(h, parts[k].hint, parts[k].text, number);
        }
        h->needed = needed;
    }
    if (input->op == REDUCTION_SUM && !h->fits)
        try_stride_of_block(h, input);
    if (input->op == REDUCTION_SUM && !h->fits)
        try_loops(h, input);
    if (input->op == REDUCTION_SUM && !h->fits)
        try_partial_results(h, input);
    for (size_t member = 0; input->op == REDUCTION_SUM && member < 4;
         member++) {
        hypothesis_values(h)[0] =
            reduce(input, input->op, not_member, member);
        hypothesis_try(h, NULL, "the result without member %zu of each "
                       "float4", member);
    }
}
