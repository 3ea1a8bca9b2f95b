/* SPDX-License-Identifier: MIT */
/* Helpers and tests of lab 12's suite. */
#include <stdint.h>

#include "suite_12.h"

size_t layers_element_count(const struct layer_shape *shape)
{
    const int sizes[] = {shape->n, shape->c, shape->h, shape->w};
    size_t count = 1;

    for (int i = 0; i < 4; i++) {
        if (sizes[i] <= 0 || (size_t)sizes[i] * count > INT32_MAX)
            return 0; /* empty, or to be rejected */
        count *= (size_t)sizes[i];
    }
    return count;
}

double layers_rounding_steps(size_t m)
{
    return 128 + log2((double)m + 1);
}

float *layers_random_floats(size_t n, double lo, double hi)
{
    float *out = suite_floats(n);

    random_floats(out, n, lo, hi);
    return out;
}

double *layers_to_doubles(const float *from, size_t n)
{
    double *out = suite_doubles(n);

    for (size_t i = 0; i < n; i++)
        out[i] = from[i];
    return out;
}

size_t layers_channel_index(const struct layer_shape *shape, size_t i)
{
    return i / (size_t)(shape->h * shape->w) % (size_t)shape->c;
}

/* Converts absolute tolerances to compare.h's 2 * steps * 2^-24 * scale. */
static void compare_within(struct expected *expected, const double *tolerance)
{
    const size_t n = expected_count(expected);
    double *scale = tolerance ? suite_doubles(n) : NULL;

    for (size_t i = 0; tolerance && i < n; i++)
        scale[i] = tolerance[i] * 0x1p23;
    expected->type = FLOAT32;
    expected->scale = scale;
    expected->steps = tolerance != NULL;
    expect_elements(expected);
}

void layers_compare(const char *name, const float *got, const double *want,
                    const double *tolerance, const struct layer_shape *shape)
{
    struct expected expected = {.name = name, .got = got, .want = want};
    const size_t n = (size_t)shape->n, c = (size_t)shape->c;

    if (shape->h == 1 && shape->w == 1)
        memcpy(expected.size, (size_t[]){n, c}, 2 * sizeof n);
    else
        memcpy(expected.size,
               (size_t[]){n, c, (size_t)shape->h, (size_t)shape->w},
               4 * sizeof n);
    compare_within(&expected, tolerance);
}

void layers_compare_n(const char *name, const float *got, const double *want,
                      const double *tolerance, size_t n)
{
    compare_within(&(struct expected){.name = name, .got = got, .want = want,
                                    .size = {n}}, tolerance);
}

void layers_name_case(const char *what, const struct layer_shape *shape)
{
    if (shape->h == 1 && shape->w == 1)
        suite_case("%s, [%d][%d]", what, shape->n, shape->c);
    else
        suite_case("%s, [%d][%d][%d][%d]", what, shape->n, shape->c, shape->h,
                   shape->w);
}
