/* SPDX-License-Identifier: MIT */
/* Suite of lab 04: the sum, within the contract's error bound of the sum in
 * double, and the maximum, exact. */
#include <math.h>
#include <string.h>

#include "labs/04_reduction/reduction.h"
#include "grader/suite/suite.h"
#include "grader/suite/response.h"
#include "grader/suites/04_reduction/mistakes.h"
#include "grader/suites/04_reduction/reference.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static size_t misalign_in; /* of d_in in the next calls, in bytes */

/* One call, checked.  steps = 0: the result must be exact. */
static float check(const float *in, size_t n, int op, double steps)
{
    float *work = suite_floats(REDUCTION_WORKSPACE(n)), *out = suite_floats(1);
    const struct reduction_input input = {in, n, op, misalign_in};
    const struct response_prefix all = {.in = in, .n = n};
    const struct response response = response_of_prefixes(&all);
    double scale, want = sum_reference(in, n, &scale);

    if (op == REDUCTION_MAX)
        want = max_reference(in, n);
    expect_success(reduction(in, out, work, n, op));
    expect_elements(&(struct expected){
        .name = op == REDUCTION_SUM ? "sum" : "max", .got = out,
        .want = &want, .type = FLOAT32, .size = {1}, .scale = &scale,
        .steps = op == REDUCTION_SUM ? steps : 0,
        .mistakes = reduction_mistakes, .context = &input,
        .special = has_special(in, n),
        .response = op == REDUCTION_SUM ? &response : NULL});
    return *out;
}

/* Both operations on values of both signs and a wide range of magnitudes. */
static void check_random(size_t n)
{
    float *in = suite_floats(n);

    random_wide_range(in, n);
    suite_misalign("d_in", misalign_in);
    if (misalign_in)
        suite_case("n = %zu, %zu bytes off", n, misalign_in);
    else
        suite_case("n = %zu", n);
    check(in, n, REDUCTION_SUM, rounding_steps(n));
    check(in, n, REDUCTION_MAX, 0);
}

/* The second call differs in nothing from the first one. */
static void check_twice(void)
{
    const float in = 7;

    for (int i = 0; i < 2 && !suite_failed(); i++) {
        suite_case("n = 1%s", i ? ", called again" : "");
        check(&in, 1, REDUCTION_SUM, 0);
    }
}

static void small(void)
{
    static const size_t sizes[] = {1, 2, 3, 4, 5, 31, 32, 33, 63, 100};

    check_twice();
    suite_each(check_random, sizes, COUNT(sizes));
}

static void empty(void)
{
    check_random(0);
}

/* Integers other than 0, whose sums are exact: a lost or repeated element
 * shows. */
static void check_integers(const size_t *sizes, size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++) {
        float *in = suite_floats(sizes[i]);

        random_integral(in, sizes[i], 1, 100);
        suite_case("n = %zu, whole numbers", sizes[i]);
        check(in, sizes[i], REDUCTION_SUM, 0);
    }
}

/* Sizes one below and above common block sizes, and multiples of a float4. */
static void edges(void)
{
    static const size_t sizes[] = {31,  32,   33,   127,  128,  129,
                                   255, 256,  257,  511,  513,  1023,
                                   1024, 1025, 2047, 2049, 4095, 4097};

    check_integers(sizes, COUNT(sizes));
}

/* Primes, and sizes whose last pass is partial. */
static void passes(void)
{
    static const size_t sizes[] = {7919,  10007, 65535, 65536,
                                   67073, 65537, 131071};

    check_integers(sizes, COUNT(sizes));
}

/* All equal: in a chain of additions most rounding errors go the same way.
 * 4/3 is 1.0101... in binary: a third of the sum's last bit is lost, whatever
 * its exponent and the power of two that a tree multiplied the addends with.
 * Half of the additions have the last exponent, as the whole sum is 2^22.  The
 * bound allows a chain of about 2,200. */
static void check_equal(void)
{
    enum { N = 3 << 20 };
    float *in = suite_floats(N);

    for (size_t i = 0; i < N; i++)
        in[i] = 4.0f / 3;
    suite_case("n = %d, all %.9g", N, in[0]);
    check(in, N, REDUCTION_SUM, rounding_steps(N));
}

/* Values of one sign, so that rounding errors do not cancel.  The bound is
 * 2e-5 of the sum; half precision is off by 2e-4 and more.  A float sum of
 * 2^24 absorbs smaller addends: one thread that adds all elements loses 4 %. */
static void precision(void)
{
    static const size_t sizes[] = {1000, 100003, 1000003};

    for (size_t i = 0; i < 2 * COUNT(sizes) && !suite_failed(); i++) {
        const size_t n = sizes[i / 2];
        float *in = suite_floats(n);

        random_floats(in, n, 0, 1);
        if (i % 2)
            in[0] = 0x1p24f;
        suite_case("n = %zu, from 0 to 1%s", n, i % 2 ? " after 2^24" : "");
        check(in, n, REDUCTION_SUM, rounding_steps(n));
    }
    if (!suite_failed())
        check_equal();
}

/* Negative values only, the maximum at each end and in between. */
static void largest(void)
{
    enum { N = 3001 };
    static const size_t positions[] = {0,    1,    255,   256,
                                       1500, 2815, N - 2, N - 1};
    float *in = suite_floats(N);

    for (size_t i = 0; i < COUNT(positions) && !suite_failed(); i++) {
        random_floats(in, N, -9, -3);
        in[positions[i]] = (float)random_uniform(-2, -1);
        suite_case("n = %d, all negative, the largest at %zu", N, positions[i]);
        check(in, N, REDUCTION_MAX, 0);
    }
}

/* All elements are -infinity: an initial value other than -infinity would be
 * the maximum. */
static void all_minus_infinity(void)
{
    enum { N = 1000 };
    float *in = suite_floats(N);

    for (size_t i = 0; i < N; i++)
        in[i] = -INFINITY;
    suite_case("n = %d, all -inf", N);
    check(in, N, REDUCTION_MAX, 0);
}

/* Infinities and NaN, alone and together, subnormal numbers, both zeros. */
static void nonfinite(void)
{
    static const float values[][2] = {
        {INFINITY, 1}, {-INFINITY, 1}, {INFINITY, -INFINITY}, {NAN, 1},
        {NAN, NAN},    {-INFINITY, NAN}, {1e-45f, 2e-45f}, {0.0f, -0.0f}};
    enum { N = 20011 }; /* each thread has several elements */
    float *in = suite_floats(N);

    for (size_t i = 0; i < COUNT(values) && !suite_failed(); i++) {
        memset(in, 0, N * sizeof *in);
        random_floats(in, i < 6 ? N : 0, -3, -1);
        in[random_int(0, 511)] = values[i][0];
        in[random_int(512, N - 1)] = values[i][1];
        suite_case("n = %d with %g and %g", N, values[i][0], values[i][1]);
        check(in, N, REDUCTION_SUM, rounding_steps(N));
        check(in, N, REDUCTION_MAX, 0);
    }
    all_minus_infinity();
}

/* The maximum must not be lost when it is compared with a NaN. */
static void mostly_nan(void)
{
    for (size_t n = 1023; n < 1027 && !suite_failed(); n++) {
        float *in = suite_floats(n);

        for (size_t i = 0; i < n; i++)
            in[i] = random_int(0, 9) ? NAN : (float)random_uniform(-2, -1);
        suite_case("n = %zu, nine in ten NaN", n);
        check(in, n, REDUCTION_MAX, 0);
    }
}

/* A head, vectors and a tail of whole numbers, whose sum is exact. */
static void check_head_and_tail(void)
{
    enum { N = 33, MOST = 100000 };
    float *in = suite_floats(N);

    random_integral(in, N, 1, MOST);
    suite_misalign("d_in", misalign_in);
    suite_case("n = %d, whole numbers, %zu bytes off", N, misalign_in);
    check(in, N, REDUCTION_SUM, 0);
}

/* Pointers that are aligned to 4 bytes only. */
static void misaligned(void)
{
    static const size_t sizes[] = {1, 2, 3, 7, 33, 1025, 100003};

    for (misalign_in = 4; misalign_in < 16 && !suite_failed(); misalign_in += 4)
        check_head_and_tail();
    for (size_t i = 0; i < 3 * COUNT(sizes) && !suite_failed(); i++) {
        misalign_in = 4 + i % 3 * 4;
        check_random(sizes[i / 3]);
    }
    misalign_in = 0;
}

/* Sums of millions of them are exact: one lost value shows, whatever it is. */
static void check_small_integers(size_t n)
{
    float *in = suite_floats(n);

    random_integral(in, n, 1, 3);
    suite_case("n = %zu", n);
    check(in, n, REDUCTION_SUM, 0);
}

/* As many as the indices of 32 bits of most grids reach. */
static int64_t reduce_fewer(void)
{
    return reduction(suite_floats(1), suite_floats(1), suite_floats(1),
                     ((size_t)1 << 32) - (1 << 27), REDUCTION_SUM);
}

/* More partial results than a block has threads: all of them count. */
static void check_last_of_many(void)
{
    const size_t n = ((size_t)1 << 24) + 1;
    float *in = suite_floats(n);

    in[0] = in[n - 1] = 1;
    suite_case("n = %zu, all 0 but the first and the last one", n);
    check(in, n, REDUCTION_SUM, 0);
    suite_hint("Does one block combine all partial results, in a loop?");
}

static void large(void)
{
    const size_t huge = (size_t)5 << 30; /* a quarter is beyond 2^32 */
    int64_t status;

    check_small_integers(1049601); /* two passes that reduce by 1,024 leave
                                      two values */
    check_random(1000003);
    check_random((size_t)1 << 20);
    suite_use_schedule(1); /* a pass in place: blocks overwrite what others
                              have not read yet */
    if (suite_failed())
        return;
    check_small_integers(4196353); /* likewise for 2,048 */
    if (suite_failed())
        suite_hint("There are thousands of partial results here, and blocks "
                   "run in another order. Are all of them combined? Does a "
                   "pass store where other blocks have not read yet? Let it "
                   "read from one part of d_work and write to another.");
    else
        check_last_of_many();
    if (suite_use_sparse_memory()) {
        suite_case("n = %zu: more than 2^32 elements", huge);
        status = reduction(suite_floats(1), suite_floats(1), suite_floats(1),
                           huge, REDUCTION_SUM);
        expect_end(reduce_fewer);
        expect_far_access(status, true);
    }
}

/* The same inputs give the same bits, also after calls with other inputs. */
static void repeated(void)
{
    enum { N = 200003, IN_ORDER = 3, CALLS = 8 };
    float *in = suite_floats(N), first = 0;

    random_wide_range(in, N);
    for (int i = 0; i < CALLS && !suite_failed(); i++) {
        suite_case("n = %d, call %d", N, i + 1);
        if (i >= IN_ORDER) /* one other order may give the same bits */
            suite_use_schedule((unsigned)(i - IN_ORDER + 1));
        float sum = check(in, N, REDUCTION_SUM, rounding_steps(N));

        if (i == 0)
            first = sum;
        expect_that(sum == first,
                    "sum is %.9g; the same input gave %.9g before: the order "
                    "of the additions is not deterministic",
                    sum, first);
        check_random(5000 + (size_t)i);
    }
    suite_use_multiprocessors(1); /* loops over the grid go round again */
    check_random(N);
}

static int64_t reduce_thousands(void)
{
    enum { N = 9000 };

    return reduction(suite_floats(N), suite_floats(1),
                     suite_floats(REDUCTION_WORKSPACE(N)), N, REDUCTION_SUM);
}

static void no_leak(void)
{
    suite_check_frees(check_random, 1000000);
    suite_check_failures(reduce_thousands);
}

static void timed(void)
{
    const size_t n = suite_size((size_t)1 << 20, (size_t)1 << 28);
    float *in = suite_floats(n);

    random_wide_range(in, n);
    suite_case("n = %zu", n);
    check(in, n, REDUCTION_SUM, rounding_steps(n));
}

/* Watched: no element, part of a warp, part of a block, several blocks. */
static void small_sizes(void)
{
    static const size_t sizes[] = {0, 1, 33, 257, 1023, 5003};

    suite_each(check_random, sizes, COUNT(sizes));
    misalign_in = 8;
    check_random(1021);
    misalign_in = 0;
}

/* Each element is loaded once, ideally as part of a float4. */
static void long_vector(void)
{
    enum { N = 1 << 17 };
    float *in = suite_floats(N);

    random_wide_range(in, N);
    suite_case("n = %d", N);
    check(in, N, REDUCTION_SUM, rounding_steps(N));
    expect_metric(METRIC_SERIAL, 0, 25, "x the 25 that it may have");
    expect_metric(METRIC_SECTORS, N / 8.0, N / 8.0, "x the minimum");
    expect_metric(METRIC_REQUESTS, N / 128.0, N / 128.0,
                  "x the minimum");
    expect_metric(METRIC_BARRIERS, 0, N / 1024.0, "for each 1,024 elements");
    expect_metric(METRIC_LAUNCHES, 1, 1, "x the minimum");
}

static const struct suite_test tests[] = {
    {"small", "a few elements, less than one block", small},
    {"edges", "sizes around a multiple of the block size", edges},
    {"empty", "no element at all", empty},
    {"passes", "more than one pass or block, primes", passes},
    {"largest", "the largest of negative numbers", largest},
    {"large", "a million elements", large},
    {"precise", "precision of the sums", precision},
    {"special", "infinities, NaN, tiny values", nonfinite},
    {"nan", "the largest among NaNs", mostly_nan},
    {"misaligned", "pointers aligned to 4 bytes only", misaligned},
    {"again", "the same bits each time", repeated},
    {"frees", "no memory is leaked, errors are returned", no_leak},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"large", "1 Mi elements (on a card 256 Mi)", timed},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"few", "0 to 5,003 elements", small_sizes},
    {"long", "131,072 elements", long_vector},
    {NULL, NULL, NULL},
};

const struct suite suite_04_reduction = {"04_reduction", tests, speeds,
                                         watched};
