/* SPDX-License-Identifier: MIT */
/* Suite of lab 05: running sums, each within the contract's bound of the
 * double sum. */
#include <math.h>

#include "labs/05_scan/scan.h"
#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static size_t off_in, off_out; /* bytes off 256, for the stub's next calls */

/* The stub: same signature, runs in the runner. */
int scan(const float *d_in, float *d_out, void *d_work, size_t n, int kind)
{
    call_begin(0);
    call_in(ON_DEVICE, d_in, n * sizeof *d_in);
    call_misalign(off_in);
    call_out(ON_DEVICE, d_out, n * sizeof *d_out);
    call_misalign(off_out);
    call_out(ON_DEVICE, d_work, SCAN_WORK(n));
    call_integer((int64_t)n);
    call_integer(kind);
    return (int)call_end();
}

/* Operations in a row that the contract's bound grants. */
static double steps_for(size_t n)
{
    return 128 + log2((double)n + 1);
}

/* The running sums, and those of the magnitudes, of the same elements. */
static void sums_of(const float *in, size_t n, int kind, double *want,
                    double *scale)
{
    double sum = 0, all = 0;

    for (size_t i = 0; i < n; i++) {
        want[i] = kind == SCAN_EXCLUSIVE ? sum : sum + in[i];
        scale[i] = kind == SCAN_EXCLUSIVE ? all : all + fabs(in[i]);
        sum += in[i];
        all += fabs(in[i]);
    }
}

/* One call; steps = 0: exact. */
static void check(const float *in, size_t n, int kind, double steps)
{
    float *out = suite_floats(n);
    double *want = suite_doubles(n), *scale = suite_doubles(n);

    sums_of(in, n, kind, want, scale);
    expect_success(scan(in, out, suite_bytes(SCAN_WORK(n)), n, kind));
    expect_elements(&(struct expected){
        .name = kind == SCAN_EXCLUSIVE ? "exclusive" : "inclusive",
        .got = out, .want = want, .type = FLOAT32, .size = {n},
        .scale = scale, .steps = steps, .input = in});
}

static void check_both(const float *in, size_t n, double steps)
{
    check(in, n, SCAN_INCLUSIVE, steps);
    check(in, n, SCAN_EXCLUSIVE, steps);
}

/* Numbers of either sign and of very different sizes. */
static void check_random(size_t n)
{
    float *in = suite_floats(n);

    random_spread(in, n);
    if (off_in || off_out)
        suite_case("n = %zu, %zu and %zu bytes off", n, off_in, off_out);
    else
        suite_case("n = %zu", n);
    check_both(in, n, steps_for(n));
}

/* Whole numbers whose sums are all exact, and none of which is 0. */
static void check_whole(const size_t *sizes, size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++) {
        float *in = suite_floats(sizes[i]);

        random_whole(in, sizes[i], 1, 100);
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

/* One off each usual block's and tile's size. */
static void edges(void)
{
    static const size_t sizes[] = {127,  128,  129,  255,  256,  257,
                                   511,  512,  513,  1023, 1024, 1025,
                                   2047, 2049, 4095, 4096, 4097};

    check_whole(sizes, COUNT(sizes));
}

/* Primes, and sizes that leave a part of a tile of sums. */
static void tiles(void)
{
    static const size_t sizes[] = {7919, 8193, 10007, 65535, 65537, 131073};

    check_whole(sizes, COUNT(sizes));
}

static void large(void)
{
    check_random(262657); /* 513 * 512 + 1 */
    check_random(1000003);
    check_random(1049601); /* 1025 * 1024 + 1: more sums than a block has */
}

/* Numbers of one sign: what few bits lose does not cancel.  The bound is
 * 2e-5 of the sum; half precision is off by 2e-4 and more.  Beside 2^24 a
 * float has no digits for the others: one thread that adds up all of them
 * loses 4 %. */
static void precise(void)
{
    static const size_t sizes[] = {1000, 300007};

    for (size_t i = 0; i < 2 * COUNT(sizes) && !suite_failed(); i++) {
        const size_t n = sizes[i / 2];
        float *in = suite_floats(n);

        random_floats(in, n, 0, 1);
        if (i % 2)
            in[0] = 0x1p24f;
        suite_case("n = %zu, from 0 to 1%s", n, i % 2 ? " after 2^24" : "");
        check_both(in, n, steps_for(n));
    }
}

/* An infinity or a NaN, and what comes before and after it. */
static void special(void)
{
    static const float values[] = {INFINITY, -INFINITY, NAN};
    static const size_t places[] = {0, 5, 511, 700, 1024, 5000};
    enum { N = 5003 };
    float *in = suite_floats(N);

    for (size_t i = 0; i < COUNT(places) && !suite_failed(); i++) {
        const float value = values[i % COUNT(values)];

        random_floats(in, N, -3, 3);
        in[places[i]] = value;
        suite_case("n = %d with %g at %zu", N, value, places[i]);
        check_both(in, N, steps_for(N));
    }
}

/* Pointers that only a float's alignment fits. */
static void misaligned(void)
{
    static const size_t sizes[] = {1, 6, 1025, 5003};

    for (size_t i = 1; i < 16 && !suite_failed(); i++) {
        off_in = i % 4 * 4;
        off_out = i / 4 * 4;
        check_random(sizes[i % COUNT(sizes)]);
    }
    off_in = off_out = 0;
}

/* Lengths that grow and shrink: nothing is left over from the call before. */
static void again(void)
{
    static const size_t sizes[] = {20000, 70000, 20000, 5000, 70000};

    suite_each(check_random, sizes, COUNT(sizes));
    suite_reorder(1); /* nor does it matter which block begins first */
    check_random(150001);
}

static void frees(void)
{
    suite_frees(check_random, 100000);
}

static void timed(void)
{
    const size_t n = suite_size((size_t)1 << 19, (size_t)1 << 28);
    float *in = suite_floats(n);

    random_spread(in, n);
    suite_case("n = %zu", n);
    check(in, n, SCAN_INCLUSIVE, steps_for(n));
}

/* Watched: nothing, part of a warp, of a tile, and some tiles. */
static void few(void)
{
    static const size_t sizes[] = {0, 1, 33, 513, 1023, 9001};

    suite_each(check_random, sizes, COUNT(sizes));
    off_in = 8;
    off_out = 4;
    check_random(1021);
    off_in = off_out = 0;
}

/* Every element is read once and written once, best as one of four. */
static void long_vector(void)
{
    enum { N = 1 << 17 };
    float *in = suite_floats(N);

    random_spread(in, N);
    suite_case("n = %d", N);
    check(in, N, SCAN_INCLUSIVE, steps_for(N));
    expect_cost(COST_SECTORS, 2 * N / 8.0, 2 * N / 8.0,
                "x the least there can be");
    expect_cost(COST_REQUESTS, 2 * N / 128.0, 2 * N / 128.0,
                "x the least there can be");
    expect_cost(COST_BARRIERS, 0, N / 512.0, "for each 512 elements");
    expect_cost(COST_CONFLICTS, 0, N / 32.0, "for each 32 elements");
    expect_cost(COST_LAUNCHES, 1, 1, "x what it takes");
}

static const struct suite_test tests[] = {
    {"small", "a few elements, less than one tile", small},
    {"edges", "sizes round the edges of tiles", edges},
    {"empty", "no element at all", empty},
    {"tiles", "many tiles, primes", tiles},
    {"large", "a million elements", large},
    {"precise", "sums in enough bits", precise},
    {"special", "infinities and NaN", special},
    {"misaligned", "pointers that only a float's alignment fits", misaligned},
    {"again", "called several times", again},
    {"frees", "no device memory is kept", frees},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"large", "512 Ki elements (on a card 256 Mi)", timed},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"few", "0 to 9,001 elements", few},
    {"long", "131,072 elements", long_vector},
    {NULL, NULL, NULL},
};

const struct suite suite_05_scan = {"05_scan", tests, speeds, watched};
