/* SPDX-License-Identifier: MIT */
/* Suite of lab 14: batches of bytes through the stages, exact; and how long
 * that takes on the modelled time line. */
#include "labs/14_streams/streams.h"

#include <math.h>
#include <string.h>

#include "suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The stub: same signature, runs in the runner. */
int streams(const unsigned char *h_in, float *h_out, int batches, int size)
{
    const size_t n = (size_t)batches * (size_t)size;

    call_begin(0);
    call_in(ON_HOST, h_in, n);
    call_out(ON_HOST, h_out, n * sizeof *h_out);
    call_integer(batches);
    call_integer(size);
    return (int)call_end();
}

/* One stage in double, which is exact as well. */
static void stage(const double *x, double *y, size_t size, size_t number)
{
    for (size_t i = 0; i < size; i++) {
        const double mean = 0.5 * (x[i] + x[(i + number + 1) % size]);

        y[i] = number % 2 ? fabs(mean) - 0.25 : mean;
    }
}

/* What becomes of one batch. */
static void reference(const uint8_t *in, double *out, double *spare,
                      size_t size)
{
    for (size_t i = 0; i < size; i++)
        out[i] = in[i] / 128.0 - 1;
    for (size_t number = 0; number < STREAMS_STAGES; number += 2) {
        stage(out, spare, size, number);
        stage(spare, out, size, number + 1);
    }
}

static void check(size_t batches, size_t size)
{
    const size_t n = batches * size;
    uint8_t *in = suite_bytes(n);
    float *out = suite_floats(n);
    double *want = suite_doubles(n), *spare = suite_doubles(size);

    random_bytes(in, n);
    for (size_t b = 0; b < batches; b++)
        reference(in + b * size, want + b * size, spare, size);
    suite_case("%zu batches of %zu", batches, size);
    expect_success(streams(in, out, (int)batches, (int)size));
    expect_elements(&(struct expected){.name = "out", .got = out, .want = want,
                                       .type = FLOAT32,
                                       .size = {batches, size}});
    if (n > 0)
        expect_kernel();
}

static void check_all(const size_t (*shapes)[2], size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++)
        check(shapes[i][0], shapes[i][1]);
}

static void one_batch(void)
{
    static const size_t shapes[][2] = {{1, 1},   {1, 2},   {1, 3},  {1, 31},
                                       {1, 256}, {1, 257}, {1, 1000}};

    check_all(shapes, COUNT(shapes));
}

/* As many batches as slots, one more, one less, and many. */
static void batches(void)
{
    for (size_t b = 2; b <= 9 && !suite_failed(); b++)
        check(b, 500 + b);
    check(23, 64);
}

static void empty(void)
{
    check(0, 100);
    check(3, 0);
    check(0, 0);
}

/* Sizes round a block's edge, so that a batch's last block is part of one. */
static void edges(void)
{
    static const size_t shapes[][2] = {{4, 255},  {5, 257},  {4, 511},
                                       {3, 1023}, {5, 1025}, {4, 4093}};

    check_all(shapes, COUNT(shapes));
}

/* Another batch's bytes in a buffer that is used again show. */
static void large(void)
{
    check(7, 100003);
    check(5, (size_t)1 << 17);
}

static void again(void)
{
    for (size_t i = 0; i < 3 && !suite_failed(); i++)
        check(4, 3000);
}

/* Other orders of threads; and all memory is given back. */
static void orders(void)
{
    for (unsigned order = 1; order <= 3 && !suite_failed(); order++) {
        suite_reorder(order);
        check(5, 2000);
    }
    suite_reorder(0);
}

static void frees(void)
{
    for (size_t b = 1; b <= 8 && !suite_failed(); b *= 2) {
        check(b, 1000);
        expect_no_leak();
    }
}

static void timed(void)
{
    check(8, (size_t)1 << 17);
}

/* Watched: fewer batches than slots, and more; sizes of part of a block. */
static void few(void)
{
    static const size_t shapes[][2] = {{0, 5}, {1, 33}, {2, 300}, {7, 1021}};

    check_all(shapes, COUNT(shapes));
}

/* The host reads a byte and writes a float at 20 bytes a nanosecond. */
static void pipeline(void)
{
    enum { BATCHES = 4, SIZE = 1 << 17 };
    const double load = BATCHES * (double)SIZE * 5 / 20;
    const double least = STREAMS_STAGES * 2.0 * BATCHES * SIZE / 8;

    check(BATCHES, SIZE);
    expect_cost(COST_TIMELINE, load / 8, load, "x the loading alone");
    expect_cost(COST_CALLS, BATCHES, BATCHES, "a batch");
    expect_cost(COST_SECTORS, least, least, "x the least there can be");
}

static const struct suite_test tests[] = {
    {"one_batch", "a single batch", one_batch},
    {"batches", "2 to 23 batches", batches},
    {"empty", "nothing to do", empty},
    {"edges", "sizes round the edges of blocks", edges},
    {"large", "buffers that are used again", large},
    {"again", "called several times", again},
    {"orders", "in other orders of blocks and threads", orders},
    {"frees", "device memory is freed", frees},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"pipeline", "8 batches of 131,072", timed},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"few", "0 to 7 batches", few},
    {"pipeline", "4 batches of 131,072", pipeline},
    {NULL, NULL, NULL},
};

const struct suite suite_14_streams = {"14_streams", tests, speeds, watched};
