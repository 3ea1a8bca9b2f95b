/* SPDX-License-Identifier: MIT */
/* Suite of lab 05: prefix sums, each within the contract's error bound of the
 * sum in double. */
#include <math.h>
#include <string.h>

#include "labs/05_scan/scan.h"
#include "grader/suite/suite.h"
#include "grader/suite/response.h"
#include "grader/suites/05_scan/mistakes.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static size_t misalign_in, misalign_out; /* of the arrays in the next calls,
                                            in bytes */

/* Roundings on the longest path that the contract's bound allows. */
static double rounding_steps(size_t n)
{
    return 128 + log2((double)n + 1);
}

/* The prefix sums in double, and those of the absolute values. */
static void scan_reference(const float *in, size_t n, int kind, double *want,
                           double *scale)
{
    double sum = 0, magnitude_sum = 0;

    for (size_t i = 0; i < n; i++) {
        want[i] = kind == SCAN_EXCLUSIVE ? sum : sum + in[i];
        scale[i] = kind == SCAN_EXCLUSIVE ? magnitude_sum
                                          : magnitude_sum + fabs(in[i]);
        sum += in[i];
        magnitude_sum += fabs(in[i]);
    }
}

static size_t inclusive(size_t out)
{
    return out + 1;
}

static size_t exclusive(size_t out)
{
    return out;
}

/* steps = 0: the sums must be exact. */
static void expect_sums(const float *in, const float *out, size_t n, int kind,
                        double steps)
{
    double *want = suite_doubles(n), *scale = suite_doubles(n);
    const struct scan_input input = {in, n, kind};
    const struct response_prefix prefix = {
        in, n, kind == SCAN_EXCLUSIVE ? exclusive : inclusive};
    const struct response response = response_of_prefixes(&prefix);

    scan_reference(in, n, kind, want, scale);
    expect_elements(&(struct expected){
        .name = kind == SCAN_EXCLUSIVE ? "exclusive" : "inclusive",
        .got = out, .want = want, .type = FLOAT32, .size = {n},
        .scale = scale, .steps = steps, .input = in,
        .mistakes = scan_mistakes, .context = &input,
        .response = &response});
}

/* One call, checked. */
static void check(const float *in, size_t n, int kind, double steps)
{
    float *out = suite_floats(n);

    expect_success(scan(in, out, suite_bytes(SCAN_WORKSPACE(n)), n, kind));
    expect_sums(in, out, n, kind, steps);
}

static void check_both(const float *in, size_t n, double steps)
{
    check(in, n, SCAN_INCLUSIVE, steps);
    check(in, n, SCAN_EXCLUSIVE, steps);
}

/* Values of both signs and a wide range of magnitudes. */
static void check_random(size_t n)
{
    float *in = suite_floats(n);

    random_wide_range(in, n);
    suite_misalign("d_in", misalign_in);
    suite_misalign("d_out", misalign_out);
    if (misalign_in || misalign_out)
        suite_case("n = %zu, %zu and %zu bytes off", n, misalign_in,
                   misalign_out);
    else
        suite_case("n = %zu", n);
    check_both(in, n, rounding_steps(n));
}

/* Integers other than 0, whose sums are exact. */
static void check_integers(const size_t *sizes, size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++) {
        float *in = suite_floats(sizes[i]);

        random_integral(in, sizes[i], 1, 100);
        suite_case("n = %zu, whole numbers", sizes[i]);
        check_both(in, sizes[i], 0);
    }
}

static void small(void)
{
    static const size_t sizes[] = {1, 2, 3, 4, 5, 31, 32, 33, 63, 100};

    suite_each(check_random, sizes, COUNT(sizes));
}

static void empty(void)
{
    check_random(0);
}

/* Sizes one below and above common block and tile sizes. */
static void edges(void)
{
    static const size_t sizes[] = {127,  128,  129,  255,  256,  257,
                                   511,  512,  513,  1023, 1024, 1025,
                                   2047, 2049, 4095, 4096, 4097};

    check_integers(sizes, COUNT(sizes));
}

/* Primes, and sizes whose last tile of block sums is partial. */
static void tiles(void)
{
    static const size_t sizes[] = {7919, 8193, 10007, 65535, 65537, 131073};

    check_integers(sizes, COUNT(sizes));
}

/* Are these the exclusive sums, exactly? */
static bool are_exact(const float *in, const float *out, size_t n)
{
    int64_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        if (out[i] != (float)sum)
            return false;
        sum += (int64_t)in[i];
    }
    return true;
}

/* Whole numbers whose sums grow slowly: 2^25 are exact in float.  They repeat
 * after a prime number of them. */
static void fill_slowly(float *in, size_t n)
{
    enum { PERIOD = 1048583, ONES = 5 };

    random_integral(in, PERIOD, -2, 2);
    for (size_t i = 0; i < PERIOD; i += ONES)
        in[i] = 1;
    for (size_t at = PERIOD; at < n; at += PERIOD)
        memcpy(in + at, in, (n - at < PERIOD ? n - at : PERIOD) * sizeof *in);
}

/* More sums of tiles of 4,096 elements than two rows of 4,096: the carry from
 * row to row counts, and so does all of the workspace.  Doubles are made only
 * when a sum is wrong. */
static void check_many_tiles(size_t n)
{
    float *in = suite_floats(n), *out = suite_floats(n);

    fill_slowly(in, n);
    suite_case("n = %zu, whole numbers", n);
    expect_success(scan(in, out, suite_bytes(SCAN_WORKSPACE(n)), n,
                        SCAN_EXCLUSIVE));
    if (are_exact(in, out, n))
        expect_that(true, "sums");
    else
        expect_sums(in, out, n, SCAN_EXCLUSIVE, 0);
    suite_hint("Where one block scans the sums of the tiles in rows, the carry "
               "is the sum of all rows before; and all levels together must "
               "fit into the workspace.");
}

static void large(void)
{
    const size_t huge = ((size_t)1 << 32) + 5000001;

    check_random(264193); /* 516 * 512 + 1 */
    check_random(1051649); /* 1027 * 1024 + 1: more block sums than a block
                              has threads; no power of 2 is just before */
    check_many_tiles(((size_t)1 << 23) + 4097); /* wrong ones take less time */
    check_many_tiles(((size_t)1 << 25) + 4097);
    if (suite_use_sparse_memory()) {
        suite_case("n = %zu: more than 2^32 elements", huge);
        expect_far_access(scan(suite_floats(1), suite_floats(1),
                               suite_bytes(1), huge, SCAN_INCLUSIVE),
                          false); /* the last block may wait */
    }
}

/* Values of one sign, so that rounding errors do not cancel.  The bound is
 * 2e-5 of the sum; half precision is off by 2e-4 and more.  A float sum of
 * 2^24 absorbs smaller addends: one thread that adds all elements loses 4 %. */
static void precision(void)
{
    static const size_t sizes[] = {1000, 300007};

    for (size_t i = 0; i < 2 * COUNT(sizes) && !suite_failed(); i++) {
        const size_t n = sizes[i / 2];
        float *in = suite_floats(n);

        random_floats(in, n, 0, 1);
        if (i % 2)
            in[0] = 0x1p24f;
        suite_case("n = %zu, from 0 to 1%s", n, i % 2 ? " after 2^24" : "");
        check_both(in, n, rounding_steps(n));
    }
}

/* An infinity or a NaN must not change the sums before it. */
static void nonfinite(void)
{
    static const float values[] = {INFINITY, -INFINITY, NAN};
    static const size_t positions[] = {0, 5, 511, 700, 1024, 5000};
    enum { N = 5003 };
    float *in = suite_floats(N);

    for (size_t i = 0; i < COUNT(positions) && !suite_failed(); i++) {
        const float value = values[i % COUNT(values)];

        random_floats(in, N, -3, 3);
        in[positions[i]] = value;
        suite_case("n = %d with %g at %zu", N, value, positions[i]);
        check_both(in, N, rounding_steps(N));
    }
}

/* Pointers that are aligned to 4 bytes only. */
static void misaligned(void)
{
    static const size_t sizes[] = {1, 6, 1025, 40013};

    for (size_t i = 1; i < 16 && !suite_failed(); i++) {
        misalign_in = i % 4 * 4;
        misalign_out = i / 4 * 4;
        check_random(sizes[i % COUNT(sizes)]);
    }
    misalign_in = misalign_out = 0;
}

/* Lengths that grow and shrink: no state may remain from an earlier call. */
static void repeated(void)
{
    static const size_t sizes[] = {20000, 70000, 20000, 5000, 70000};

    static const size_t reordered[] = {131073};

    check_integers(sizes, COUNT(sizes));
    suite_use_schedule(1); /* the order in which blocks start must not matter */
    check_integers(reordered, COUNT(reordered));
}

static int64_t scan_thousands(void)
{
    enum { N = 9000 };

    return scan(suite_floats(N), suite_floats(N),
                suite_bytes(SCAN_WORKSPACE(N)), N, SCAN_INCLUSIVE);
}

static void no_leak(void)
{
    suite_check_frees(check_random, 100000);
    suite_check_failures(scan_thousands);
}

static void timed(void)
{
    const size_t n = suite_size((size_t)1 << 19, (size_t)1 << 28);
    float *in = suite_floats(n);

    random_wide_range(in, n);
    suite_case("n = %zu", n);
    check(in, n, SCAN_INCLUSIVE, rounding_steps(n));
}

/* Watched: no element, part of a warp, part of a tile, several tiles. */
static void small_sizes(void)
{
    static const size_t sizes[] = {0, 1, 33, 513, 1023, 9001};

    suite_each(check_random, sizes, COUNT(sizes));
    misalign_in = 8;
    check_random(1020);
    misalign_out = 4;
    check_random(1021);
    misalign_in = 0;
    check_random(1020);
    misalign_out = 0;
}

/* Each element is loaded once and stored once, ideally as part of a float4. */
static void long_vector(void)
{
    enum { N = 1 << 17 };
    float *in = suite_floats(N);

    random_wide_range(in, N);
    suite_case("n = %d", N);
    check(in, N, SCAN_INCLUSIVE, rounding_steps(N));
    expect_metric(METRIC_SECTORS, 2 * N / 8.0, 2 * N / 8.0,
                  "x the minimum");
    expect_metric(METRIC_SERIAL, 0, 25, "x the 25 that it may have");
    expect_metric(METRIC_REQUESTS, 2 * N / 128.0, 2 * N / 128.0,
                  "x the minimum");
    expect_metric(METRIC_BARRIERS, 0, N / 512.0, "for each 512 elements");
    expect_metric(METRIC_CONFLICTS, 0, N / 32.0, "for each 32 elements");
    expect_metric(METRIC_LAUNCHES, 1, 1, "x the minimum");
}

static const struct suite_test tests[] = {
    {"small", "a few elements, less than one tile", small},
    {"edges", "sizes around the tile size", edges},
    {"empty", "no element at all", empty},
    {"tiles", "many tiles, primes", tiles},
    {"large", "a million elements", large},
    {"precise", "precision of the sums", precision},
    {"special", "infinities and NaN", nonfinite},
    {"misaligned", "pointers aligned to 4 bytes only", misaligned},
    {"again", "called several times", repeated},
    {"frees", "no memory is leaked, errors are returned", no_leak},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"large", "512 Ki elements (on a card 256 Mi)", timed},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"few", "0 to 9,001 elements", small_sizes},
    {"long", "131,072 elements", long_vector},
    {NULL, NULL, NULL},
};

const struct suite suite_05_scan = {"05_scan", tests, speeds, watched};
