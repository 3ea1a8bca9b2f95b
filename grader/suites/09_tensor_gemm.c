/* SPDX-License-Identifier: MIT */
/* Suite of lab 09: the inputs are rounded to 16 bits; C = A B of the rounded
 * inputs, within the contract's error bound of the product in double.
 * Products of 16-bit floats are exact in float, so the bound covers the sums
 * only. */
#include "labs/09_tensor_gemm/tensor_gemm.h"

#include <math.h>
#include <string.h>

#include "09_tensor_gemm/types.h"
#include "shared/gemm.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int type; /* element type of the next calls */

static void encode(const float *values, size_t n, void *argument)
{
    uint16_t *bits = argument;

    for (size_t i = 0; i < n; i++)
        bits[i] = type == TENSOR_FP16 ? float_to_half(values[i])
                                      : float_to_bfloat16(values[i]);
}

/* Rounds n floats to 16 bits in place.  Returns the 16-bit values. */
static uint16_t *round_to_16_bits(float *x, size_t n)
{
    uint16_t *bits = (uint16_t *)(void *)suite_ints((n + 1) / 2);

    encode(x, n, bits);
    for (size_t i = 0; i < n; i++)
        x[i] = type == TENSOR_FP16 ? half_to_float(bits[i])
                                   : bfloat16_to_float(bits[i]);
    return bits;
}

/* --- calls ---------------------------------------------------------------- */

static void multiply_only(struct gemm *g)
{
    enum { NOT_SUPPORTED = 801 }; /* cudaErrorNotSupported */
    int status;
    const uint16_t *a = round_to_16_bits(g->a, (size_t)g->m * (size_t)g->k);
    const uint16_t *b = round_to_16_bits(g->b, (size_t)g->k * (size_t)g->n);

    suite_misalign("d_a", g->misalign_a);
    suite_misalign("d_b", g->misalign_b);
    suite_misalign("d_c", g->misalign_c);
    g->argument_a = a;
    g->argument_b = b;
    g->encode = encode;
    g->most_exact = type == TENSOR_FP16 ? 2048 : 256;
    g->mistakes = type == TENSOR_FP16 ? half_mistakes : bfloat16_mistakes;
    if (type == TENSOR_BF16)
        suite_case_more(", bfloat16");
    status = tensor_gemm(a, b, g->c, g->m, g->n, g->k, type);
    expect_success(status);
    if (status == NOT_SUPPORTED && type == TENSOR_BF16)
        suite_hint("The other type works. bfloat16 needs a compute capability "
                   "of 8.0 or more, and this device has it: is the number 10 * "
                   "major + minor, and less than 80 refused?");
}

static void multiply(struct gemm *g)
{
    multiply_only(g);
    gemm_reference(g);
    gemm_compare(g);
}

/* Runs a test for both element types. */
static void test_both_types(void (*test)(gemm_call *call))
{
    for (type = TENSOR_FP16; type <= TENSOR_BF16 && !suite_failed(); type++)
        test(multiply);
}

static void test_sizes_both_types(const int (*sizes)[3], size_t count)
{
    for (type = TENSOR_FP16; type <= TENSOR_BF16 && !suite_failed(); type++)
        gemm_test_sizes(multiply, sizes, count);
}

static void small(void)
{
    static const int sizes[][3] = {{1, 1, 1}, {2, 2, 2}, {3, 3, 3},
                                   {1, 2, 3}, {3, 2, 1}, {8, 8, 8},
                                   {7, 9, 5}, {16, 16, 16}};

    test_sizes_both_types(sizes, COUNT(sizes));
}

static void edges(void)
{
    static const int sides[] = {15, 16, 17, 33, 64};
    static const int sizes[][3] = {{127, 128, 129}, {128, 129, 127},
                                   {129, 127, 128}, {65, 63, 31},
                                   {128, 256, 64},  {129, 264, 72}};

    type = TENSOR_FP16;
    gemm_test_edges(multiply, sides, COUNT(sides));
    test_sizes_both_types(sizes, COUNT(sizes));
}

/* Values of k around pipeline stages and fragments, aligned to 16 bytes and
 * not. */
static void inner_sizes(void)
{
    static const int sizes[][3] = {{32, 32, 1},  {32, 32, 7},   {32, 32, 8},
                                   {32, 32, 24}, {32, 32, 63},  {32, 32, 65},
                                   {32, 40, 72}, {32, 32, 191}, {32, 32, 193},
                                   {32, 32, 256}, {40, 32, 520}};

    test_sizes_both_types(sizes, COUNT(sizes));
}

static void rectangular(void)
{
    static const int sizes[][3] = {{32, 64, 128}, {128, 64, 32},
                                   {256, 32, 64}, {32, 272, 96},
                                   {127, 131, 61}, {61, 257, 113},
                                   {1, 1000, 50}, {1000, 1, 50}};
    enum { FRAGMENT = 16, LARGER };
    int tall[1][3] = {{0, 1, 1}};

    test_sizes_both_types(sizes, COUNT(sizes));
    type = TENSOR_FP16;
    /* more fragments than 65,535; so many larger tiles would take long */
    tall[0][0] = suite_rows_beyond_grid(1000, LARGER);
    if (tall[0][0] && tall[0][0] < LARGER << 16)
        gemm_test_sizes(multiply, tall, 1);
}

static void empty(void)
{
    static const int sizes[][3] = {{0, 5, 5}, {5, 0, 5}, {0, 0, 0},
                                   {1, 1, 0}, {33, 65, 0}};

    test_sizes_both_types(sizes, COUNT(sizes));
}

/* Sums above the largest half, 65,504, and products below the smallest one: C
 * is float, so both are representable. */
static void range(void)
{
    static const struct { int type; float a, b; } cases[] = {
        {TENSOR_FP16, 60000, 60000}, {TENSOR_FP16, 0x1p-20f, 0x1p-20f},
        {TENSOR_BF16, 1e18f, 1e19f}, {TENSOR_BF16, 1e-15f, 1e-15f}};

    for (size_t i = 0; i < COUNT(cases) && !suite_failed(); i++) {
        struct gemm g = {.m = 40, .n = 48, .k = 56, .alpha = 1};

        gemm_create_random(&g);
        random_floats(g.a, 40 * 56, cases[i].a / 2, cases[i].a);
        random_floats(g.b, 56 * 48, cases[i].b / 2, cases[i].b);
        type = cases[i].type;
        for (int j = 0; j < 40 * 56 && cases[i].a == 60000; j++)
            g.a[j] /= 2; /* float_to_half() would divide them by 2^16 */
        suite_case("m = 40, n = 48, k = 56, elements round %g and %g",
                   cases[i].a, cases[i].b);
        multiply(&g);
    }
}

static void large(void)
{
    static const int sizes[][3] = {{384, 512, 256}, {301, 401, 203}};

    test_sizes_both_types(sizes, COUNT(sizes));
    for (int i = 0; i < 2 && suite_use_sparse_memory(); i++) {
        const int n = i ? 1 : GEMM_HUGE_COLUMNS, k = i ? GEMM_HUGE_COLUMNS : 1;

        suite_case("m = %d, n = %d, k = %d: more than 2^32 elements",
                   GEMM_HUGE_ROWS, n, k);
        expect_far_access(tensor_gemm(suite_bytes(2), suite_bytes(2),
                                      suite_floats(1), GEMM_HUGE_ROWS, n, k,
                                      TENSOR_FP16), true);
    }
}

/* Pointers aligned to 4 bytes, and to 2 bytes only. */
static void misaligned(void)
{
    static const struct gemm calls[] = {
        {.m = 64, .n = 64, .k = 64, .misalign_a = 2},
        {.m = 64, .n = 64, .k = 64, .misalign_b = 6},
        {.m = 66,
         .n = 72,
         .k = 40,
         .misalign_a = 14,
         .misalign_b = 2,
         .misalign_c = 4}};

    test_both_types(gemm_test_misaligned);
    for (size_t i = 0; i < COUNT(calls) && !suite_failed(); i++) {
        struct gemm g = calls[i];

        type = i % 2 ? TENSOR_BF16 : TENSOR_FP16;
        g.alpha = 1;
        gemm_create_random(&g);
        suite_case("m = %d, n = %d, k = %d, pointers %zu, %zu, %zu bytes off",
                   g.m, g.n, g.k, g.misalign_a, g.misalign_b, g.misalign_c);
        multiply(&g);
    }
}

static void rejects_invalid(void)
{
    static const int types[] = {2, 3, -1};
    static const int sizes[][3] = {{-4, 4, 4}, {4, -4, 4}, {4, 4, -4},
                                   {-4, 0, 4}, {0, -4, 4}, {0, 4, -4}};
    struct gemm g = {.m = 4, .n = 4, .k = 4, .alpha = 1};

    gemm_create_random(&g);
    for (size_t i = 0; i < COUNT(types) && !suite_failed(); i++) {
        suite_case("type = %d", types[i]);
        expect_error(tensor_gemm(g.a, g.b, g.c, 4, 4, 4, types[i]));
        suite_case("type = %d, m = 0, n = 4, k = 4", types[i]);
        expect_error(tensor_gemm(g.a, g.b, g.c, 0, 4, 4, types[i]));
    }
    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++) {
        const int *s = sizes[i];

        suite_case("m = %d, n = %d, k = %d", s[0], s[1], s[2]);
        expect_error(tensor_gemm(g.a, g.b, g.c, s[0], s[1], s[2],
                                 TENSOR_FP16));
    }
}

static void precision(void) { test_both_types(gemm_test_precision); }
static void nonfinite(void) { test_both_types(gemm_test_nonfinite); }
static void repeated(void) { test_both_types(gemm_test_deterministic); }
static int64_t multiply_small(void)
{
    return tensor_gemm(suite_bytes(70), suite_bytes(42), suite_floats(15), 5,
                       3, 7, TENSOR_FP16);
}

static void no_leak(void)
{
    test_both_types(gemm_test_no_leak);
    suite_check_failures(multiply_small);
}

static void timed(int type_argument)
{
    const int side = (int)suite_size(384, 4096);

    type = type_argument;
    gemm_test_sampled(multiply_only, side, side, side);
}

static void timed_half(void) { timed(TENSOR_FP16); }
static void timed_bfloat(void) { timed(TENSOR_BF16); }

/* Watched: partial tiles, rows aligned to 16 bytes and not, misaligned
 * pointers. */
static void partial_tiles(void)
{
    static const int sizes[][3] = {{1, 1, 1}, {17, 15, 18}, {33, 40, 72},
                                   {18, 40, 21}, {18, 21, 40},
                                   {136, 72, 136}, {3, 35, 0}};
    struct gemm g = {.m = 35, .n = 40, .k = 48, .alpha = 1, .misalign_a = 2,
                     .misalign_c = 12};

    test_sizes_both_types(sizes, COUNT(sizes));
    type = TENSOR_BF16;
    gemm_create_random(&g);
    suite_case("m = 35, n = 40, k = 48, odd pointers");
    multiply(&g);
}

/* Each element of A, B and C must be transferred at least once. */
static void cube(void)
{
    enum { SIDE = 256 };
    struct gemm g = {.m = SIDE, .n = SIDE, .k = SIDE, .alpha = 1};
    const double min_sectors = 2 * SIDE * SIDE / 16 + SIDE * SIDE / 8;

    type = TENSOR_FP16;
    gemm_create_random(&g);
    suite_case("m = n = k = %d", SIDE);
    multiply(&g);
    expect_metric(METRIC_ARITHMETIC, 0, 1.0 * SIDE * SIDE * SIDE,
                  "for each multiplication");
    expect_metric(METRIC_TENSOR, 0, 2.0 * SIDE * SIDE * SIDE, "x the minimum");
    expect_metric(METRIC_SECTORS, min_sectors, min_sectors,
                  "x the minimum");
    expect_metric(METRIC_WAVEFRONTS, 0, 1.0 * SIDE * SIDE * SIDE / 4096,
                  "for each product of 16 x 16 by 16 x 16");
    expect_metric(METRIC_CONFLICTS, 0, 1.0 * SIDE * SIDE * SIDE / 4096,
                  "for each product of 16 x 16 by 16 x 16");
    expect_metric(METRIC_LAUNCHES, 1, 1, "x the minimum");
}

static const struct suite_test tests[] = {
    {"small", "matrices of up to 16 x 16", small},
    {"edges", "sides round those of fragments and tiles", edges},
    {"depth", "k around each pipeline stage", inner_sizes},
    {"oblong", "m, n and k all different; primes; one row", rectangular},
    {"empty", "m, n or k is 0", empty},
    {"range", "sums outside the range of a half", range},
    {"precise", "sums in float precision", precision},
    {"special", "infinities and NaN", nonfinite},
    {"large", "up to 512 a side", large},
    {"misaligned", "pointers aligned to 2 bytes only", misaligned},
    {"again", "the same bits each time", repeated},
    {"refuses", "an invalid type", rejects_invalid},
    {"frees", "no memory is leaked, errors are returned", no_leak},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"fp16", "384^3 (on a card 4096^3), half", timed_half},
    {"bf16", "384^3 (on a card 4096^3), bfloat16", timed_bfloat},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"corners", "partial tiles, misaligned pointers", partial_tiles},
    {"cube", "256 x 256 x 256, half", cube},
    {NULL, NULL, NULL},
};

const struct suite suite_09_tensor_gemm = {"09_tensor_gemm", tests, speeds,
                                           watched};
