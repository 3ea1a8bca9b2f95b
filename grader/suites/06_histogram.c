/* SPDX-License-Identifier: MIT */
/* Suite of lab 06: the count of each byte value, exact, for several
 * distributions. */
#include <string.h>

#include "common/data/lookalike.h"
#include "labs/06_histogram/histogram.h"
#include "grader/suites/06_histogram/mistakes.h"
#include "grader/suites/06_histogram/response.h"
#include "grader/suite/suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static size_t misalign_in; /* of d_in in the next calls, in bytes */

/* Is a byte the negative index of a signed char? */
static bool has_large_byte(const uint8_t *in, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (in[i] > INT8_MAX)
            return true;
    return false;
}

static void check(const uint8_t *in, size_t n)
{
    const struct histogram_input input = {in, n, misalign_in};
    const struct response response = histogram_response(&input);
    int32_t *bins = suite_ints(HISTOGRAM_BINS);
    double *want = suite_doubles(HISTOGRAM_BINS);

    for (size_t i = 0; i < n; i++)
        want[in[i]]++;
    suite_overrun_hint(has_large_byte(in, n)
                           ? "Is each byte an unsigned char where it is an "
                             "index? A char is signed: the byte 200 is index "
                             "-56 then, before the bins. If it is unsigned: "
                             "does a thread add to a bin past the last, 255?"
                           : NULL);
    expect_success(histogram(in, (unsigned *)bins, n));
    expect_elements(&(struct expected){
        .name = "bins", .got = bins, .want = want, .type = UINT32,
        .size = {HISTOGRAM_BINS}, .mistakes = histogram_mistakes,
        .context = &input, .response = response.explain ? &response : NULL});
}

static void check_random(size_t n)
{
    uint8_t *in = suite_bytes(n);

    random_bytes(in, n);
    suite_misalign("d_in", misalign_in);
    if (misalign_in)
        suite_case("n = %zu, %zu byte%s off", n, misalign_in,
                   misalign_in == 1 ? "" : "s");
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

/* Sizes one below and above common block sizes, and primes. */
static void edges(void)
{
    static const size_t sizes[] = {127,  128,  129,  255,  256,  257,
                                   511,  513,  1023, 1024, 1025, 4093,
                                   4097, 7919, 16384, 65535, 65537};

    suite_each(check_random, sizes, COUNT(sizes));
}

/* The smallest and largest byte, and the limits of a signed char. */
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

static void check_constant(size_t n)
{
    const int value = (int)random_int(0, 255);
    uint8_t *in = suite_bytes(n);

    memset(in, value, n);
    suite_case("n = %zu, all %d", n, value);
    check(in, n);
}

/* All elements in one bin: the count overflows 16 bits, and all lanes of a
 * warp update the same counter. */
static void constant(void)
{
    check_constant(70001);
    check_constant(((size_t)1 << 20) - 77); /* 256 bytes of most threads */
    check_constant(16800001); /* above 2^24, and 65,535 blocks of 256 */
}

/* Mostly a few values, as in text; then runs of equal bytes. */
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

/* Photographs of clothes (Fashion-MNIST): half of the pixels are black. */
static void check_images(size_t max_images)
{
    struct fashion set;
    struct failure reason = {""};
    size_t n;

    if (!fashion_read(NULL, FASHION_TEST, &set, &reason)
        && !lookalike_make(max_images, 1, &set, &reason)) {
        expect_that(false, "%s", reason.text);
        return;
    }
    n = (set.count < max_images ? set.count : max_images) * FASHION_SIDE
        * FASHION_SIDE;
    suite_case("n = %zu, images", n);
    check(set.images.data, n);
    fashion_free(&set);
}

static void image(void)
{
    check_images(500);
}

/* The pointer may have any alignment: for one block, and for many. */
static void misaligned(void)
{
    static const size_t sizes[] = {1, 10, 40, 1025, 200003};

    for (size_t i = 0; i < 15 && !suite_failed(); i++) {
        misalign_in = i + 1;
        check_random(sizes[i / 3]);
    }
    misalign_in = 0;
}

static int64_t count_fewer(void)
{
    return histogram(suite_bytes(1), (unsigned *)suite_ints(HISTOGRAM_BINS),
                     SUITE_FAR_ELEMENTS);
}

/* Has no block that ran added to a bin?  Then the last block to finish adds the
 * counts of all, and it did not run. */
static bool is_left_to_last_block(const unsigned *bins)
{
    for (size_t i = 0; i < HISTOGRAM_BINS; i++)
        if (bins[i])
            return false;
    return true;
}

/* Of almost 2^32 bytes, all 0, two blocks at least count their whole shares. */
static void large(void)
{
    const size_t most = ((size_t)1 << 32) - 5;
    unsigned *bins;
    int64_t status;

    check_random(1000003);
    check_random((size_t)1 << 21);
    if (suite_use_sparse_memory()) {
        suite_blocks_are_independent();
        suite_case("n = %zu: more than 2^31 elements", most);
        bins = (unsigned *)suite_ints(HISTOGRAM_BINS);
        status = histogram(suite_bytes(1), bins, most);
        expect_end(count_fewer);
        if (expect_far_access(status, true) && suite_grid_blocks() > 1
            && !is_left_to_last_block(bins))
            expect_that(bins[0] >= most / suite_grid_blocks(),
                        "all bytes are 0: the blocks that ran counted %u, less "
                        "than the share of one: do its counters overflow?",
                        bins[0]);
    }
}

/* No count may remain from an earlier call, nor from one of more blocks. */
static void repeated(void)
{
    for (size_t n = 5000; n < 5004 && !suite_failed(); n++)
        check_random(n);
    check_random(40000);
    check_random(700);
    suite_use_multiprocessors(1); /* loops over the grid go round again */
    check_random(1200007);
}

static int64_t count_thousands(void)
{
    enum { N = 9000 };

    return histogram(suite_bytes(N), (unsigned *)suite_ints(256), N);
}

static void no_leak(void)
{
    suite_check_frees(check_random, 100000);
    suite_check_failures(count_thousands);
}

static size_t timed_bytes(void)
{
    return suite_size((size_t)1 << 20, (size_t)1 << 30);
}

static void timed_uniform(void)
{
    check_random(timed_bytes());
}

static void timed_constant(void)
{
    check_constant(timed_bytes());
}

static void timed_image(void)
{
    check_images(suite_size(1000, 10000));
}

/* Watched: no element, part of a warp, part of a block, several blocks. */
static void small_sizes(void)
{
    static const size_t sizes[] = {0, 1, 33, 257, 1008, 1023, 5003};

    suite_each(check_random, sizes, COUNT(sizes));
    misalign_in = 5;
    check_random(1021);
    misalign_in = 0;
}

/* Each byte is loaded once, ideally as part of a uint4.  A warp whose lanes
 * never update the same counter needs one atomic operation for 32 bytes. */
static void all_equal(void)
{
    enum { N = 1 << 17 };

    check_constant(N);
    expect_metric(METRIC_SECTORS, N / 32.0, N / 32.0, "x the minimum");
    expect_metric(METRIC_SERIAL, 0, 25, "x the 25 that it may have");
    expect_metric(METRIC_REQUESTS, N / 512.0, N / 512.0, "x the minimum");
    expect_metric(METRIC_ATOMICS, 0, N / 32.0, "for each 32 bytes");
    expect_metric(METRIC_LAUNCHES, 1, 1, "x the minimum");
}

static const struct suite_test tests[] = {
    {"small", "a few bytes, less than one block", small},
    {"edges", "sizes around the block size, primes", edges},
    {"empty", "no byte at all", empty},
    {"values", "the smallest and the largest values", values},
    {"one_value", "all bytes equal", constant},
    {"skewed", "few values, runs", skewed},
    {"image", "photographs", image},
    {"large", "two million bytes", large},
    {"misaligned", "pointers of any alignment", misaligned},
    {"again", "called several times", repeated},
    {"frees", "no memory is leaked, errors are returned", no_leak},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"uniform", "1 MiB (on a card 1 GiB), all values alike", timed_uniform},
    {"one_value", "1 MiB (on a card 1 GiB) of one value", timed_constant},
    {"image", "1000 photographs (on a card 10,000)", timed_image},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"few", "0 to 5,003 bytes", small_sizes},
    {"equal", "131,072 equal bytes", all_equal},
    {NULL, NULL, NULL},
};

const struct suite suite_06_histogram = {"06_histogram", tests, speeds,
                                         watched};
