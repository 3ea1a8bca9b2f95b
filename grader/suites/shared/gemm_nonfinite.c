/* SPDX-License-Identifier: MIT */
/* Matrix products with infinities, NaN and zeros. */
#include <math.h>
#include <string.h>

#include "gemm.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Puts the value into every second row of A or column of B (`stride` and `step`
 * are those of its terms): first and last term, and another one in each. */
static void spread_value(float *x, float value, int lines, int terms,
                         size_t stride, size_t step)
{
    for (int i = 1; i < lines; i += 2) {
        float *line = x + (size_t)i * stride;

        line[0] = line[(size_t)(terms - 1) * step] = value;
        line[(size_t)(i / 2 % terms) * step] = value;
    }
}

/* The even rows of C's even columns stay finite.  An infinity that is left in
 * the padding of a tile meets a 0 there, so an element that should be infinite
 * becomes NaN; one that is loaded past a row's end gets into the next row. */
static void call_with_values(gemm_call *call, const int size[3], float value,
                             float other)
{
    struct gemm g = {.m = size[0], .n = size[1], .k = size[2], .alpha = 1};

    gemm_create_arrays(&g);
    random_floats(g.a, gemm_elements(g.m, g.k), 0.5, 1);
    random_floats(g.b, gemm_elements(g.k, g.n), 0.5, 1);
    spread_value(g.a, value, g.m, g.k, (size_t)g.k, 1);
    spread_value(g.b, other, g.n, g.k, 1, (size_t)g.n);
    for (int p = 0; p < g.k; p++) { /* 0 times infinity is NaN */
        g.a[p] = p % 2 ? 0 : -0.0f;
        g.b[(size_t)p * (size_t)g.n] = 0;
    }
    suite_case("m = %d, n = %d, k = %d with %g in every second row of A, %g in "
               "every second column of B", g.m, g.n, g.k, value, other);
    call(&g);
}

/* All of one factor is 0: no tile of it may be skipped, since the other factor
 * has an infinity in every column, or every row. */
static void call_with_zeros(gemm_call *call, bool is_a)
{
    struct gemm g = {.m = 70, .n = 36, .k = 45, .alpha = 1};
    const size_t a = gemm_elements(g.m, g.k), b = gemm_elements(g.k, g.n);

    gemm_create_arrays(&g);
    random_floats(g.a, a, 0.5, 1);
    random_floats(g.b, b, 0.5, 1);
    memset(is_a ? g.a : g.b, 0, (is_a ? a : b) * sizeof(float));
    for (size_t i = 0; i < (size_t)(is_a ? g.n : g.m); i++) {
        const size_t p = (size_t)random_int(0, g.k - 1);

        if (is_a)
            g.b[p * (size_t)g.n + i] = INFINITY;
        else
            g.a[i * (size_t)g.k + p] = INFINITY;
    }
    suite_case("m = %d, n = %d, k = %d, %s is 0, with an infinity in each %s",
               g.m, g.n, g.k, is_a ? "A" : "B",
               is_a ? "column of B" : "row of A");
    call(&g);
}

void gemm_test_special_terms(gemm_call *call, const int (*sizes)[3],
                             size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++) {
        call_with_values(call, sizes[i], INFINITY, 1);
        call_with_values(call, sizes[i], 1, INFINITY);
        call_with_values(call, sizes[i], NAN, -INFINITY);
    }
}

/* Rows of 16 bytes and rows that are not, k with every rest that a tile of
 * up to 32 terms leaves; each term of a tile has the value in some row. */
static void test_special_sizes(gemm_call *call)
{
    static const int sizes[][3] = {{45, 37, 41},  {44, 36, 44}, {36, 44, 12},
                                   {68, 72, 20},  {33, 34, 33}, {40, 64, 8},
                                   {150, 36, 75}, {36, 150, 75},
                                   {152, 152, 76}};

    gemm_test_special_terms(call, sizes, COUNT(sizes));
}

/* The last values of k are next to a tile's padding.  0 times infinity is NaN,
 * so no product may be skipped. */
void gemm_test_nonfinite(gemm_call *call)
{
    static const float values[] = {INFINITY, -INFINITY, NAN, 1e-40f, 3e38f};
    struct gemm g = {.m = 45, .n = 37, .k = 41, .alpha = 1};

    for (size_t i = 0; i < 2 * COUNT(values) && !suite_failed(); i++) {
        const float value = values[i / 2];
        const size_t p = i % 2 ? 40 : (size_t)random_int(0, 7);

        gemm_create_arrays(&g);
        random_floats(g.a, gemm_elements(g.m, g.k), 0.5, 1);
        random_floats(g.b, gemm_elements(g.k, g.n), 0.5, 1);
        g.a[(i % 2 ? 44 : 7) * 41 + p] = value;
        g.b[p * 37 + (i % 2 ? 36 : 9)] = value;
        g.a[3 * 41 + p] = g.b[p * 37 + 5] = 0;
        if (value == 3e38f) /* no product may overflow */
            g.b[p * 37 + (i % 2 ? 36 : 9)] = 1e-38f;
        suite_case("m = 45, n = 37, k = 41 with %g in a row of A and a column "
                   "of B", value);
        call(&g);
    }
    for (int i = 0; i < 2 && !suite_failed(); i++)
        call_with_zeros(call, !i);
    test_special_sizes(call);
}
