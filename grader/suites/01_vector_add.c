/* SPDX-License-Identifier: MIT */
/* Suite of lab 01: c = a + b, exact in float, for any n. */
#include <math.h>
#include <stdlib.h>

#include "labs/01_vector_add/vector_add.h"
#include "suite.h"

static bool fits = true; /* the next calls' vectors have n elements */

/* The stub: same signature, runs in the runner. */
int vector_add(const float *a, const float *b, float *c, size_t n)
{
    const size_t bytes = fits ? n * sizeof *a : 0;

    call_begin(0);
    call_in(ON_HOST, a, bytes);
    call_in(ON_HOST, b, bytes);
    call_out(ON_HOST, c, bytes);
    call_integer((int64_t)n);
    return (int)call_end();
}

/* Adds two vectors and checks every element.  The double sum of two floats,
 * rounded once to float, is the correctly rounded float sum. */
static void add(const float *a, const float *b, size_t n)
{
    float *c = suite_floats(n);
    double *want = suite_doubles(n);

    for (size_t i = 0; i < n; i++)
        want[i] = (float)((double)a[i] + b[i]);
    expect_success(vector_add(a, b, c, n));
    expect_elements(&(struct expected){.name = "c", .got = c, .want = want,
                                       .type = FLOAT32, .size = {n},
                                       .input = a});
    if (n > 0)
        expect_kernel();
}

static void add_random(size_t n)
{
    float *a = suite_floats(n), *b = suite_floats(n);

    random_spread(a, n);
    random_spread(b, n);
    suite_case("n = %zu", n);
    add(a, b, n);
}

static void small(void)
{
    static const size_t sizes[] = {1, 2, 3, 31, 32, 33, 100};

    suite_each(add_random, sizes, sizeof sizes / sizeof *sizes);
}

static void empty(void)
{
    add_random(0);
}

/* One off each usual block size, and primes: the last block is partial. */
static void edges(void)
{
    static const size_t sizes[] = {127,  128,  129,  255,  256,  257, 511,
                                   513,  1023, 1024, 1025, 2047, 2049, 7919};

    suite_each(add_random, sizes, sizeof sizes / sizeof *sizes);
}

/* Long enough for more than one wave of blocks: a prime, multiples; more than
 * 65,535 blocks of 256, and beyond 2^24, from where on a float does not hold
 * every n: a number of blocks worked out in float misses the last one. */
static void large(void)
{
    add_random(1 << 16);
    add_random(1000003);
    add_random((size_t)1 << 20);
    add_random(((size_t)1 << 24) + 1);
}

/* -0 + -0 is -0, which no other sum is; 0 == -0, so the sign is asked. */
static void add_zeros(void)
{
    enum { N = 100 };
    float *a = suite_floats(N), *b = suite_floats(N), *c = suite_floats(N);

    for (size_t i = 0; i < N; i++) {
        a[i] = i % 2 ? -0.0f : 0.0f;
        b[i] = i % 4 ? -0.0f : 0.0f;
    }
    suite_case("zeros of both signs");
    expect_success(vector_add(a, b, c, N));
    for (size_t i = 0; i < N && !suite_failed(); i++)
        expect_that(!signbit(c[i]) == !signbit(a[i] + b[i]),
                    "c[%zu] is %g, should be %g: the sum of %g and %g", i,
                    c[i], a[i] + b[i], a[i], b[i]);
}

/* Infinities and NaN must go through like any other value. */
static void special(void)
{
    static const float values[] = {0.0f, -0.0f, 1e-45f, 3.4e38f, -3.4e38f,
                                   INFINITY, -INFINITY, NAN};
    enum { KINDS = sizeof values / sizeof *values, N = KINDS * KINDS };
    float *a = suite_floats(N), *b = suite_floats(N);

    for (size_t i = 0; i < N; i++) {
        a[i] = values[i / KINDS];
        b[i] = values[i % KINDS];
    }
    suite_case("zeros, tiny and huge numbers, infinities, NaN");
    add(a, b, N);
    add_zeros();
}

/* Twice, with other values: results must not come from the call before. */
static void again(void)
{
    for (int i = 0; i < 3; i++)
        add_random(5000);
}

static void frees(void)
{
    add_random(100000);
    expect_no_leak();
    add_random(1 << 20);
    expect_no_leak();
}

/* 16 TiB a vector: cudaMalloc says no, and so must the lab. */
static void refuses(void)
{
    float none = 0;

    fits = false;
    suite_case("n = 2^42, more than the device has memory for");
    expect_refusal(vector_add(&none, &none, &none, (size_t)1 << 42));
    expect_no_leak();
    fits = true;
    add_random(1000);
}

static void timed(void)
{
    add_random(suite_size((size_t)1 << 20, (size_t)1 << 27));
}

/* Watched: nothing, part of a warp, of a block, and some blocks. */
static void few(void)
{
    static const size_t sizes[] = {0, 1, 31, 33, 257, 1023, 4099};

    suite_each(add_random, sizes, sizeof sizes / sizeof *sizes);
}

/* Each vector crosses the bus once: 32 bytes a sector, one launch. */
static void long_vector(void)
{
    enum { N = 1 << 16 };

    add_random(N);
    expect_cost(COST_SECTORS, 3.0 * N / 8, 3.0 * N / 8,
                "x the least there can be");
    expect_cost(COST_LAUNCHES, 1, 1, "x what it takes");
}

static const struct suite_test tests[] = {
    {"small", "a few elements, less than one block", small},
    {"edges", "sizes round the edges of blocks", edges},
    {"empty", "no element at all", empty},
    {"large", "a million elements", large},
    {"special", "infinities, NaN, tiny and huge values", special},
    {"again", "called three times in a row", again},
    {"frees", "device memory is freed", frees},
    {"refuses", "errors are told", refuses},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"large", "1 Mi elements (on a card 128 Mi)", timed},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"few", "0 to 4,099 elements", few},
    {"long", "65,536 elements", long_vector},
    {NULL, NULL, NULL},
};

const struct suite suite_01_vector_add = {"01_vector_add", tests, speeds,
                                          watched};
