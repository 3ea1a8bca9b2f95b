/* SPDX-License-Identifier: MIT */
/* Suite of lab 02: the mean of a clipped window, rounded half up, exact. */
#include <limits.h>

#include "labs/02_blur/blur.h"
#include "grader/suite/suite.h"
#include "grader/suites/02_blur/response.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static size_t image_bytes(const struct blur_case *c)
{
    bool is_negative = c->width < 0 || c->height < 0 || c->channels < 0;
    bool is_huge = c->width == INT_MAX; /* too large: the lab must return an
                                           error */

    return is_negative || is_huge ? 0
                                  : (size_t)c->width * c->height * c->channels;
}

static int min_int(int a, int b) { return a < b ? a : b; }
static int max_int(int a, int b) { return a > b ? a : b; }

/** A mean, rounded in three ways. */
struct mean {
    double nearest, below, above;
};

/** Does a test check how means are rounded? */
enum rounding { ANY_ROUNDING, EXACT };

/* One output byte by the definition in the contract. */
static struct mean blur_pixel(const uint8_t *in, const struct blur_case *c,
                              int x, int y, int channel)
{
    int left = max_int(x - c->radius, 0), top = max_int(y - c->radius, 0);
    int right = min_int(x + c->radius, c->width - 1);
    int bottom = min_int(y + c->radius, c->height - 1);
    long sum = 0, count = (long)(right - left + 1) * (bottom - top + 1);

    for (int v = top; v <= bottom; v++)
        for (int u = left; u <= right; u++)
            sum += in[((size_t)v * c->width + u) * c->channels + channel];
    return (struct mean){(double)((2 * sum + count) / (2 * count)),
                         (double)(sum / count),
                         (double)((sum + count - 1) / count)};
}

/* Expected outputs.  Where the rounding is not tested, a mean that is rounded
 * down or up counts as right: a blur that truncates fails the tests of its
 * rounding, not those of its windows. */
static double *expected_means(const uint8_t *in, const uint8_t *out,
                              const struct blur_case *c,
                              enum rounding rounding)
{
    const size_t pitch = (size_t)c->width * c->channels;
    double *want = suite_doubles(image_bytes(c));

    for (size_t i = 0; i < image_bytes(c); i++) {
        const struct mean mean =
            blur_pixel(in, c, (int)(i % pitch) / c->channels, (int)(i / pitch),
                       (int)(i % c->channels));
        const bool is_mean = out[i] == mean.below || out[i] == mean.above;

        want[i] =
            rounding == ANY_ROUNDING && is_mean ? out[i] : mean.nearest;
    }
    return want;
}

/* Blurs this image and compares every byte. */
static void check(const uint8_t *in, const struct blur_case *c,
                  enum rounding rounding)
{
    const struct blur_image image = {in, c};
    const struct response response = blur_response(&image);
    uint8_t *out = suite_bytes(image_bytes(c));

    suite_case("%d x %d, channels %d, radius %d", c->width, c->height,
               c->channels, c->radius);
    expect_success(blur(in, out, c->width, c->height, c->channels, c->radius));
    expect_elements(&(struct expected){
        .name = "out", .got = out, .type = UINT8, .input = in,
        .want = expected_means(in, out, c, rounding),
        .size = {(size_t)c->height, (size_t)c->width, (size_t)c->channels},
        .mistakes = blur_mistakes, .context = &image,
        .response = &response});
    if (image_bytes(c) > 0) {
        expect_kernel();
        expect_inputs_copied();
    }
}

static void check_rounded(const struct blur_case *c, enum rounding rounding)
{
    uint8_t *in = suite_bytes(image_bytes(c));

    random_bytes(in, image_bytes(c));
    check(in, c, rounding);
}

static void check_random(const struct blur_case *c)
{
    check_rounded(c, ANY_ROUNDING);
}

static void check_all(const struct blur_case *cases, size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++)
        check_random(&cases[i]);
}

static void check_any(const void *c)
{
    check_random(c);
}

/* A small image, and another one of the same size. */
static void check_again(const struct blur_case *c)
{
    suite_repeat(check_any, c);
}

static void check_each_again(const struct blur_case *cases, size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++)
        check_again(&cases[i]);
}

/* One to three pixels a side: every window is clipped on all sides. */
static void small(void)
{
    static const int channels[] = {1, 3, 4};

    for (int i = 0; i < 27 && !suite_failed(); i++)
        check_again(&(struct blur_case){i % 3 + 1, i / 3 % 3 + 1,
                                        channels[i / 9], 1});
}

static void empty(void)
{
    static const struct blur_case cases[] = {
        {0, 0, 1, 1}, {0, 7, 3, 2}, {7, 0, 4, 0}};

    check_all(cases, COUNT(cases));
}

/* Sides one below and above common block sizes, never square. */
static void edges(void)
{
    static const struct blur_case cases[] = {
        {31, 32, 1, 1}, {31, 9, 1, 1},  {32, 15, 1, 2},  {33, 16, 1, 1},
        {63, 17, 3, 1}, {65, 31, 3, 2}, {255, 8, 1, 3},  {256, 7, 1, 1},
        {257, 33, 1, 2}, {8, 255, 4, 1}, {1023, 5, 1, 1}, {1025, 3, 3, 1},
        {3, 1025, 1, 4}};

    check_each_again(cases, COUNT(cases));
}

static void channels(void)
{
    static const struct blur_case cases[] = {
        {37, 23, 1, 2}, {37, 23, 3, 2}, {37, 23, 4, 2}};

    check_each_again(cases, COUNT(cases));
}

/* Radius 0, the largest one, and some larger than the image. */
static void radii(void)
{
    static const struct blur_case cases[] = {
        {61, 47, 3, 0}, {61, 47, 1, 5},  {61, 47, 3, 11}, {71, 67, 1, 31},
        {71, 67, 4, 32}, {5, 3, 3, 32}, {1, 1, 1, 32}};

    for (size_t i = 0; i < COUNT(cases) && !suite_failed(); i++)
        check_rounded(&cases[i], EXACT);
}

/* Stripes of 254 and 255: windows of an even width have a mean that is a half,
 * whatever their number of pixels is.  The reciprocal of some is rounded down.
 */
static void halves(void)
{
    static const struct blur_case c = {61, 47, 1, 10};
    uint8_t *in = suite_bytes(image_bytes(&c));

    for (size_t i = 0; i < image_bytes(&c); i++)
        in[i] = 254 + i % (size_t)c.width % 2;
    check(in, &c, EXACT);
}

/** An image of three neighboring values. */
struct narrow {
    const struct blur_case *c;
    int least;
};

static void check_narrow(const void *context)
{
    const struct narrow *narrow = context;
    const size_t bytes = image_bytes(narrow->c);
    uint8_t *in = suite_bytes(bytes);

    random_bytes(in, bytes);
    for (size_t k = 0; k < bytes; k++)
        in[k] = (uint8_t)(in[k] % 3 + narrow->least);
    check(in, narrow->c, EXACT);
}

/* Values 0 to 2, then 253 to 255: means that end in .5, above even and odd
 * numbers, and sums that overflow 8 or 16 bits. */
static void rounding(void)
{
    static const struct blur_case cases[] = {
        {53, 41, 1, 1}, {53, 41, 3, 1}, {67, 40, 1, 12}};

    for (size_t i = 0; i < 2 * COUNT(cases) && !suite_failed(); i++)
        suite_repeat(check_narrow,
                     &(struct narrow){&cases[i / 2], i % 2 ? 253 : 0});
    halves();
}

/* Starts at a random value, and wraps around. */
static void check_ramp(const void *context)
{
    const struct blur_case *c = context;
    uint8_t *in = suite_bytes(image_bytes(c));
    const int start = (int)random_int(0, 255);

    for (int i = 0; i < c->width * c->height; i++)
        in[i] = (uint8_t)(start + 2 * (i % c->width) + i / c->width / 2);
    check(in, c, EXACT);
}

static void check_checkerboard(const void *context)
{
    const struct blur_case *c = context;
    uint8_t *in = suite_bytes(image_bytes(c));
    const uint8_t bright = (uint8_t)random_int(128, 255);

    for (int i = 0; i < c->width * c->height; i++)
        in[i] = (i % c->width + i / c->width) % 2 ? bright : 3;
    check(in, c, EXACT);
}

/* A ramp and a checkerboard: a window that is off by one shifts the first and
 * inverts the second. */
static void patterns(void)
{
    static const struct blur_case c = {101, 59, 1, 2};

    suite_repeat(check_ramp, &c);
    if (!suite_failed())
        suite_repeat(check_checkerboard, &c);
}

/* More than 2^33 bytes: most have no content. */
static void huge(void)
{
    enum { WIDTH = 1 << 16, HEIGHT = 140001, ENDS = 8192, OUT_OF_MEMORY = 2 };
    int64_t status;

    if (!suite_use_sparse_memory())
        return;
    suite_case("%d x %d, channels 1, radius 1: more than 2^33 bytes", WIDTH,
               HEIGHT);
    status = blur(suite_bytes(ENDS), suite_bytes(ENDS), WIDTH, HEIGHT, 1, 1);
    if (status != OUT_OF_MEMORY)
        expect_far_access(status, true);
}

/* More rows than 65,535 blocks (the limit of gridDim.y) cover, and as many
 * columns as blocks. */
static void long_sides(void)
{
    enum { LONG = 66000, TILE = 32 };
    static const struct blur_case wide = {LONG, 1, 1, 1};

    for (int rows = LONG; rows; rows = suite_rows_beyond_grid(rows, TILE))
        check_random(&(struct blur_case){1, rows, 1, 1});
    if (!suite_failed())
        check_random(&wide);
    huge();
}

static void photo(void)
{
    check_random(&(struct blur_case){641, 427, 3, 3});
}

/* Three calls with new inputs: no state may remain from an earlier call. */
static void repeated(void)
{
    for (int i = 0; i < 3; i++)
        check_random(&(struct blur_case){90, 60, 3, 1 + i});
}

static void no_leak(void)
{
    check_random(&(struct blur_case){300, 200, 3, 1});
    expect_no_leak();
    check_random(&(struct blur_case){300, 200, 4, 2});
    expect_no_leak();
}

static int64_t blur_small(void)
{
    enum { SIDE = 20 };

    return blur(suite_bytes(SIDE * SIDE), suite_bytes(SIDE * SIDE), SIDE, SIDE,
                1, 2);
}

/* Arguments outside the contract must be rejected, also of an empty image, the
 * limits themselves not; and an image of 4 EiB, which cudaMalloc cannot allocate.  Then each single
 * allocation and copy of a small call fails. */
static void rejects_invalid(void)
{
    static const struct blur_case cases[] = {
        {8, 8, 0, 1},  {8, 8, 2, 1},  {8, 8, 5, 1}, {8, 8, 1, -1},
        {8, 8, 3, 33}, {-8, 8, 1, 1}, {8, -8, 1, 1}, {8, 8, 6, 1},
        {8, 8, -3, 1}, {8, 8, 1, 4000}, {INT_MAX, INT_MAX, 1, 1},
        {0, 8, 2, 1},  {8, 0, 1, -1},   {0, -8, 1, 1}};

    check_again(&(struct blur_case){8, 8, 3, BLUR_RADIUS_MAX});
    for (size_t i = 0; i < COUNT(cases) && !suite_failed(); i++) {
        const struct blur_case *c = &cases[i];
        uint8_t *in = suite_bytes(image_bytes(c)),
                *out = suite_bytes(image_bytes(c));
        suite_case("%d x %d, channels %d, radius %d", c->width, c->height,
                   c->channels, c->radius);
        expect_error(blur(in, out, c->width, c->height, c->channels,
                          c->radius));
        expect_no_leak();
    }
    suite_check_failures(blur_small);
}

static void timed(void)
{
    const int scale = (int)suite_size(1, 4);

    check_rounded(&(struct blur_case){800 * scale, 600 * scale, 3, 4}, EXACT);
}

/* Watched: images smaller than a tile, of several tiles, windows of any
 * size. */
static void small_images(void)
{
    static const struct blur_case cases[] = {
        {3, 2, 1, 1}, {31, 9, 1, 2}, {33, 17, 3, 1}, {65, 9, 4, 3},
        {5, 3, 3, 32}, {0, 4, 1, 1}, {64, 9, 1, 1}, {33, 32, 1, 1}};

    check_all(cases, COUNT(cases));
}

/* Each byte is loaded once and stored once, in one launch. */
static void cost_image(void)
{
    static const struct blur_case c = {128, 64, 3, 3};
    double min_int = 2.0 * (double)image_bytes(&c) / 32;

    check_random(&c);
    expect_metric(METRIC_SECTORS, min_int, min_int, "x the minimum");
    expect_metric(METRIC_CONFLICTS, 0, (double)image_bytes(&c) / 32,
                  "for each 32 results");
    expect_metric(METRIC_LAUNCHES, 1, 1, "x the minimum");
}

static const struct suite_test tests[] = {
    {"small", "images of one to three pixels a side", small},
    {"edges", "sizes around a multiple of the block size", edges},
    {"channels", "gray, color, color with alpha", channels},
    {"radii", "radius 0 to 32", radii},
    {"rounding", "halves, and sums beyond 16 bits", rounding},
    {"patterns", "a ramp and a checkerboard", patterns},
    {"empty", "no pixel at all", empty},
    {"long_sides", "more rows than gridDim.y", long_sides},
    {"photo", "a photograph's size", photo},
    {"again", "called three times in a row", repeated},
    {"frees", "device memory is freed", no_leak},
    {"refuses", "arguments outside the contract", rejects_invalid},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"photo", "800 x 600 (on a card 3200 x 2400), color, radius 4", timed},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"little", "images of a few pixels to a few tiles", small_images},
    {"picture", "128 x 64, color, radius 3", cost_image},
    {NULL, NULL, NULL},
};

const struct suite suite_02_blur = {"02_blur", tests, speeds, watched};
