/* SPDX-License-Identifier: MIT */
/* Suite of lab 09: inputs rounded to 16 bits, C = A B within the contract's
 * bound of the sums in double of what they then are.  Products of 16-bit
 * floats are exact in float, so the bound is that of the sums alone. */
#include "labs/09_tensor_gemm/tensor_gemm.h"

#include <math.h>
#include <string.h>

#include "gemm.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int type;      /* of the next calls */
static size_t off[3]; /* bytes off 256 of A, B, C, for the stub's next call */

/* Of a matrix; none with a side below 0, which the lab must refuse. */
static size_t elements(int rows, int columns)
{
    return rows < 0 || columns < 0 ? 0 : (size_t)rows * (size_t)columns;
}

/* The stub: same signature, runs in the runner. */
int tensor_gemm(const void *d_a, const void *d_b, float *d_c, int m, int n,
                int k, int of)
{
    call_begin(0);
    call_in(ON_DEVICE, d_a, elements(m, k) * sizeof(uint16_t));
    call_misalign(off[0]);
    call_in(ON_DEVICE, d_b, elements(k, n) * sizeof(uint16_t));
    call_misalign(off[1]);
    call_out(ON_DEVICE, d_c, elements(m, n) * sizeof *d_c);
    call_misalign(off[2]);
    call_integer(m);
    call_integer(n);
    call_integer(k);
    call_integer(of);
    return (int)call_end();
}

/* --- 16-bit floats -------------------------------------------------------- */

/* The half at or below |x| (towards 0): what is too large for one is brought
 * into its range by steps of 2^16. */
static uint16_t to_half(float x)
{
    const uint16_t sign = signbit(x) ? 0x8000 : 0;
    int exponent;

    if (isnan(x))
        return 0x7e00;
    if (isinf(x))
        return sign | 0x7c00;
    for (x = fabsf(x); x >= 0x1p15f;)
        x *= 0x1p-16f;
    if (x < 0x1p-14f) /* below the smallest normal one */
        return (uint16_t)(sign | (unsigned)(x * 0x1p24f));
    frexpf(x, &exponent);
    return (uint16_t)(sign | (unsigned)(exponent + 14) << 10
                      | ((unsigned)ldexpf(x, 11 - exponent) & 0x3ff));
}

static float from_half(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, mantissa = bits & 0x3ff;
    float x = exponent == 31 ? (mantissa ? NAN : INFINITY)
              : exponent     ? ldexpf((float)(1024 + mantissa), exponent - 25)
                             : ldexpf((float)mantissa, -24);

    return bits & 0x8000 ? -x : x;
}

/* bfloat16 is the upper half of a float; a NaN's low bits may be all it has. */
static uint16_t to_bfloat(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return isnan(x) ? 0x7fc0 : (uint16_t)(bits >> 16);
}

static float from_bfloat(uint16_t half)
{
    const uint32_t bits = (uint32_t)half << 16;
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Rounds n floats to 16 bits, in place, and @return those bits. */
static uint16_t *round_all(float *x, size_t n)
{
    uint16_t *bits = (uint16_t *)(void *)suite_ints((n + 1) / 2);

    for (size_t i = 0; i < n; i++) {
        bits[i] = type == TENSOR_FP16 ? to_half(x[i]) : to_bfloat(x[i]);
        x[i] = type == TENSOR_FP16 ? from_half(bits[i]) : from_bfloat(bits[i]);
    }
    return bits;
}

/* --- calls ---------------------------------------------------------------- */

static void multiply_only(struct gemm *g)
{
    const uint16_t *a = round_all(g->a, (size_t)g->m * (size_t)g->k);
    const uint16_t *b = round_all(g->b, (size_t)g->k * (size_t)g->n);

    off[0] = g->off_a;
    off[1] = g->off_b;
    off[2] = g->off_c;
    expect_success(tensor_gemm(a, b, g->c, g->m, g->n, g->k, type));
}

static void multiply(struct gemm *g)
{
    multiply_only(g);
    gemm_reference(g);
    gemm_expect(g);
}

/* Something for each type. */
static void both(void (*test)(gemm_call *call))
{
    for (type = TENSOR_FP16; type <= TENSOR_BF16 && !suite_failed(); type++)
        test(multiply);
}

static void both_sizes(const int (*sizes)[3], size_t count)
{
    for (type = TENSOR_FP16; type <= TENSOR_BF16 && !suite_failed(); type++)
        gemm_sizes(multiply, sizes, count);
}

static void small(void)
{
    static const int sizes[][3] = {{1, 1, 1}, {2, 2, 2}, {3, 3, 3},
                                   {1, 2, 3}, {3, 2, 1}, {8, 8, 8},
                                   {7, 9, 5}, {16, 16, 16}};

    both_sizes(sizes, COUNT(sizes));
}

static void edges(void)
{
    static const int sides[] = {15, 16, 17, 33, 64};
    static const int sizes[][3] = {{127, 128, 129}, {128, 129, 127},
                                   {129, 127, 128}, {65, 63, 31},
                                   {128, 256, 64},  {129, 264, 72}};

    type = TENSOR_FP16;
    gemm_edges(multiply, sides, COUNT(sides));
    both_sizes(sizes, COUNT(sizes));
}

/* k goes over each stage and fragment, in steps that fit 16 bytes and not. */
static void depth(void)
{
    static const int sizes[][3] = {{32, 32, 1},  {32, 32, 7},   {32, 32, 8},
                                   {32, 32, 24}, {32, 32, 63},  {32, 32, 65},
                                   {32, 40, 72}, {32, 32, 191}, {32, 32, 193},
                                   {32, 32, 256}, {40, 32, 520}};

    both_sizes(sizes, COUNT(sizes));
}

static void oblong(void)
{
    static const int sizes[][3] = {{32, 64, 128}, {128, 64, 32},
                                   {256, 32, 64}, {32, 272, 96},
                                   {127, 131, 61}, {61, 257, 113},
                                   {1, 1000, 50}, {1000, 1, 50}};

    both_sizes(sizes, COUNT(sizes));
}

static void empty(void)
{
    static const int sizes[][3] = {{0, 5, 5}, {5, 0, 5}, {0, 0, 0},
                                   {1, 1, 0}, {33, 65, 0}};

    both_sizes(sizes, COUNT(sizes));
}

/* Sums above the largest half, 65,504, and products far below the smallest:
 * both are plain floats. */
static void range(void)
{
    static const struct { int type; float a, b; } cases[] = {
        {TENSOR_FP16, 60000, 60000}, {TENSOR_FP16, 0x1p-20f, 0x1p-20f},
        {TENSOR_BF16, 1e18f, 1e19f}, {TENSOR_BF16, 1e-15f, 1e-15f}};

    for (size_t i = 0; i < COUNT(cases) && !suite_failed(); i++) {
        struct gemm g = {.m = 40, .n = 48, .k = 56, .alpha = 1};

        gemm_random(&g);
        random_floats(g.a, 40 * 56, cases[i].a / 2, cases[i].a);
        random_floats(g.b, 56 * 48, cases[i].b / 2, cases[i].b);
        type = cases[i].type;
        for (int j = 0; j < 40 * 56 && cases[i].a == 60000; j++)
            g.a[j] /= 2; /* to_half takes them below 2^15 */
        suite_case("m = 40, n = 48, k = 56, elements round %g and %g",
                   cases[i].a, cases[i].b);
        multiply(&g);
    }
}

static void large(void)
{
    static const int sizes[][3] = {{384, 512, 256}, {301, 401, 203}};

    both_sizes(sizes, COUNT(sizes));
}

/* What float's alignment allows, and what only that of 16 bits does. */
static void misaligned(void)
{
    static const struct gemm calls[] = {
        {.m = 64, .n = 64, .k = 64, .off_a = 2},
        {.m = 64, .n = 64, .k = 64, .off_b = 6},
        {.m = 66, .n = 72, .k = 40, .off_a = 14, .off_b = 2, .off_c = 4}};

    both(gemm_misaligned);
    for (size_t i = 0; i < COUNT(calls) && !suite_failed(); i++) {
        struct gemm g = calls[i];

        type = i % 2 ? TENSOR_BF16 : TENSOR_FP16;
        g.alpha = 1;
        gemm_random(&g);
        suite_case("m = %d, n = %d, k = %d, pointers %zu, %zu, %zu bytes off",
                   g.m, g.n, g.k, g.off_a, g.off_b, g.off_c);
        multiply(&g);
    }
}

static void refuses(void)
{
    static const int types[] = {2, 3, -1};
    static const int sizes[][3] = {{-4, 4, 4}, {4, -4, 4}, {4, 4, -4}};
    struct gemm g = {.m = 4, .n = 4, .k = 4, .alpha = 1};

    gemm_random(&g);
    for (size_t i = 0; i < COUNT(types) && !suite_failed(); i++) {
        suite_case("type = %d", types[i]);
        expect_refusal(tensor_gemm(g.a, g.b, g.c, 4, 4, 4, types[i]));
    }
    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++) {
        const int *s = sizes[i];

        suite_case("m = %d, n = %d, k = %d", s[0], s[1], s[2]);
        expect_refusal(tensor_gemm(g.a, g.b, g.c, s[0], s[1], s[2],
                                   TENSOR_FP16));
    }
}

static void precise(void) { both(gemm_precise); }
static void special(void) { both(gemm_special); }
static void again(void) { both(gemm_again); }
static void frees(void) { both(gemm_frees); }

static void timed(int of)
{
    const int side = (int)suite_size(384, 4096);

    type = of;
    gemm_sampled(multiply_only, side, side, side);
}

static void timed_half(void) { timed(TENSOR_FP16); }
static void timed_bfloat(void) { timed(TENSOR_BF16); }

/* Watched: parts of tiles, rows of 16 bytes and others, odd pointers. */
static void corners(void)
{
    static const int sizes[][3] = {{1, 1, 1}, {17, 15, 18}, {33, 40, 72},
                                   {18, 40, 21}, {18, 21, 40},
                                   {136, 72, 136}, {3, 35, 0}};
    struct gemm g = {.m = 35, .n = 40, .k = 48, .alpha = 1, .off_a = 2,
                     .off_c = 12};

    both_sizes(sizes, COUNT(sizes));
    type = TENSOR_BF16;
    gemm_random(&g);
    suite_case("m = 35, n = 40, k = 48, odd pointers");
    multiply(&g);
}

/* Every element of A, B and C must be moved once. */
static void cube(void)
{
    enum { SIDE = 256 };
    struct gemm g = {.m = SIDE, .n = SIDE, .k = SIDE, .alpha = 1};
    const double least = 2 * SIDE * SIDE / 16 + SIDE * SIDE / 8;

    type = TENSOR_FP16;
    gemm_random(&g);
    suite_case("m = n = k = %d", SIDE);
    multiply(&g);
    expect_cost(COST_SECTORS, least, least, "x the least there can be");
    expect_cost(COST_WAVEFRONTS, 0, 1.0 * SIDE * SIDE * SIDE / 4096,
                "for each product of 16 x 16 by 16 x 16");
    expect_cost(COST_CONFLICTS, 0, 1.0 * SIDE * SIDE * SIDE / 4096,
                "for each product of 16 x 16 by 16 x 16");
    expect_cost(COST_LAUNCHES, 1, 1, "x what it takes");
}

static const struct suite_test tests[] = {
    {"small", "matrices of up to 16 x 16", small},
    {"edges", "sides round those of fragments and tiles", edges},
    {"depth", "k below, at and past each step", depth},
    {"oblong", "m, n and k all different; primes; one row", oblong},
    {"empty", "no row, no column, no term", empty},
    {"range", "sums that no half holds", range},
    {"precise", "sums in float", precise},
    {"special", "infinities and NaN stay in their rows", special},
    {"large", "up to 512 a side", large},
    {"misaligned", "pointers that only 16 bits fit", misaligned},
    {"again", "the same bits each time", again},
    {"refuses", "a type that there is not", refuses},
    {"frees", "no device memory is kept", frees},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"fp16", "384^3 (on a card 4096^3), half", timed_half},
    {"bf16", "384^3 (on a card 4096^3), bfloat16", timed_bfloat},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"corners", "parts of tiles, odd pointers", corners},
    {"cube", "256 x 256 x 256, half", cube},
    {NULL, NULL, NULL},
};

const struct suite suite_09_tensor_gemm = {"09_tensor_gemm", tests, speeds,
                                           watched};
