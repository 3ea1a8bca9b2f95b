/* SPDX-License-Identifier: MIT */
/* Suite of lab 04: the sum, within the contract's bound of the double sum,
 * and the largest, exact. */
#include <math.h>
#include <string.h>

#include "labs/04_reduction/reduction.h"
#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static size_t off_in; /* bytes off 256, for the stub's next calls */

/* The stub: same signature, runs in the runner. */
int reduction(const float *d_in, float *d_out, float *d_work, size_t n, int op)
{
    call_begin(0);
    call_in(ON_DEVICE, d_in, n * sizeof *d_in);
    call_misalign(off_in);
    call_out(ON_DEVICE, d_out, sizeof *d_out);
    call_out(ON_DEVICE, d_work, REDUCTION_WORK(n) * sizeof *d_work);
    call_integer((int64_t)n);
    call_integer(op);
    return (int)call_end();
}

/* The sum and, in *scale, the sum of the magnitudes. */
static double sum_of(const float *in, size_t n, double *scale)
{
    double sum = 0;

    *scale = 0;
    for (size_t i = 0; i < n; i++) {
        sum += in[i];
        *scale += fabs(in[i]);
    }
    return sum;
}

static double max_of(const float *in, size_t n)
{
    float most = -INFINITY;

    for (size_t i = 0; i < n; i++)
        most = fmaxf(most, in[i]);
    return most;
}

/* Operations in a row that the contract's bound grants: a tree over chains. */
static double steps_for(size_t n)
{
    return 128 + log2((double)n + 1);
}

/* One call; steps = 0: exact. */
static float reduce(const float *in, size_t n, int op, double steps)
{
    float *work = suite_floats(REDUCTION_WORK(n)), *out = suite_floats(1);
    double scale, want = sum_of(in, n, &scale);

    if (op == REDUCTION_MAX)
        want = max_of(in, n);
    expect_success(reduction(in, out, work, n, op));
    expect_elements(&(struct expected){
        .name = op == REDUCTION_SUM ? "sum" : "max", .got = out,
        .want = &want, .type = FLOAT32, .size = {1}, .scale = &scale,
        .steps = op == REDUCTION_SUM ? steps : 0});
    return *out;
}

/* Both operations on numbers of either sign and of very different sizes. */
static void reduce_random(size_t n)
{
    float *in = suite_floats(n);

    random_spread(in, n);
    if (off_in)
        suite_case("n = %zu, %zu bytes off", n, off_in);
    else
        suite_case("n = %zu", n);
    reduce(in, n, REDUCTION_SUM, steps_for(n));
    reduce(in, n, REDUCTION_MAX, 0);
}

static void small(void)
{
    static const size_t sizes[] = {1, 2, 3, 4, 5, 31, 32, 33, 63, 100};

    suite_each(reduce_random, sizes, COUNT(sizes));
}

static void empty(void)
{
    reduce_random(0);
}

/* Whole numbers whose sums are all exact, and none of which is 0: no element
 * may be lost or counted twice. */
static void reduce_whole(const size_t *sizes, size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++) {
        float *in = suite_floats(sizes[i]);

        random_whole(in, sizes[i], 1, 100);
        suite_case("n = %zu, whole numbers", sizes[i]);
        reduce(in, sizes[i], REDUCTION_SUM, 0);
    }
}

/* One off each usual block's and quad's size. */
static void edges(void)
{
    static const size_t sizes[] = {31,  32,   33,   127,  128,  129,
                                   255, 256,  257,  511,  513,  1023,
                                   1024, 1025, 2047, 2049, 4095, 4097};

    reduce_whole(sizes, COUNT(sizes));
}

/* Primes, and sizes that leave a part of a pass. */
static void passes(void)
{
    static const size_t sizes[] = {7919,  10007, 65535, 65536,
                                   65537, 66049, 131071};

    reduce_whole(sizes, COUNT(sizes));
}

/* Numbers of one sign: the sum grows, and what few bits lose does not cancel.
 * The bound is 2e-5 of the sum; half precision is off by 2e-4 and more.
 * Beside 2^24 a float has no digits for the others: one thread that adds up
 * all of them loses 4 %. */
static void precise(void)
{
    static const size_t sizes[] = {1000, 100003, 1000003};

    for (size_t i = 0; i < 2 * COUNT(sizes) && !suite_failed(); i++) {
        const size_t n = sizes[i / 2];
        float *in = suite_floats(n);

        random_floats(in, n, 0, 1);
        if (i % 2)
            in[0] = 0x1p24f;
        suite_case("n = %zu, from 0 to 1%s", n, i % 2 ? " after 2^24" : "");
        reduce(in, n, REDUCTION_SUM, steps_for(n));
    }
}

/* Negative numbers only, the largest at each end and somewhere between. */
static void largest(void)
{
    enum { N = 3001 };
    static const size_t places[] = {0, 1, 255, 256, 1500, 2815, N - 2, N - 1};
    float *in = suite_floats(N);

    for (size_t i = 0; i < COUNT(places) && !suite_failed(); i++) {
        random_floats(in, N, -9, -3);
        in[places[i]] = (float)random_real(-2, -1);
        suite_case("n = %d, all negative, the largest at %zu", N, places[i]);
        reduce(in, N, REDUCTION_MAX, 0);
    }
}

/* Nothing is larger than -infinity, when all are: no start value is. */
static void none_larger(void)
{
    enum { N = 1000 };
    float *in = suite_floats(N);

    for (size_t i = 0; i < N; i++)
        in[i] = -INFINITY;
    suite_case("n = %d, all -inf", N);
    reduce(in, N, REDUCTION_MAX, 0);
}

/* Infinities and NaN, alone and together, tiny numbers, both zeros. */
static void special(void)
{
    static const float values[][2] = {
        {INFINITY, 1}, {-INFINITY, 1}, {INFINITY, -INFINITY}, {NAN, 1},
        {NAN, NAN},    {-INFINITY, NAN}, {1e-45f, 2e-45f}, {0.0f, -0.0f}};
    enum { N = 20011 }; /* some elements a thread come after these */
    float *in = suite_floats(N);

    for (size_t i = 0; i < COUNT(values) && !suite_failed(); i++) {
        memset(in, 0, N * sizeof *in);
        random_floats(in, i < 6 ? N : 0, -3, -1);
        in[random_between(0, 511)] = values[i][0];
        in[random_between(512, N - 1)] = values[i][1];
        suite_case("n = %d with %g and %g", N, values[i][0], values[i][1]);
        reduce(in, N, REDUCTION_SUM, steps_for(N));
        reduce(in, N, REDUCTION_MAX, 0);
    }
    none_larger();
}

/* The largest must not vanish together with the NaNs that it meets. */
static void mostly_nan(void)
{
    for (size_t n = 1023; n < 1027 && !suite_failed(); n++) {
        float *in = suite_floats(n);

        for (size_t i = 0; i < n; i++)
            in[i] = random_between(0, 9) ? NAN : (float)random_real(-2, -1);
        suite_case("n = %zu, nine in ten NaN", n);
        reduce(in, n, REDUCTION_MAX, 0);
    }
}

/* Pointers that only a float's alignment fits. */
static void misaligned(void)
{
    static const size_t sizes[] = {1, 2, 3, 7, 33, 1025, 5003};

    for (size_t i = 0; i < 3 * COUNT(sizes) && !suite_failed(); i++) {
        off_in = 4 + i % 3 * 4;
        reduce_random(sizes[i / 3]);
    }
    off_in = 0;
}

static void large(void)
{
    reduce_random(1000003);
    reduce_random((size_t)1 << 20);
    reduce_random(1049601); /* two passes by 1,024 leave two values */
    reduce_random(4196353); /* likewise by 2,048 */
}

/* The same numbers give the same bits, with others in between. */
static void again(void)
{
    enum { N = 200003, CALLS = 6 };
    float *in = suite_floats(N), first = 0;

    random_spread(in, N);
    for (int i = 0; i < CALLS && !suite_failed(); i++) {
        suite_case("n = %d, call %d", N, i + 1);
        if (i == CALLS / 2)
            suite_reorder(1);
        float sum = reduce(in, N, REDUCTION_SUM, steps_for(N));

        if (i == 0)
            first = sum;
        expect_that(sum == first, "sum is %.9g; the same numbers gave %.9g "
                    "before: the order of the additions depends on chance",
                    sum, first);
        reduce_random(5000 + (size_t)i);
    }
}

static void frees(void)
{
    suite_frees(reduce_random, 1000000);
}

static void timed(void)
{
    const size_t n = suite_size((size_t)1 << 20, (size_t)1 << 28);
    float *in = suite_floats(n);

    random_spread(in, n);
    suite_case("n = %zu", n);
    reduce(in, n, REDUCTION_SUM, steps_for(n));
}

/* Watched: nothing, part of a warp, of a block, and some blocks. */
static void few(void)
{
    static const size_t sizes[] = {0, 1, 33, 257, 1023, 5003};

    suite_each(reduce_random, sizes, COUNT(sizes));
    off_in = 8;
    reduce_random(1021);
    off_in = 0;
}

/* Every element is read once, best as one of four. */
static void long_vector(void)
{
    enum { N = 1 << 17 };
    float *in = suite_floats(N);

    random_spread(in, N);
    suite_case("n = %d", N);
    reduce(in, N, REDUCTION_SUM, steps_for(N));
    expect_cost(COST_SECTORS, N / 8.0, N / 8.0, "x the least there can be");
    expect_cost(COST_REQUESTS, N / 128.0, N / 128.0, "x the least there can be");
    expect_cost(COST_BARRIERS, 0, N / 1024.0, "for each 1,024 elements");
    expect_cost(COST_LAUNCHES, 1, 1, "x what it takes");
}

static const struct suite_test tests[] = {
    {"small", "a few elements, less than one block", small},
    {"edges", "sizes round the edges of blocks", edges},
    {"empty", "no element at all", empty},
    {"passes", "more than one pass or block, primes", passes},
    {"largest", "the largest of negative numbers", largest},
    {"large", "a million elements", large},
    {"precise", "sums in enough bits", precise},
    {"special", "infinities, NaN, tiny values", special},
    {"nan", "the largest among NaNs", mostly_nan},
    {"misaligned", "pointers that only a float's alignment fits", misaligned},
    {"again", "the same bits each time", again},
    {"frees", "no device memory is kept", frees},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"large", "1 Mi elements (on a card 256 Mi)", timed},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"few", "0 to 5,003 elements", few},
    {"long", "131,072 elements", long_vector},
    {NULL, NULL, NULL},
};

const struct suite suite_04_reduction = {"04_reduction", tests, speeds,
                                         watched};
