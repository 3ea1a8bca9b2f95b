/* SPDX-License-Identifier: MIT */
/* Lab 12's suite: dropout, element for element. */
#include "suite_12.h"

/* Word i % 4 of Philox4x32-10, as the contract counts. */
static uint32_t word_of(size_t i, uint64_t seed, uint32_t step)
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

/* What of x is left, three roundings allowed: 1 - p, 1 / that, the product. */
static void expect_dropped(const struct dropout *how, const char *name,
                           const float *x, const float *y, size_t n)
{
    const uint32_t limit = (uint32_t)ldexp(how->p, 32);
    const uint32_t step = how->d_step ? (uint32_t)*how->d_step : 0;
    double *want = suite_doubles(n), *slack = suite_doubles(n);

    for (size_t i = 0; i < n; i++) {
        if (word_of(i, how->seed, step) >= limit)
            want[i] = x[i] / (1 - (double)how->p);
        slack[i] = 3 * 0x1p-23 * fabs(want[i]);
    }
    layers_expect_n(name, y, want, slack, n);
}

/* Both ways, with the same seed. */
static void drop(const struct dropout *how, size_t n)
{
    float *x = layers_floats(n, 1, 2), *y = suite_floats(n);

    suite_case("dropout_forward, n = %zu, p = %g, step %d", n, how->p,
               how->d_step ? *how->d_step : 0);
    expect_success(dropout_forward(how, x, y, (int)n));
    expect_dropped(how, "y", x, y, n);
    suite_case("dropout_backward, n = %zu, p = %g", n, how->p);
    expect_success(dropout_backward(how, x, y, (int)n));
    expect_dropped(how, "x_grad", x, y, n);
}

void layers_try_dropout(float p, size_t n)
{
    drop(&(struct dropout){.p = p, .seed = random_bits()}, n);
}

/* Sizes; then seeds that differ in either half, and steps. */
void layers_test_dropout(void)
{
    static const size_t sizes[] = {1,  2,   3,   4,   5,    7,    31,   32,
                                   33, 255, 256, 257, 1023, 1024, 1025, 7919};
    static const int steps[] = {0, 1, 2, 60000, -1};
    const uint64_t seed = random_bits();

    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++)
        layers_try_dropout(0.3f, sizes[i]);
    for (size_t i = 0; i < 3 * COUNT(steps) && !suite_failed(); i++) {
        const uint64_t flip[] = {0, 1, (uint64_t)1 << 32};

        drop(&(struct dropout){.p = 0.5f, .seed = seed ^ flip[i % 3],
                               .d_step = &steps[i / 3]}, 101);
    }
}

/* p * 2^32 is a word, whose element stays, and then the next there is, which
 * drops it: all 32 bits count, and equal is not below. */
static void drop_at_words(void)
{
    struct dropout how = {.seed = random_bits()};
    int tried = 0;

    for (size_t i = 0; i < 4096 && tried < 4 && !suite_failed(); i++) {
        const uint32_t word = word_of(i, how.seed, 0);

        if (word % 64 || word >> 30) /* no float, or no fine one */
            continue;
        how.p = ldexpf((float)word, -32);
        drop(&how, i + 1);
        how.p = nextafterf(how.p, 1);
        drop(&how, i + 1);
        tried++;
    }
}

/* Shares from none to nearly all; a dropped NaN is gone, a kept one stays; as
 * many are kept as there should be. */
void layers_test_drop_share(void)
{
    enum { N = 1 << 14 };
    static const float shares[] = {0, 0x1p-24f, 0.1f, 0.5f, 0.999f,
                                   1 - 0x1p-24f};
    float *x = layers_floats(N, 1, 2), *y = suite_floats(N);

    for (size_t i = 0; i < COUNT(shares) && !suite_failed(); i++)
        layers_try_dropout(shares[i], 2003);
    drop_at_words();
    for (size_t i = 0; i < COUNT(shares) && !suite_failed(); i++) {
        const struct dropout how = {.p = shares[i], .seed = random_bits()};
        const double want = N * (1 - (double)how.p);
        double kept = 0;

        suite_case("dropout_forward of NaN and others, p = %g", how.p);
        for (size_t k = 0; k < N; k += 3)
            x[k] = NAN;
        expect_success(dropout_forward(&how, x, y, N));
        expect_dropped(&how, "y", x, y, N);
        for (size_t k = 0; k < N; k++)
            kept += y[k] != 0;
        expect_that(fabs(kept - want) <= 6 * sqrt(want * how.p) + 1,
                    "%g of %d were kept, should be near %g", kept, N, want);
    }
}
