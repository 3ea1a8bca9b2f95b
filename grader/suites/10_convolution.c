/* SPDX-License-Identifier: MIT */
/* Suite of lab 10: a filtered image, compared with the sums in double. */
#include <math.h>
#include <string.h>

#include "labs/10_convolution/convolution.h"
#include "grader/suite/suite.h"
#include "grader/suites/10_convolution/mistakes.h"
#include "grader/suites/10_convolution/response.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static size_t pixel_count(const struct convolution_shape *s)
{
    return s->width < 0 || s->height < 0 ? 0 : (size_t)s->width * s->height;
}

static size_t tap_count(const struct convolution_shape *s)
{
    return s->columns < 0 || s->rows < 0 ? 0 : (size_t)s->columns * s->rows;
}

/* The filter in double; products of factors are not rounded to float. */
static double *filter_weights(const struct convolution_case *c)
{
    const struct convolution_shape *s = &c->shape;
    double *weights = suite_doubles(tap_count(s));

    for (int i = 0; i < s->rows * s->columns; i++)
        weights[i] =
            c->factors
                ? (double)c->factors[i / s->columns]
                      * c->factors[s->rows + i % s->columns]
                : c->filter[i];
    return weights;
}

static int clamp_index(int i, int count)
{
    return i < 0 ? 0 : i < count ? i : count - 1;
}

/* The pixel at (x, y) by the definition; *scale becomes the sum of absolute
 * values. */
static double filter_pixel(const struct convolution_case *c,
                           const double *weights, int x, int y, double *scale)
{
    const struct convolution_shape *s = &c->shape;
    double sum = 0;

    *scale = 0;
    for (int i = 0; i < s->rows * s->columns; i++) {
        int v = clamp_index(y + i / s->columns - s->rows / 2, s->height);
        int u = clamp_index(x + i % s->columns - s->columns / 2, s->width);
        double product = weights[i] * c->in[(size_t)v * s->width + u];

        sum += product;
        *scale += fabs(product);
    }
    return sum;
}

/* Filters the image and compares every pixel.  steps = 0: exact. */
static void check_steps(const struct convolution_case *checked, double steps)
{
    struct convolution_case with_earlier = *checked, *c = &with_earlier;
    const struct convolution_shape *s = &c->shape;
    const size_t pixels = pixel_count(s);
    float *out = suite_floats(pixels), *work = suite_floats(pixels);
    double *want = suite_doubles(pixels), *scale = suite_doubles(pixels);
    const double *weights = filter_weights(c);
    const struct response response = convolution_response(c);

    for (size_t i = 0; i < pixels; i++)
        want[i] = filter_pixel(c, weights, (int)(i % s->width),
                               (int)(i / s->width), &scale[i]);
    convolution_keep_filters(c);
    suite_case("%d x %d, filter %d x %d%s", s->width, s->height, s->columns,
               s->rows, c->factors ? ", factors given" : "");
    expect_success(convolution(s, c->in, c->filter, c->factors, work, out));
    expect_elements(&(struct expected){
        .name = "out", .got = out, .want = want, .type = FLOAT32,
        .size = {(size_t)s->height, (size_t)s->width}, .input = c->in,
        .scale = scale, .steps = steps, .mistakes = convolution_mistakes,
        .unwritten = convolution_unwritten, .response = &response,
        .context = c});
    convolution_hint_sides(s);
}

static void check(const struct convolution_case *c)
{
    check_steps(c, 16 + 2 * sqrt((double)tap_count(&c->shape)));
}

static struct convolution_case create_case(const struct convolution_shape *s)
{
    struct convolution_case c = {.shape = *s,
                                 .in = suite_floats(pixel_count(s)),
                                 .filter = suite_floats(tap_count(s))};

    random_floats(c.in, pixel_count(s), -8, 8); /* integers, too: not all 0 */
    random_floats(c.filter, tap_count(s), -1, 1);
    return c;
}

/* A separable filter with its factors. */
static struct convolution_case create_separable_case(
    const struct convolution_shape *s)
{
    struct convolution_case c = create_case(s);

    c.factors = suite_floats((size_t)(s->rows + s->columns));
    random_floats(c.factors, (size_t)(s->rows + s->columns), 0.5, 1.5);
    for (int i = 0; i < s->rows * s->columns; i++)
        c.filter[i] = c.factors[i / s->columns]
                        * c.factors[s->rows + i % s->columns];
    return c;
}

/* A random image and filter of that shape, with factors or without. */
static void check_shape(const struct convolution_shape *s, bool factors)
{
    const struct convolution_case c =
        factors ? create_separable_case(s) : create_case(s);

    check(&c);
}

static void check_all(const struct convolution_shape *shapes, size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++)
        check_shape(&shapes[i], false);
}

/* Every window extends over all borders of the image. */
static void small(void)
{
    for (int i = 0; i < 9 && !suite_failed(); i++)
        check_shape(&(struct convolution_shape){i % 3 + 1, i / 3 + 1, 3, 3},
                    false);
}

static void empty(void)
{
    static const struct convolution_shape none[] = {
        {0, 0, 3, 3}, {0, 7, 5, 5}, {7, 0, 3, 7}};
    check_all(none, COUNT(none));
}

/* Sides one below and above common block sizes, never square. */
static void edges(void)
{
    static const struct convolution_shape shapes[] = {
        {31, 9, 3, 3},   {32, 15, 5, 5},  {33, 16, 3, 3},  {63, 17, 3, 3},
        {65, 31, 5, 5},  {127, 63, 3, 3}, {128, 64, 5, 5}, {129, 65, 7, 7},
        {8, 255, 3, 3},  {257, 8, 3, 3},  {1025, 3, 3, 3}, {3, 1025, 5, 5}};

    check_all(shapes, COUNT(shapes));
}

/* Common filter sizes, the smallest and the largest. */
static void filters(void)
{
    static const int sides[] = {1, 3, 5, 7, 9, 11, 13, 15, 21, 31};

    for (size_t i = 0; i < COUNT(sides) && !suite_failed(); i++)
        check_shape(&(struct convolution_shape){61, 47, sides[i], sides[i]},
                    false);
}

/* A square filter, then others, some larger than the image. */
static void rectangular(void)
{
    static const struct convolution_shape shapes[] = {
        {61, 47, 5, 5},  {61, 47, 7, 3},  {61, 47, 3, 7}, {40, 70, 31, 1},
        {70, 40, 1, 31}, {61, 47, 5, 11}, {5, 3, 9, 11},  {2, 2, 31, 31},
        {1, 1, 5, 3}};

    check_all(shapes, COUNT(shapes));
}

/* A filter that is separable except for one weight, without factors. */
static void check_almost_separable(int other)
{
    struct convolution_case c =
        create_separable_case(&(struct convolution_shape){40, 30, 3, 3});

    c.factors = NULL;
    c.filter[other] += 1;
    check(&c);
}

static void factors(void)
{
    static const struct convolution_shape shapes[] = {
        {3, 2, 3, 3},    {61, 47, 3, 3},   {61, 47, 5, 7},  {129, 65, 9, 9},
        {33, 130, 11, 5}, {140, 70, 7, 11}, {61, 47, 13, 1}, {61, 80, 31, 31},
        {9, 200, 1, 15}, {5, 3, 31, 13}};

    for (size_t i = 0; i < COUNT(shapes) && !suite_failed(); i++)
        check_shape(&shapes[i], true);
    for (int i = 0; i < 9 && !suite_failed(); i++)
        check_almost_separable(i);
}

/* Filters with a single 1 shift the image, bit for bit. */
static void shifted(void)
{
    static const struct convolution_shape s = {67, 41, 5, 3};

    for (int i = 0; i < s.columns * s.rows && !suite_failed(); i++) {
        struct convolution_case c = create_case(&s);

        memset(c.filter, 0, tap_count(&s) * sizeof *c.filter);
        c.filter[i] = 1;
        check_steps(&c, 0);
    }
}

/* A bright border around a dark image: wrong values beyond the border show. */
static void borders(void)
{
    static const struct convolution_shape shapes[] = {{45, 37, 5, 5},
                                                      {90, 70, 11, 11}};

    for (size_t i = 0; i < COUNT(shapes) && !suite_failed(); i++) {
        const struct convolution_shape *s = &shapes[i];
        struct convolution_case c = create_case(s);

        for (int k = 0; k < s->width * s->height; k++) {
            int x = k % s->width, y = k / s->width;
            bool edge = x == 0 || y == 0 || x == s->width - 1
                        || y == s->height - 1;
            c.in[k] = edge ? (float)random_uniform(100, 200) : 0;
        }
        check(&c);
    }
}

/* Few products: the bound is 3e-6 of the sum; half precision is off by 2e-4. */
static void precision(void)
{
    static const struct convolution_shape shapes[] = {{50, 40, 3, 3},
                                                      {50, 40, 1, 1}};

    for (size_t i = 0; i < COUNT(shapes) && !suite_failed(); i++) {
        struct convolution_case c = create_case(&shapes[i]);

        random_floats(c.in, pixel_count(&shapes[i]), 0.5, 2);
        random_floats(c.filter, tap_count(&shapes[i]), 0.5, 2);
        check(&c);
    }
}

/* More rows than 65,535 blocks (the limit of gridDim.y) cover, and more columns
 * than 65,535. */
static void long_sides(void)
{
    enum { LONG = 70001, TILE = 32 };

    for (int rows = LONG; rows; rows = suite_rows_beyond_grid(rows, TILE))
        check_shape(&(struct convolution_shape){1, rows, 3, 3}, false);
    check_shape(&(struct convolution_shape){LONG, 2, 3, 3}, false);
}

static void large(void)
{
    check_shape(&(struct convolution_shape){641, 427, 5, 5}, false);
    check_shape(&(struct convolution_shape){641, 427, 9, 9}, true);
    if (suite_use_sparse_memory()) {
        suite_case("65537 x 98304, filter 1 x 1: more than 2^32 pixels");
        expect_far_access(
            convolution(&(struct convolution_shape){65537, 98304, 1, 1},
                        suite_floats(1), suite_floats(1), NULL,
                        suite_floats(1), suite_floats(1)),
            false); /* without factors d_work is not accessed */
    }
}

/* Another filter in each call: no state may remain from an earlier call. */
static void repeated(void)
{
    for (int i = 0; i < 4 && !suite_failed(); i++)
        check_shape(&(struct convolution_shape){90, 60, 7 - 2 * i % 6, 5},
                    i % 2);
}

static int64_t convolve_small(void)
{
    static const struct convolution_shape shape = {20, 10, 3, 3};

    return convolution(&shape, suite_floats(200), suite_floats(9), NULL,
                       suite_floats(200), suite_floats(200));
}

static void no_leak(void)
{
    check_shape(&(struct convolution_shape){300, 200, 3, 3}, false);
    expect_no_leak();
    check_shape(&(struct convolution_shape){300, 200, 5, 5}, true);
    expect_no_leak();
    suite_check_failures(convolve_small);
}

/* Arguments outside the contract; the limits themselves are allowed. */
static void rejects_invalid(void)
{
    static const struct convolution_shape invalid[] = {
        {8, 8, 2, 3},  {8, 8, 3, 4},  {8, 8, 0, 3}, {8, 8, 3, 0},
        {8, 8, 33, 3}, {8, 8, 3, 33}, {-8, 8, 3, 3}, {8, -8, 3, 3},
        {0, 8, 2, 3},  {8, 0, 3, 33}, {0, -8, 3, 3}};

    check_shape(&(struct convolution_shape){8, 8, CONVOLUTION_MAX_FILTER_SIDE,
                                            CONVOLUTION_MAX_FILTER_SIDE},
                false);
    for (size_t i = 0; i < COUNT(invalid) && !suite_failed(); i++) {
        const struct convolution_shape *s = &invalid[i];
        float *in = suite_floats(pixel_count(s)), *out = suite_floats(64);

        suite_case("%d x %d, filter %d x %d", s->width, s->height, s->columns,
                   s->rows);
        expect_error(convolution(s, in, suite_floats(tap_count(s)), NULL,
                                 suite_floats(64), out));
    }
}

static void timed(int side, bool factors)
{
    const int scale = (int)suite_size(1, 6);

    check_shape(&(struct convolution_shape){640 * scale, 480 * scale, side,
                                            side}, factors);
}

static void timed_plain(void) { timed(5, false); }
static void timed_factors(void) { timed(11, true); }

/* Watched: images smaller than a tile, of several tiles, windows of any
 * size. */
static void small_images(void)
{
    static const struct convolution_shape shapes[] = {
        {3, 2, 3, 3}, {33, 17, 5, 5}, {130, 9, 3, 7}, {5, 70, 13, 13},
        {0, 4, 3, 3}};

    check_all(shapes, COUNT(shapes));
    check_shape(&(struct convolution_shape){35, 67, 5, 5}, true);
    check_shape(&(struct convolution_shape){35, 67, 13, 15}, true);
}

/* Each pixel is loaded once and stored once. */
static void check_cost(int height, int side, bool factors)
{
    const struct convolution_shape s = {128, height, side, side};
    const double min_sectors = 2.0 * (double)pixel_count(&s) / 8;

    check_shape(&s, factors);
    expect_metric(METRIC_SECTORS, min_sectors, min_sectors,
                  "x the minimum");
    expect_metric(METRIC_LAUNCHES, 1, 1, "x the minimum");
}

static void cost_5x5(void) { check_cost(128, 5, false); }
static void cost_11x11(void) { check_cost(128, 11, true); }
static void cost_21x21(void) { check_cost(64, 21, true); }

static const struct suite_test tests[] = {
    {"small", "images of one to three pixels a side", small},
    {"edges", "sizes around a multiple of the block size", edges},
    {"moved", "filters with a single 1", shifted},
    {"borders", "the nearest pixel beyond the edge", borders},
    {"filters", "filters of 1 x 1 to 31 x 31", filters},
    {"oblong", "filters that are not square", rectangular},
    {"factors", "filters whose factors are given", factors},
    {"empty", "an image without pixels", empty},
    {"long_sides", "more rows than gridDim.y", long_sides},
    {"large", "a photograph's size", large},
    {"precise", "precision of the sums", precision},
    {"again", "another filter each time", repeated},
    {"frees", "no memory is leaked, errors are returned", no_leak},
    {"refuses", "arguments outside the contract", rejects_invalid},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"plain", "640 x 480 (on a card 3840 x 2880), 5 x 5", timed_plain},
    {"factors", "the same size, 11 x 11, factors given", timed_factors},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"little", "small images, all kinds of filters", small_images},
    {"smooth", "128 x 128 pixels, 11 x 11, factors given", cost_11x11},
    {"sharp", "128 x 128 pixels, 5 x 5", cost_5x5},
    {"wide", "128 x 64 pixels, 21 x 21, factors given", cost_21x21},
    {NULL, NULL, NULL},
};

const struct suite suite_10_convolution = {"10_convolution", tests, speeds,
                                           watched};
