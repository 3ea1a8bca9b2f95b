/* SPDX-License-Identifier: MIT */
/* Suite of lab 02: the mean of a clipped window, rounded half up, exactly. */
#include <limits.h>

#include "labs/02_blur/blur.h"
#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Width, height, channels and radius of one call. */
struct blur_case {
    int width, height, channels, radius;
};

static size_t bytes_of(const struct blur_case *c)
{
    bool none = c->width < 0 || c->height < 0 || c->channels < 0;
    bool vast = c->width == INT_MAX; /* for a lab that must refuse */

    return none || vast ? 0 : (size_t)c->width * c->height * c->channels;
}

/* The stub: same signature, runs in the runner. */
int blur(const unsigned char *in, unsigned char *out, int width, int height,
         int channels, int radius)
{
    size_t bytes = bytes_of(&(struct blur_case){width, height, channels, 0});

    call_begin(0);
    call_in(ON_HOST, in, bytes);
    call_out(ON_HOST, out, bytes);
    call_integer(width);
    call_integer(height);
    call_integer(channels);
    call_integer(radius);
    return (int)call_end();
}

static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }

/* One byte as the contract has it, by the definition: no sum is shared. */
static double blurred(const uint8_t *in, const struct blur_case *c, int x,
                      int y, int channel)
{
    int left = most(x - c->radius, 0), top = most(y - c->radius, 0);
    int right = least(x + c->radius, c->width - 1);
    int bottom = least(y + c->radius, c->height - 1);
    long sum = 0, count = (long)(right - left + 1) * (bottom - top + 1);

    for (int v = top; v <= bottom; v++)
        for (int u = left; u <= right; u++)
            sum += in[((size_t)v * c->width + u) * c->channels + channel];
    return (double)((2 * sum + count) / (2 * count));
}

/* Blur this image and compare every byte. */
static void check(const uint8_t *in, const struct blur_case *c)
{
    const size_t pitch = (size_t)c->width * c->channels;
    uint8_t *out = suite_bytes(bytes_of(c));
    double *want = suite_doubles(bytes_of(c));

    suite_case("%d x %d, channels %d, radius %d", c->width, c->height,
               c->channels, c->radius);
    for (size_t i = 0; i < bytes_of(c); i++)
        want[i] = blurred(in, c, (int)(i % pitch) / c->channels,
                          (int)(i / pitch), (int)(i % c->channels));
    expect_success(blur(in, out, c->width, c->height, c->channels, c->radius));
    expect_elements(&(struct expected){
        .name = "out", .got = out, .want = want, .type = UINT8, .input = in,
        .size = {(size_t)c->height, (size_t)c->width, (size_t)c->channels}});
    if (bytes_of(c) > 0)
        expect_kernel();
}

static void check_random(const struct blur_case *c)
{
    uint8_t *in = suite_bytes(bytes_of(c));

    random_bytes(in, bytes_of(c));
    check(in, c);
}

static void check_all(const struct blur_case *cases, size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++)
        check_random(&cases[i]);
}

/* One to three pixels a side: every window is clipped on all sides. */
static void small(void)
{
    static const int channels[] = {1, 3, 4};

    for (int i = 0; i < 27 && !suite_failed(); i++)
        check_random(&(struct blur_case){i % 3 + 1, i / 3 % 3 + 1,
                                         channels[i / 9], 1});
}

static void empty(void)
{
    static const struct blur_case cases[] = {
        {0, 0, 1, 1}, {0, 7, 3, 2}, {7, 0, 4, 0}};

    check_all(cases, COUNT(cases));
}

/* One off each usual block edge, never square. */
static void edges(void)
{
    static const struct blur_case cases[] = {
        {31, 9, 1, 1},  {32, 15, 1, 2},  {33, 16, 1, 1},  {63, 17, 3, 1},
        {65, 31, 3, 2}, {255, 8, 1, 3},  {256, 7, 1, 1},  {257, 33, 1, 2},
        {8, 255, 4, 1}, {1023, 5, 1, 1}, {1025, 3, 3, 1}, {3, 1025, 1, 4}};

    check_all(cases, COUNT(cases));
}

static void channels(void)
{
    static const struct blur_case cases[] = {
        {37, 23, 1, 2}, {37, 23, 3, 2}, {37, 23, 4, 2}};

    check_all(cases, COUNT(cases));
}

/* No radius, the largest, and some that are larger than the image. */
static void radii(void)
{
    static const struct blur_case cases[] = {
        {61, 47, 3, 0}, {61, 47, 1, 5},  {61, 47, 3, 11}, {71, 67, 1, 31},
        {71, 67, 4, 32}, {5, 3, 3, 32}, {1, 1, 1, 32}};

    check_all(cases, COUNT(cases));
}

/* Blacks and near-blacks, whites and near-whites: halves to round, and sums
 * too large for 8 or 16 bits. */
static void rounding(void)
{
    static const struct blur_case cases[] = {
        {53, 41, 1, 1}, {53, 41, 3, 1}, {67, 40, 1, 12}};

    for (size_t i = 0; i < 2 * COUNT(cases) && !suite_failed(); i++) {
        const struct blur_case *c = &cases[i / 2];
        uint8_t *in = suite_bytes(bytes_of(c));
        random_bytes(in, bytes_of(c));
        for (size_t k = 0; k < bytes_of(c); k++)
            in[k] = (uint8_t)((in[k] & 1) + (i % 2 ? 254 : 0));
        check(in, c);
    }
}

/* A ramp and a checkerboard: a window off by one shifts the first and
 * inverts the second. */
static void patterns(void)
{
    static const struct blur_case c = {101, 59, 1, 2};
    uint8_t *ramp = suite_bytes(bytes_of(&c));
    uint8_t *checker = suite_bytes(bytes_of(&c));
    uint8_t light = (uint8_t)random_between(128, 255);

    for (int i = 0; i < c.width * c.height; i++) {
        int x = i % c.width, y = i / c.width;
        ramp[i] = (uint8_t)(2 * x + y / 2);
        checker[i] = (x + y) % 2 ? light : 3;
    }
    check(ramp, &c);
    check(checker, &c);
}

/* More rows than gridDim.y has blocks of 16, and as many columns. */
static void long_sides(void)
{
    static const struct blur_case cases[] = {{1, 66000, 1, 1},
                                             {66000, 1, 1, 1},
                                             {1, 1050000, 1, 0}};

    check_all(cases, COUNT(cases));
}

static void photo(void)
{
    check_random(&(struct blur_case){641, 427, 3, 3});
}

/* Three times with other bytes: nothing may be kept from the call before. */
static void again(void)
{
    for (int i = 0; i < 3; i++)
        check_random(&(struct blur_case){90, 60, 3, 1 + i});
}

static void frees(void)
{
    check_random(&(struct blur_case){300, 200, 3, 1});
    expect_no_leak();
    check_random(&(struct blur_case){300, 200, 4, 2});
    expect_no_leak();
}

/* What the contract does not allow must be refused, and nothing else; and an
 * image of 4 EiB, for which cudaMalloc has no memory. */
static void refuses(void)
{
    static const struct blur_case cases[] = {
        {8, 8, 0, 1},  {8, 8, 2, 1},  {8, 8, 5, 1}, {8, 8, 1, -1},
        {8, 8, 3, 33}, {-8, 8, 1, 1}, {8, -8, 1, 1}, {8, 8, 6, 1},
        {8, 8, -3, 1}, {8, 8, 1, 4000}, {INT_MAX, INT_MAX, 1, 1}};

    check_random(&(struct blur_case){8, 8, 3, BLUR_RADIUS_MAX});
    for (size_t i = 0; i < COUNT(cases) && !suite_failed(); i++) {
        const struct blur_case *c = &cases[i];
        uint8_t *in = suite_bytes(bytes_of(c)), *out = suite_bytes(bytes_of(c));
        suite_case("%d x %d, channels %d, radius %d", c->width, c->height,
                   c->channels, c->radius);
        expect_refusal(blur(in, out, c->width, c->height, c->channels,
                            c->radius));
        expect_no_leak();
    }
}

static void timed(void)
{
    const int scale = (int)suite_size(1, 4);

    check_random(&(struct blur_case){800 * scale, 600 * scale, 3, 4});
}

/* Watched: images of less than a tile, of several, windows of any size. */
static void little(void)
{
    static const struct blur_case cases[] = {
        {3, 2, 1, 1}, {31, 9, 1, 2}, {33, 17, 3, 1}, {65, 9, 4, 3},
        {5, 3, 3, 32}, {0, 4, 1, 1}};

    check_all(cases, COUNT(cases));
}

/* Each byte crosses the bus once in and once out, in one launch. */
static void picture(void)
{
    static const struct blur_case c = {128, 64, 3, 3};
    double least = 2.0 * (double)bytes_of(&c) / 32;

    check_random(&c);
    expect_cost(COST_SECTORS, least, least, "x the least there can be");
    expect_cost(COST_CONFLICTS, 0, (double)bytes_of(&c) / 32,
                "for each 32 results");
    expect_cost(COST_LAUNCHES, 1, 1, "x what it takes");
}

static const struct suite_test tests[] = {
    {"small", "images of one to three pixels a side", small},
    {"edges", "sizes round the edges of blocks", edges},
    {"channels", "gray, colour, colour with alpha", channels},
    {"radii", "radius 0 to 32", radii},
    {"rounding", "halves, and sums beyond 16 bits", rounding},
    {"patterns", "a ramp and a checkerboard", patterns},
    {"empty", "no pixel at all", empty},
    {"long_sides", "more rows than gridDim.y", long_sides},
    {"photo", "a photograph's size", photo},
    {"again", "called three times in a row", again},
    {"frees", "device memory is freed", frees},
    {"refuses", "what the contract does not allow", refuses},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"photo", "800 x 600 (on a card 3200 x 2400), colour, radius 4", timed},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"little", "images of a few pixels to a few tiles", little},
    {"picture", "128 x 64, colour, radius 3", picture},
    {NULL, NULL, NULL},
};

const struct suite suite_02_blur = {"02_blur", tests, speeds, watched};
