/* SPDX-License-Identifier: MIT */
/* Suite of lab 06: the count of each byte value, exact, for bytes of many
 * kinds. */
#include <string.h>

#include "common/lookalike.h"
#include "labs/06_histogram/histogram.h"
#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static size_t off_in; /* bytes off 256, for the stub's next calls */

/* The stub: same signature, runs in the runner. */
int histogram(const unsigned char *d_in, unsigned *d_bins, size_t n)
{
    call_begin(0);
    call_in(ON_DEVICE, d_in, n);
    call_misalign(off_in);
    call_out(ON_DEVICE, d_bins, HISTOGRAM_BINS * sizeof *d_bins);
    call_integer((int64_t)n);
    return (int)call_end();
}

static void check(const uint8_t *in, size_t n)
{
    int32_t *bins = suite_ints(HISTOGRAM_BINS);
    double *want = suite_doubles(HISTOGRAM_BINS);

    for (size_t i = 0; i < n; i++)
        want[in[i]]++;
    expect_success(histogram(in, (unsigned *)bins, n));
    expect_elements(&(struct expected){
        .name = "bins", .got = bins, .want = want, .type = INT32,
        .size = {HISTOGRAM_BINS}});
}

static void check_random(size_t n)
{
    uint8_t *in = suite_bytes(n);

    random_bytes(in, n);
    if (off_in)
        suite_case("n = %zu, %zu bytes off", n, off_in);
    else
        suite_case("n = %zu", n);
    check(in, n);
}

static void small(void)
{
    static const size_t sizes[] = {1,  2,  3,  4,  5,  15, 16, 17,
                                   31, 32, 33, 63, 65, 100};

    suite_each(check_random, sizes, COUNT(sizes));
}

static void empty(void)
{
    check_random(0);
}

/* One off each usual block's size, and primes. */
static void edges(void)
{
    static const size_t sizes[] = {127,  128,  129,  255,  256,  257,
                                   511,  513,  1023, 1024, 1025, 4093,
                                   4097, 7919, 16384, 65535, 65537};

    suite_each(check_random, sizes, COUNT(sizes));
}

/* A bin each for the smallest and the largest value, and for those at the
 * ends of what a signed char holds. */
static void values(void)
{
    static const uint8_t some[] = {0, 1, 127, 128, 254, 255};
    enum { N = 1000 };
    uint8_t *in = suite_bytes(N);

    for (size_t i = 0; i < COUNT(some) && !suite_failed(); i++) {
        memset(in, some[i], N);
        suite_case("n = %d, all %d", N, some[i]);
        check(in, N);
    }
}

static void check_one(size_t n)
{
    const int value = (int)random_between(0, 255);
    uint8_t *in = suite_bytes(n);

    memset(in, value, n);
    suite_case("n = %zu, all %d", n, value);
    check(in, n);
}

/* All in one bin: more than 16 bits count, and every lane waits for every
 * other one that adds to the same counter. */
static void one_value(void)
{
    check_one(70001);
    check_one((size_t)1 << 20);
    check_one(16800001); /* no float counts so far; 65,535 blocks of 256 end */
}

/* Most bytes of a few values, as in text; runs of equal ones. */
static void skewed(void)
{
    enum { N = 200003 };
    uint8_t *in = suite_bytes(N);

    for (size_t i = 0; i < N; i++)
        in[i] = (uint8_t)(random_bits() & random_bits() & random_bits());
    suite_case("n = %d, mostly few values", N);
    check(in, N);
    for (size_t i = 0; i < N; i++)
        in[i] = i % 100 ? in[i - 1] : (uint8_t)random_bits();
    suite_case("n = %d, in runs of 100", N);
    check(in, N);
}

/* Photographs of clothes: half of the pixels are black. */
static void check_images(size_t most)
{
    struct fashion set;
    struct failure why = {""};
    size_t n;

    if (!fashion_read(NULL, FASHION_TEST, &set, &why)
        && !lookalike_make(most, 1, &set, &why)) {
        expect_that(false, "%s", why.text);
        return;
    }
    n = (set.count < most ? set.count : most) * FASHION_SIDE * FASHION_SIDE;
    suite_case("n = %zu, images", n);
    check(set.images.data, n);
    fashion_free(&set);
}

static void image(void)
{
    check_images(500);
}

/* Bytes may begin anywhere. */
static void misaligned(void)
{
    static const size_t sizes[] = {1, 10, 40, 1025, 5003};

    for (size_t i = 0; i < 15 && !suite_failed(); i++) {
        off_in = i + 1;
        check_random(sizes[i % COUNT(sizes)]);
    }
    off_in = 0;
}

static void large(void)
{
    check_random(1000003);
    check_random((size_t)1 << 21);
}

/* Nothing may be left in any counter from the call before. */
static void again(void)
{
    for (size_t n = 5000; n < 5004 && !suite_failed(); n++)
        check_random(n);
}

static void frees(void)
{
    suite_frees(check_random, 100000);
}

static size_t timed_bytes(void)
{
    return suite_size((size_t)1 << 20, (size_t)1 << 30);
}

static void timed_uniform(void)
{
    check_random(timed_bytes());
}

static void timed_one(void)
{
    check_one(timed_bytes());
}

static void timed_image(void)
{
    check_images(suite_size(1000, 10000));
}

/* Watched: nothing, part of a warp, of a block, and some blocks. */
static void few(void)
{
    static const size_t sizes[] = {0, 1, 33, 257, 1023, 5003};

    suite_each(check_random, sizes, COUNT(sizes));
    off_in = 5;
    check_random(1021);
    off_in = 0;
}

/* Every byte is read once, best as one of sixteen, and counted; a warp whose
 * lanes never meet takes one pass for 32 of them. */
static void all_equal(void)
{
    enum { N = 1 << 17 };

    check_one(N);
    expect_cost(COST_SECTORS, N / 32.0, N / 32.0, "x the least there can be");
    expect_cost(COST_REQUESTS, N / 512.0, N / 512.0,
                "x the least there can be");
    expect_cost(COST_ATOMICS, 0, N / 32.0, "for each 32 bytes");
    expect_cost(COST_LAUNCHES, 1, 1, "x what it takes");
}

static const struct suite_test tests[] = {
    {"small", "a few bytes, less than one block", small},
    {"edges", "sizes round the edges of blocks, primes", edges},
    {"empty", "no byte at all", empty},
    {"values", "the smallest and the largest values", values},
    {"one_value", "all bytes equal", one_value},
    {"skewed", "few values, runs", skewed},
    {"image", "photographs", image},
    {"large", "two million bytes", large},
    {"misaligned", "bytes that begin anywhere", misaligned},
    {"again", "called several times", again},
    {"frees", "no device memory is kept", frees},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"uniform", "1 MiB (on a card 1 GiB), all values alike", timed_uniform},
    {"one_value", "1 MiB (on a card 1 GiB) of one value", timed_one},
    {"image", "1000 photographs (on a card 10,000)", timed_image},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"few", "0 to 5,003 bytes", few},
    {"equal", "131,072 equal bytes", all_equal},
    {NULL, NULL, NULL},
};

const struct suite suite_06_histogram = {"06_histogram", tests, speeds,
                                         watched};
