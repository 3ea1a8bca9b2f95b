/* SPDX-License-Identifier: MIT */
/* Suite of lab 01: c = a + b, exact in float, for any n. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "labs/01_vector_add/vector_add.h"
#include "grader/suite/suite.h"
#include "01_vector_add/mistakes.h"
#include "01_vector_add/response.h"

/* The double sum of two floats, rounded once to float, is the correctly rounded
 * float sum. */
static void expect_sums(const struct vectors *v, const float *c)
{
    const struct response response = vector_add_response(v);
    double *want = suite_doubles(v->n);

    for (size_t i = 0; i < v->n; i++)
        want[i] = (float)((double)v->a[i] + v->b[i]);
    expect_elements(&(struct expected){.name = "c", .got = c, .want = want,
                                       .type = FLOAT32, .size = {v->n},
                                       .input = v->a,
                                       .mistakes = vector_add_mistakes,
                                       .context = v, .response = &response});
}

static bool are_sums(const struct vectors *v, const float *c)
{
    size_t wrong = 0;

    for (size_t i = 0; i < v->n; i++)
        wrong += !(c[i] == (float)((double)v->a[i] + v->b[i]));
    return wrong == 0;
}

/* Adds two vectors and checks every element.  Of many, doubles are made only
 * when one is wrong: 2^24 of them took a tenth of a grade. */
static void check(const float *a, const float *b, size_t n)
{
    enum { MANY = 1 << 22 };
    const struct vectors vectors = {a, b, n};
    float *c = suite_floats(n);

    expect_success(vector_add(a, b, c, n));
    if (n > MANY && are_sums(&vectors, c))
        expect_that(true, "sums");
    else
        expect_sums(&vectors, c);
    if (n > 0) {
        expect_kernel();
        expect_inputs_copied();
    }
}

enum { PERIOD = 1048583, SHIFT = 4099 }; /* primes */

/* Inputs beyond a prime number of them repeat: making 2^24 took a seventh of a
 * grade. */
static void fill_random(float *out, size_t n)
{
    random_wide_range(out, n < PERIOD ? n : PERIOD);
    for (size_t at = PERIOD; at < n; at += PERIOD)
        memcpy(out + at, out, (n - at < PERIOD ? n - at : PERIOD)
                                  * sizeof *out);
}

/* Where the inputs repeat, b is a, shifted. */
static void check_random(size_t n)
{
    const bool repeats = n > PERIOD;
    float *a = suite_floats(repeats ? n + SHIFT : n);
    float *b = repeats ? a + SHIFT : suite_floats(n);

    fill_random(a, repeats ? n + SHIFT : n);
    if (!repeats)
        fill_random(b, n);
    suite_case("n = %zu", n);
    check(a, b, n);
}

static void check_size(const void *n)
{
    check_random(*(const size_t *)n);
}

static void check_again(size_t n)
{
    suite_repeat(check_size, &n);
}

static void small(void)
{
    static const size_t sizes[] = {1, 2, 3, 31, 32, 33, 100};

    suite_each(check_again, sizes, sizeof sizes / sizeof *sizes);
}

/* The contract allows NULL for all three. */
static void empty(void)
{
    check_random(0);
    suite_case("n = 0, all three pointers NULL");
    expect_success(vector_add(NULL, NULL, NULL, 0));
    suite_hint("Without elements the pointers are not used: n == 0 returns "
               "cudaSuccess, before anything is refused.");
}

/* Sizes one below and above common block sizes, and primes: the last block is
 * partial. */
static void edges(void)
{
    static const size_t sizes[] = {127,  128,  129,  255,  256,  257, 511,
                                   513,  1023, 1024, 1025, 2047, 2049, 7919};

    suite_each(check_again, sizes, sizeof sizes / sizeof *sizes);
}

/* Between the ends of huge arrays all elements are 0. */
static void wrong_far_index(struct hypotheses *h, const void *context)
{
    const struct vectors *v = context;

    for (size_t k = 0; k < 2; k++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < v->n; i++)
            values[i] = k ? v->a[i] : v->b[i];
        hypothesis_try(h, "", "a sum with another element of `%c`: its index "
                       "is computed in 32 bits", k ? 'b' : 'a');
    }
}

enum { ENDS = 8192 }; /* elements of huge vectors that have content */

/* As many as the indices of 32 bits of most grids reach. */
static int64_t add_fewer(void)
{
    return vector_add(suite_floats(ENDS), suite_floats(ENDS),
                      suite_floats(ENDS), ((size_t)1 << 32) - (1 << 27));
}

/* The input in whose device memory the sums were stored, or NULL: elements
 * beside the blocks that ran have its values, at both ends.  A kernel with a
 * wrong far index has right sums at the start. */
static const float *added_in_place(const float *c, const float *a,
                                   const float *b)
{
    for (size_t i = 0; i < ENDS / 2; i++)
        if (c[i] == a[i] || c[i] == b[i])
            return c[i] == a[i] ? a : b;
    return NULL;
}

/* Adds vectors of n elements, most of which have no content.  Only some blocks
 * of a grid run: what they did not write is 0, or an input if they add in
 * place.  A device that has less memory returns an error, unless the lab adds
 * in pieces.
 *  @param fewer  see expect_end(); NULL: a loop over pieces takes its time */
static void check_sparse(size_t n, int64_t (*fewer)(void))
{
    enum { OUT_OF_MEMORY = 2 };
    float *a = suite_floats(ENDS), *b = suite_floats(ENDS);
    float *c = suite_floats(ENDS);
    double *want = suite_doubles(ENDS);
    struct vectors ends = {a, b, ENDS};
    const float *old;
    int64_t status;

    random_floats(a, ENDS, 1, 2);
    random_floats(b, ENDS, 1, 2);
    status = vector_add(a, b, c, n);
    if (status == OUT_OF_MEMORY)
        return;
    if (fewer)
        expect_end(fewer);
    if (!expect_far_access(status, true))
        return;
    old = added_in_place(c, a, b);
    for (size_t i = 0; i < ENDS; i++)
        want[i] = c[i] == 0 || (old && c[i] == old[i])
                      ? c[i] : (float)((double)a[i] + b[i]);
    suite_case("n = %zu, the first and the last %d elements", n, ENDS / 2);
    expect_elements(&(struct expected){.name = "c", .got = c, .want = want,
                                       .type = FLOAT32, .size = {ENDS},
                                       .mistakes = wrong_far_index,
                                       .context = &ends});
}

/* More than 2^32 elements. */
static void huge(void)
{
    const size_t n = (size_t)5 << 30;

    if (!suite_use_sparse_memory())
        return;
    suite_blocks_are_independent();
    suite_case("n = %zu: more than 2^32 elements", n);
    check_sparse(n, add_fewer);
}

/* More than one wave of blocks, a prime, multiples of the block size, more
 * than 65,535 blocks of 256. Above 2^24 a float cannot represent every n, so a
 * block count computed in float misses the last block. */
static void large(void)
{
    static const size_t sizes[] = {1 << 16, 1000003, 1 << 20, (1 << 24) + 1};

    suite_each(check_random, sizes, sizeof sizes / sizeof *sizes);
    huge();
}

/* Only -0 + -0 is -0. As 0 == -0, the sign bits are compared. */
static void check_signed_zeros(void)
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

/* Infinities and NaN are added like any other value: each pair of special
 * values, at random places among others.  So many results cannot be passed as
 * arguments. */
static void nonfinite(void)
{
    static const float values[] = {0.0f, -0.0f, 1e-45f, 3.4e38f, -3.4e38f,
                                   INFINITY, -INFINITY, NAN};
    enum { KINDS = sizeof values / sizeof *values, N = 2400 };
    float *a = suite_floats(N), *b = suite_floats(N);

    random_wide_range(a, N);
    random_wide_range(b, N);
    for (size_t i = 0; i < KINDS * KINDS; i++) {
        const size_t room = N / (KINDS * KINDS);
        const size_t at = i * room + (size_t)random_int(0, (int64_t)room - 1);

        a[at] = values[i / KINDS];
        b[at] = values[i % KINDS];
    }
    suite_case("zeros, tiny and huge numbers, infinities, NaN");
    check(a, b, N);
    check_signed_zeros();
}

/* Several calls with new inputs: no result may come from an earlier call. */
static void repeated(void)
{
    for (int i = 0; i < 3; i++)
        check_random(5000);
    suite_use_multiprocessors(1); /* loops over the grid go round again */
    check_random(50021);
}

static void no_leak(void)
{
    check_random(100000);
    expect_no_leak();
    check_random(1 << 20);
    expect_no_leak();
}

static int64_t add_thousand(void)
{
    enum { N = 1000 };

    return vector_add(suite_floats(N), suite_floats(N), suite_floats(N), N);
}

/* 72 GiB in all, more than a device with sparse memory has: cudaMalloc fails
 * and the lab returns its error, or it adds in pieces that fit.  6 * 2^30
 * elements have 0 bytes if these are counted in 32 bits, and one more has 4. */
static void too_much_memory(void)
{
    for (size_t i = 0; i < 2 && suite_use_sparse_memory(); i++) {
        suite_blocks_are_independent();
        suite_case("n = 6 * 2^30%s, more than the device has memory for",
                   i ? " + 1" : "");
        check_sparse(((size_t)6 << 30) + i, NULL);
        expect_no_leak();
    }
}

/* Each single allocation, copy and launch of a small call fails. */
static void rejects_invalid(void)
{
    suite_check_failures(add_thousand);
    check_random(1000);
    too_much_memory();
}

static void timed(void)
{
    check_random(suite_size((size_t)1 << 20, (size_t)1 << 27));
}

/* Watched: no element, part of a warp, part of a block, several blocks. */
static void small_sizes(void)
{
    static const size_t sizes[] = {0, 1, 31, 33, 257, 1023, 4099};

    suite_each(check_random, sizes, sizeof sizes / sizeof *sizes);
}

/* Each vector is transferred once, in sectors of 32 bytes, by one launch. */
static void long_vector(void)
{
    enum { N = 1 << 16 };

    check_random(N);
    expect_metric(METRIC_SECTORS, 3.0 * N / 8, 3.0 * N / 8,
                  "x the minimum");
    expect_metric(METRIC_SERIAL, 0, 25, "x the 25 that it may have");
    expect_metric(METRIC_LAUNCHES, 1, 1, "x the minimum");
}

static const struct suite_test tests[] = {
    {"small", "a few elements, less than one block", small},
    {"edges", "sizes around a multiple of the block size", edges},
    {"empty", "no element at all", empty},
    {"large", "a million elements", large},
    {"special", "infinities, NaN, tiny and huge values", nonfinite},
    {"again", "called three times in a row", repeated},
    {"frees", "device memory is freed", no_leak},
    {"refuses", "errors are returned", rejects_invalid},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"large", "1 Mi elements (on a card 128 Mi)", timed},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"few", "0 to 4,099 elements", small_sizes},
    {"long", "65,536 elements", long_vector},
    {NULL, NULL, NULL},
};

const struct suite suite_01_vector_add = {"01_vector_add", tests, speeds,
                                          watched};
