/* SPDX-License-Identifier: MIT */
/* What the parts of lab 12's suite share. */
#include <stdint.h>

#include "suite_12.h"

size_t layers_count(const struct layer_shape *shape)
{
    const int sizes[] = {shape->n, shape->c, shape->h, shape->w};
    size_t count = 1;

    for (int i = 0; i < 4; i++) {
        if (sizes[i] <= 0 || (size_t)sizes[i] * count > INT32_MAX)
            return 0; /* none, or refused: nothing is passed */
        count *= (size_t)sizes[i];
    }
    return count;
}

double layers_steps(size_t m)
{
    return 128 + log2((double)m + 1);
}

float *layers_floats(size_t n, double lo, double hi)
{
    float *out = suite_floats(n);

    random_floats(out, n, lo, hi);
    return out;
}

double *layers_doubles(const float *from, size_t n)
{
    double *out = suite_doubles(n);

    for (size_t i = 0; i < n; i++)
        out[i] = from[i];
    return out;
}

size_t layers_channel(const struct layer_shape *shape, size_t i)
{
    return i / (size_t)(shape->h * shape->w) % (size_t)shape->c;
}

/* A tolerance as compare.h takes it: 2 * 1 * 2^-24 * scale. */
static void compare_with(struct expected *expected, const double *slack)
{
    const size_t n = expected_count(expected);
    double *scale = slack ? suite_doubles(n) : NULL;

    for (size_t i = 0; slack && i < n; i++)
        scale[i] = slack[i] * 0x1p23;
    expected->type = FLOAT32;
    expected->scale = scale;
    expected->steps = slack != NULL;
    expect_elements(expected);
}

void layers_expect(const char *name, const float *got, const double *want,
                   const double *slack, const struct layer_shape *shape)
{
    struct expected expected = {.name = name, .got = got, .want = want};
    const size_t n = (size_t)shape->n, c = (size_t)shape->c;

    if (shape->h == 1 && shape->w == 1)
        memcpy(expected.size, (size_t[]){n, c}, 2 * sizeof n);
    else
        memcpy(expected.size,
               (size_t[]){n, c, (size_t)shape->h, (size_t)shape->w},
               4 * sizeof n);
    compare_with(&expected, slack);
}

void layers_expect_n(const char *name, const float *got, const double *want,
                     const double *slack, size_t n)
{
    compare_with(&(struct expected){.name = name, .got = got, .want = want,
                                    .size = {n}}, slack);
}

void layers_say(const char *what, const struct layer_shape *shape)
{
    if (shape->h == 1 && shape->w == 1)
        suite_case("%s, [%d][%d]", what, shape->n, shape->c);
    else
        suite_case("%s, [%d][%d][%d][%d]", what, shape->n, shape->c, shape->h,
                   shape->w);
}
