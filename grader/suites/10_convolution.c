/* SPDX-License-Identifier: MIT */
/* Suite of lab 10: an image, filtered, and the same sums in double. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "labs/10_convolution/convolution.h"
#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static size_t pixels_of(const struct convolution_shape *s)
{
    return s->width < 0 || s->height < 0 ? 0 : (size_t)s->width * s->height;
}

static size_t taps_of(const struct convolution_shape *s)
{
    return s->columns < 0 || s->rows < 0 ? 0 : (size_t)s->columns * s->rows;
}

/* The stub: same signature, runs in the runner. */
int convolution(const struct convolution_shape *shape, const float *d_in,
                const float *filter, const float *factors, float *d_work,
                float *d_out)
{
    const size_t bytes = pixels_of(shape) * sizeof(float);
    const size_t sides = (size_t)abs(shape->rows) + (size_t)abs(shape->columns);

    call_begin(0);
    call_in(ON_HOST, shape, sizeof *shape);
    call_in(ON_DEVICE, d_in, bytes);
    call_in(ON_HOST, filter, taps_of(shape) * sizeof *filter);
    call_in(ON_HOST, factors, factors ? sides * sizeof *factors : 0);
    call_out(ON_DEVICE, d_work, bytes);
    call_out(ON_DEVICE, d_out, bytes);
    call_integer(factors != NULL);
    return (int)call_end();
}

/* One call: the image, the filter, and perhaps its factors. */
struct job {
    struct convolution_shape shape;
    float *in, *filter, *factors;
};

/* The filter's numbers; products of factors are not yet rounded. */
static double *weights_of(const struct job *job)
{
    const struct convolution_shape *s = &job->shape;
    double *weights = suite_doubles(taps_of(s));

    for (int i = 0; i < s->rows * s->columns; i++)
        weights[i] = job->factors ? (double)job->factors[i / s->columns]
                                        * job->factors[s->rows + i % s->columns]
                                  : job->filter[i];
    return weights;
}

static int clamp(int i, int count)
{
    return i < 0 ? 0 : i < count ? i : count - 1;
}

/* The pixel at (x, y) by the definition; in *scale the sum of magnitudes. */
static double filtered(const struct job *job, const double *weights, int x,
                       int y, double *scale)
{
    const struct convolution_shape *s = &job->shape;
    double sum = 0;

    *scale = 0;
    for (int i = 0; i < s->rows * s->columns; i++) {
        int v = clamp(y + i / s->columns - s->rows / 2, s->height);
        int u = clamp(x + i % s->columns - s->columns / 2, s->width);
        double product = weights[i] * job->in[(size_t)v * s->width + u];

        sum += product;
        *scale += fabs(product);
    }
    return sum;
}

/* Filter this image and compare every pixel; steps = 0: exact. */
static void check_steps(const struct job *job, double steps)
{
    const struct convolution_shape *s = &job->shape;
    const size_t pixels = pixels_of(s);
    float *out = suite_floats(pixels), *work = suite_floats(pixels);
    double *want = suite_doubles(pixels), *scale = suite_doubles(pixels);
    const double *weights = weights_of(job);

    for (size_t i = 0; i < pixels; i++)
        want[i] = filtered(job, weights, (int)(i % s->width),
                           (int)(i / s->width), &scale[i]);
    suite_case("%d x %d, filter %d x %d%s", s->width, s->height, s->columns,
               s->rows, job->factors ? ", factors given" : "");
    expect_success(convolution(s, job->in, job->filter, job->factors, work,
                               out));
    expect_elements(&(struct expected){
        .name = "out", .got = out, .want = want, .type = FLOAT32,
        .input = job->in, .size = {(size_t)s->height, (size_t)s->width},
        .scale = scale, .steps = steps});
}

static void check(const struct job *job)
{
    check_steps(job, 16 + 2 * sqrt((double)taps_of(&job->shape)));
}

static struct job job_of(const struct convolution_shape *s)
{
    struct job job = {*s, suite_floats(pixels_of(s)),
                      suite_floats(taps_of(s)), NULL};

    random_floats(job.in, pixels_of(s), -1, 1);
    random_floats(job.filter, taps_of(s), -1, 1);
    return job;
}

/* A filter made of factors, which are given. */
static struct job factored(const struct convolution_shape *s)
{
    struct job job = job_of(s);

    job.factors = suite_floats((size_t)(s->rows + s->columns));
    random_floats(job.factors, (size_t)(s->rows + s->columns), 0.5, 1.5);
    for (int i = 0; i < s->rows * s->columns; i++)
        job.filter[i] = job.factors[i / s->columns]
                        * job.factors[s->rows + i % s->columns];
    return job;
}

/* An image and a filter of that shape, its factors given or not. */
static void check_shape(const struct convolution_shape *s, bool factors)
{
    const struct job job = factors ? factored(s) : job_of(s);

    check(&job);
}

static void check_all(const struct convolution_shape *shapes, size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++)
        check_shape(&shapes[i], false);
}

/* Every window is cut on all sides. */
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

/* One off each usual block edge, never square. */
static void edges(void)
{
    static const struct convolution_shape shapes[] = {
        {31, 9, 3, 3},   {32, 15, 5, 5},  {33, 16, 3, 3},  {63, 17, 3, 3},
        {65, 31, 5, 5},  {127, 63, 3, 3}, {128, 64, 5, 5}, {129, 65, 7, 7},
        {8, 255, 3, 3},  {257, 8, 3, 3},  {1025, 3, 3, 3}, {3, 1025, 5, 5}};

    check_all(shapes, COUNT(shapes));
}

/* Every size that image work has, the smallest and the largest. */
static void filters(void)
{
    static const int sides[] = {1, 3, 5, 7, 9, 11, 13, 15, 21, 31};

    for (size_t i = 0; i < COUNT(sides) && !suite_failed(); i++)
        check_shape(&(struct convolution_shape){61, 47, sides[i], sides[i]},
                    false);
}

/* Filters that are not square; larger than the image, too. */
static void oblong(void)
{
    static const struct convolution_shape shapes[] = {
        {61, 47, 7, 3},  {61, 47, 3, 7}, {40, 70, 31, 1}, {70, 40, 1, 31},
        {61, 47, 5, 11}, {5, 3, 9, 11},  {2, 2, 31, 31},  {1, 1, 5, 3}};

    check_all(shapes, COUNT(shapes));
}

/* Made of factors but for one number; none are given. */
static void check_nearly(int other)
{
    struct job job = factored(&(struct convolution_shape){40, 30, 3, 3});

    job.factors = NULL;
    job.filter[other] += 1;
    check(&job);
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
        check_nearly(i);
}

/* Filters with a single 1: the image, moved, bit for bit. */
static void moved(void)
{
    static const struct convolution_shape s = {67, 41, 5, 3};

    for (int i = 0; i < s.columns * s.rows && !suite_failed(); i++) {
        struct job job = job_of(&s);

        memset(job.filter, 0, taps_of(&s) * sizeof *job.filter);
        job.filter[i] = 1;
        check_steps(&job, 0);
    }
}

/* A light edge round a dark image: what is assumed beyond it shows. */
static void borders(void)
{
    static const struct convolution_shape shapes[] = {{45, 37, 5, 5},
                                                      {90, 70, 11, 11}};

    for (size_t i = 0; i < COUNT(shapes) && !suite_failed(); i++) {
        const struct convolution_shape *s = &shapes[i];
        struct job job = job_of(s);

        for (int k = 0; k < s->width * s->height; k++) {
            int x = k % s->width, y = k / s->width;
            bool edge = x == 0 || y == 0 || x == s->width - 1
                        || y == s->height - 1;
            job.in[k] = edge ? (float)random_real(100, 200) : 0;
        }
        check(&job);
    }
}

/* Few products: the bound is 3e-6 of the sum, half precision off by 2e-4. */
static void precise(void)
{
    static const struct convolution_shape shapes[] = {{50, 40, 3, 3},
                                                      {50, 40, 1, 1}};

    for (size_t i = 0; i < COUNT(shapes) && !suite_failed(); i++) {
        struct job job = job_of(&shapes[i]);

        random_floats(job.in, pixels_of(&shapes[i]), 0.5, 2);
        random_floats(job.filter, taps_of(&shapes[i]), 0.5, 2);
        check(&job);
    }
}

/* More rows than gridDim.y has blocks, and as many columns. */
static void long_sides(void)
{
    check_shape(&(struct convolution_shape){1, 530000, 3, 3}, false);
    check_shape(&(struct convolution_shape){70001, 2, 3, 3}, false);
}

static void large(void)
{
    check_shape(&(struct convolution_shape){641, 427, 5, 5}, false);
    check_shape(&(struct convolution_shape){641, 427, 9, 9}, true);
}

/* Another filter each time: nothing may be kept from the call before. */
static void again(void)
{
    for (int i = 0; i < 4 && !suite_failed(); i++) {
        const struct convolution_shape s = {90, 60, 7 - 2 * i % 6, 5};

        check_shape(&s, i % 2);
    }
}

static void frees(void)
{
    check_shape(&(struct convolution_shape){300, 200, 3, 3}, false);
    expect_no_leak();
    check_shape(&(struct convolution_shape){300, 200, 5, 5}, true);
    expect_no_leak();
}

/* What the contract does not allow, and nothing else. */
static void refuses(void)
{
    static const struct convolution_shape bad[] = {
        {8, 8, 2, 3},  {8, 8, 3, 4},  {8, 8, 0, 3}, {8, 8, 3, 0},
        {8, 8, 33, 3}, {8, 8, 3, 33}, {-8, 8, 3, 3}, {8, -8, 3, 3}};

    check_shape(&(struct convolution_shape){8, 8, CONVOLUTION_SIDE_MAX,
                                            CONVOLUTION_SIDE_MAX}, false);
    for (size_t i = 0; i < COUNT(bad) && !suite_failed(); i++) {
        const struct convolution_shape *s = &bad[i];
        float *in = suite_floats(pixels_of(s)), *out = suite_floats(64);

        suite_case("%d x %d, filter %d x %d", s->width, s->height, s->columns,
                   s->rows);
        expect_refusal(convolution(s, in, suite_floats(taps_of(s)), NULL,
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

/* Watched: images of less than a tile, of several, windows of any size. */
static void little(void)
{
    static const struct convolution_shape shapes[] = {
        {3, 2, 3, 3}, {33, 17, 5, 5}, {130, 9, 3, 7}, {5, 70, 13, 13},
        {0, 4, 3, 3}};

    check_all(shapes, COUNT(shapes));
    check_shape(&(struct convolution_shape){35, 67, 5, 5}, true);
    check_shape(&(struct convolution_shape){35, 67, 13, 15}, true);
}

/* Each pixel crosses the bus once in and once out. */
static void picture(struct convolution_shape s, bool factors)
{
    const double least = 2.0 * (double)pixels_of(&s) / 8;

    check_shape(&s, factors);
    expect_cost(COST_SECTORS, least, least, "x the least there can be");
    expect_cost(COST_LAUNCHES, 1, 1, "x what it takes");
}

static void sharp(void)
{
    picture((struct convolution_shape){128, 128, 5, 5}, false);
}

static void smooth(void)
{
    picture((struct convolution_shape){128, 128, 11, 11}, true);
}

static void wide(void)
{
    picture((struct convolution_shape){128, 64, 21, 21}, true);
}

static const struct suite_test tests[] = {
    {"small", "images of one to three pixels a side", small},
    {"edges", "sizes round the edges of blocks", edges},
    {"moved", "filters with a single 1", moved},
    {"borders", "the nearest pixel beyond the edge", borders},
    {"filters", "filters of 1 x 1 to 31 x 31", filters},
    {"oblong", "filters that are not square", oblong},
    {"factors", "filters whose factors are given", factors},
    {"empty", "an image without pixels", empty},
    {"long_sides", "more rows than gridDim.y", long_sides},
    {"large", "a photograph's size", large},
    {"precise", "sums in enough bits", precise},
    {"again", "another filter each time", again},
    {"frees", "no device memory is kept", frees},
    {"refuses", "what the contract forbids", refuses},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"plain", "640 x 480 (on a card 3840 x 2880), 5 x 5", timed_plain},
    {"factors", "the same size, 11 x 11, factors given", timed_factors},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"little", "small images, all kinds of filters", little},
    {"smooth", "128 x 128 pixels, 11 x 11, factors given", smooth},
    {"sharp", "128 x 128 pixels, 5 x 5", sharp},
    {"wide", "128 x 64 pixels, 21 x 21, factors given", wide},
    {NULL, NULL, NULL},
};

const struct suite suite_10_convolution = {"10_convolution", tests, speeds,
                                           watched};
