/* SPDX-License-Identifier: MIT */
/* Lab 12's suite: dropout, element by element. */
#include "grader/suite/hypothesis.h"
#include "suite_12.h"

/* The Philox4x32-10 word of element i, as the contract says. */
static uint32_t philox_word(size_t i, uint64_t seed, uint32_t step)
{
    uint32_t x[4] = {(uint32_t)(i / 4), 0, step, 0};
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};

    for (int round = 0; round < 10; round++) {
        const uint64_t a = (uint64_t)0xd2511f53 * x[0];
        const uint64_t b = (uint64_t)0xcd9e8d57 * x[2];

        x[0] = (uint32_t)(b >> 32) ^ x[1] ^ key[0];
        x[1] = (uint32_t)b;
        x[2] = (uint32_t)(a >> 32) ^ x[3] ^ key[1];
        x[3] = (uint32_t)a;
        key[0] += 0x9e3779b9;
        key[1] += 0xbb67ae85;
    }
    return x[i % 4];
}

/* Inputs of a call, for its usual mistakes. */
struct dropout_inputs {
    const struct dropout *options;
    const float *x;
    uint32_t step;
    bool is_backward;
};

/* The random word that a mistake takes for element i. */
static uint32_t other_word(const struct dropout_inputs *in, size_t i, size_t k)
{
    const uint64_t seed = in->options->seed;

    return k == 3   ? philox_word(i, seed, 0)
           : k == 4 ? philox_word(i / 4 * 4, seed, in->step)
           : k == 5 ? philox_word(4 * i, seed, in->step)
           : k == 6 ? philox_word(i, (uint32_t)seed, in->step)
           : k == 7 ? philox_word(i / 4 * 4 + 3 - i % 4, seed, in->step)
           : k == 8 ? philox_word(4 * i + i % 4, seed, in->step)
                    : philox_word(i, seed, in->step);
}

/* Of a choice by other random numbers only the opposite of the right one shows
 * where they differ. */
static void try_other_numbers(struct hypotheses *h,
                              const struct dropout_inputs *in)
{
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] = values[i] == 0 ? in->x[i] / (1 - (double)in->options->p)
                                   : 0;
    hypothesis_try(h, in->is_backward
                          ? "The backward pass drops what the forward pass "
                            "dropped: the same seed, step and counter."
                          : "Element i has word i % 4 of counter {i / 4, 0, "
                            "step, 0}, with the seed as the key.",
                   "chosen by other random numbers, some of which choose the "
                   "same");
}

/* Elements i % 4 = `place` are chosen by this word of their counter. */
static bool is_chosen_by(const struct hypotheses *h,
                         const struct dropout_inputs *in, size_t place,
                         size_t word)
{
    const uint32_t threshold = (uint32_t)ldexp(in->options->p, 32);

    for (size_t i = place; i < hypothesis_count(h); i += 4)
        if ((philox_word(i / 4 * 4 + word, in->options->seed, in->step)
             < threshold)
            != (evidence_got(h->evidence, i) == 0))
            return false;
    return true;
}

/* One of four elements has the word of another one. */
static void try_word_of_another(struct hypotheses *h,
                                const struct dropout_inputs *in)
{
    const uint32_t threshold = (uint32_t)ldexp(in->options->p, 32);

    for (size_t k = 0; k < 16; k++) {
        const size_t place = k / 4, word = k % 4;
        double *values;

        if (place == word || !is_chosen_by(h, in, place, word))
            continue;
        values = hypothesis_values(h);
        for (size_t i = place; i < hypothesis_count(h); i += 4)
            values[i] = philox_word(i / 4 * 4 + word, in->options->seed,
                                    in->step) < threshold
                            ? 0 : in->x[i] / (1 - (double)in->options->p);
        h->is_whole = true;
        hypothesis_try(h, "Element i has word i % 4 of counter i / 4: x, y, z "
                       "and w of the four words are those of the elements 4 j "
                       "to 4 j + 3.",
                       "chosen by word %zu of its counter, where i %% 4 is "
                       "%zu: should be word %zu", word, place, place);
    }
}

/* Nothing is dropped: as a forward pass for inference, or a backward pass that
 * hands the gradient on.  Of few that should be, each may have been kept for
 * another reason. */
static void try_nothing_dropped(struct hypotheses *h,
                                const struct dropout_inputs *in)
{
    static const char *const texts[] = {
        "the input, unchanged: nothing is dropped, or scaled",
        "the input times 1 / (1 - p): nothing is dropped"};
    enum { FEW = 8 };
    size_t dropped = 0;

    for (size_t i = 0; i < hypothesis_count(h); i++)
        dropped += h->evidence->expected->want[i] == 0;
    for (int k = 0; dropped >= FEW && k < 2; k++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < hypothesis_count(h); i++)
            values[i] = k ? in->x[i] / (1 - (double)in->options->p) : in->x[i];
        h->is_whole = true; /* or a right one was dropped */
        hypothesis_try(h, in->is_backward
                              ? "The backward pass drops what the forward "
                                "pass dropped, and has the same factor."
                              : "y = 0 where the element's word is less than "
                                "p * 2^32.", "%s", texts[k]);
        h->is_whole = false;
    }
}

static void dropout_mistakes(struct hypotheses *h, const void *context)
{
    static const char *const texts[] = {
        "the right choice without the factor 1 / (1 - p)",
        "kept where it should be dropped: p is the probability to drop one",
        "the right choice times 1 / p, should be 1 / (1 - p)",
        "chosen by the words of step 0, not of *d_step",
        "chosen by word 0 of counter i / 4, should be word i % 4",
        "chosen by counter i, should be word i % 4 of counter i / 4",
        "chosen by the lower 32 bits of the seed alone",
        "chosen by word 3 - i % 4, should be word i % 4",
        "chosen by word i % 4 of counter i, should be that of counter i / 4"};
    enum { MANY = 24 };
    const struct dropout_inputs *in = context;
    const size_t count = hypothesis_count(h);
    const double p = in->options->p;
    const uint32_t threshold = (uint32_t)ldexp(p, 32);

    for (size_t k = 0; k < COUNT(texts); k++) {
        double *values = hypothesis_values(h);

        if (k != 0 && k != 2 && count < MANY)
            continue; /* of a few, other choices make the same by chance */
        if (k == 1 && h->evidence->comparison->wrong < count)
            continue; /* a wrong choice is always the opposite one */
        for (size_t i = 0; i < count; i++) {
            const bool drops = other_word(in, i, k) < threshold;
            const double factor = k == 0   ? 1
                                  : k == 2 ? 1 / p : 1 / (1 - p);

            values[i] = drops == (k != 1) ? 0 : in->x[i] * factor;
        }
        h->is_whole = k >= 3; /* all elements have such a word */
        hypothesis_try(h, "y = x / (1 - p) where the element's word is at "
                       "least p * 2^32, else 0; the step and both halves of "
                       "the seed count.", "%s", texts[k]);
    }
    if (h->fits == 0 && count >= MANY)
        try_word_of_another(h, in);
    h->is_whole = false;
    if (h->fits == 0)
        try_nothing_dropped(h, in);
    if (h->fits == 0 && count >= MANY && h->evidence->comparison->wrong < count)
        try_other_numbers(h, in);
}

/* Compares the remaining elements.  Three roundings are allowed: 1 - p, its
 * reciprocal, the product. */
static void compare_dropout(const struct dropout *options, const char *name,
                            const float *x, const float *y, size_t n)
{
    const uint32_t threshold = (uint32_t)ldexp(options->p, 32);
    const uint32_t step = options->d_step ? (uint32_t)*options->d_step : 0;
    double *want = suite_doubles(n), *tolerance = suite_doubles(n);

    for (size_t i = 0; i < n; i++) {
        if (philox_word(i, options->seed, step) >= threshold)
            want[i] = x[i] / (1 - (double)options->p);
        tolerance[i] = 3 * 0x1p-23 * fabs(want[i]);
    }
    suite_mistakes(dropout_mistakes,
                   &(struct dropout_inputs){options, x, step, *name != 'y'});
    layers_compare_n(name, y, want, tolerance, n);
    suite_mistakes(NULL, NULL);
}

/* Forward and backward with the same seed. */
static void check_dropout(const struct dropout *options, size_t n)
{
    float *x = layers_random_floats(n, 1, 2), *y = suite_floats(n);

    suite_case("dropout_forward, n = %zu, p = %g, step %d", n, options->p,
               options->d_step ? *options->d_step : 0);
    expect_success(dropout_forward(options, x, y, (int)n));
    compare_dropout(options, "y", x, y, n);
    suite_case("dropout_backward, n = %zu, p = %g", n, options->p);
    expect_success(dropout_backward(options, x, y, (int)n));
    compare_dropout(options, "x_grad", x, y, n);
}

void layers_check_dropout(float p, size_t n)
{
    check_dropout(&(struct dropout){.p = p, .seed = random_bits()}, n);
}

/* Sizes, first one at which a wrong choice shows; then seeds that differ in the
 * low or high word, and steps. */
void layers_test_dropout(void)
{
    static const size_t sizes[] = {127, 1,  2,   3,   4,   5,    7,    31,  32,
                                   33,  255, 256, 257, 1023, 1024, 1025, 7919};
    static const int steps[] = {0, 1, 2, 60000, -1};
    const uint64_t seed = random_bits();

    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++)
        layers_check_dropout(0.3f, sizes[i]);
    for (size_t i = 0; i < 3 * COUNT(steps) && !suite_failed(); i++) {
        const uint64_t seed_bits[] = {0, 1, (uint64_t)1 << 32};

        check_dropout(&(struct dropout){.p = 0.5f,
                                        .seed = seed ^ seed_bits[i % 3],
                                        .d_step = &steps[i / 3]},
                      101);
    }
}

/* p * 2^32 equals the element's random word, so the element stays; with the
 * next larger p it is dropped.  All 32 bits must be compared, with `<`. */
static void check_exact_threshold(void)
{
    struct dropout options = {.seed = random_bits()};
    int tried = 0;

    for (size_t i = 0; i < 4096 && tried < 4 && !suite_failed(); i++) {
        const uint32_t word = philox_word(i, options.seed, 0);

        if (word % 64 || word >> 30) /* not exact as a float */
            continue;
        options.p = ldexpf((float)word, -32);
        check_dropout(&options, i + 1);
        options.p = nextafterf(options.p, 1);
        check_dropout(&options, i + 1);
        tried++;
    }
}

/* Probabilities from 0 to nearly 1.  A dropped NaN becomes 0, another NaN
 * stays; the number of remaining elements is checked. */
void layers_test_dropout_rate(void)
{
    enum { N = 1 << 14 };
    static const float rates[] = {0, 0x1p-24f, 0.1f, 0.5f, 0.999f,
                                   1 - 0x1p-24f};
    float *x = layers_random_floats(N, 1, 2), *y = suite_floats(N);

    for (size_t i = 0; i < COUNT(rates) && !suite_failed(); i++)
        layers_check_dropout(rates[i], 2003);
    check_exact_threshold();
    for (size_t i = 0; i < COUNT(rates) && !suite_failed(); i++) {
        const struct dropout options = {.p = rates[i], .seed = random_bits()};
        const double want = N * (1 - (double)options.p);
        double remaining = 0;

        suite_case("dropout_forward of NaN and others, p = %g", options.p);
        for (size_t k = 0; k < N; k += 3)
            x[k] = NAN;
        expect_success(dropout_forward(&options, x, y, N));
        compare_dropout(&options, "y", x, y, N);
        for (size_t k = 0; k < N; k++)
            remaining += y[k] != 0;
        expect_that(fabs(remaining - want) <= 6 * sqrt(want * options.p) + 1,
                    "%g of %d were kept, should be near %g", remaining, N,
                    want);
    }
}
