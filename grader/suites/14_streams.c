/* SPDX-License-Identifier: MIT */
/* Suite of lab 14: batches through the stages, exact, and their timeline. */
#include "labs/14_streams/streams.h"

#include "grader/suites/14_streams/mistakes.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The floats that load_batch() makes, which the device must get. */
static void expect_decoded(const uint8_t *in, size_t n)
{
    float *decoded = suite_floats(n);

    for (size_t i = 0; i < n; i++)
        decoded[i] = (float)in[i] / 128 - 1;
    call_decoded(decoded, n * sizeof *decoded);
}

static void check(size_t batches, size_t size)
{
    const size_t n = batches * size;
    uint8_t *in = suite_bytes(n);
    float *out = suite_floats(n);
    double *want = suite_doubles(n), *scratch = suite_doubles(size);
    const struct data_set data_set = {in, batches, size};

    random_bytes(in, n);
    for (size_t b = 0; b < batches; b++)
        streams_reference(in + b * size, want + b * size, scratch, size);
    suite_case("%zu batches of %zu", batches, size);
    expect_decoded(in, n);
    expect_success(streams(in, out, (int)batches, (int)size));
    expect_elements(&(struct expected){.name = "out", .got = out, .want = want,
                                       .type = FLOAT32,
                                       .size = {batches, size},
                                       .mistakes = streams_mistakes,
                                       .context = &data_set});
    if (n == 0)
        return;
    expect_kernel();
    expect_inputs_copied();
}

static void check_all(const size_t (*shapes)[2], size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++)
        check(shapes[i][0], shapes[i][1]);
}

static void check_one(const void *size)
{
    check(1, *(const size_t *)size);
}

/* Small results: other data must not change what the host tells. */
static void one_batch(void)
{
    static const size_t sizes[] = {1, 2, 3, 31, 256, 257, 1000};

    for (size_t i = 0; i < COUNT(sizes) && !suite_failed(); i++)
        suite_repeat_threads(check_one, &sizes[i]);
}

/* As many batches as slots, one more, one fewer, and many. */
static void batches(void)
{
    check(3, 503); /* of two batches, many mistakes look alike */
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

/* Sizes around the block size: the last block of a batch is partial. */
static void edges(void)
{
    static const size_t shapes[][2] = {{5, 257},  {4, 255},  {4, 511},
                                       {3, 1023}, {5, 1025}, {4, 4093}};

    check_all(shapes, COUNT(shapes));
}

/* More than 2^31 bytes a batch, and more than 2^32 elements in all: most have
 * no content.  As an int their number is negative, so that it is no size. */
static void huge(void)
{
    const size_t batches = 9, size = 715900001;

    if (!suite_use_sparse_memory())
        return;
    suite_case("%zu batches of %zu: more than 2^31 bytes each", batches, size);
    expect_far_access(streams(suite_bytes(8192), suite_floats(8192),
                              (int)batches, (int)size), true);
}

/* Large batches: a buffer that is reused too early shows. */
static void large(void)
{
    check(7, 100003);
    check(5, (size_t)1 << 17);
    huge();
}

static void repeated(void)
{
    for (size_t i = 0; i < 3 && !suite_failed(); i++)
        check(4, 3000);
}

/* Other schedules of blocks and threads. */
static void block_orders(void)
{
    for (unsigned order = 1; order <= 3 && !suite_failed(); order++) {
        suite_use_schedule(order);
        check(5, 2000);
    }
    suite_use_schedule(0);
}

static void no_leak(void)
{
    for (size_t b = 1; b <= 8 && !suite_failed(); b *= 2) {
        check(b, 1000);
        expect_no_leak();
    }
}

/* The host loads each batch, once. */
static void loads(void)
{
    for (size_t b = 1; b <= 7 && !suite_failed(); b += 3) {
        check(b, 700);
        expect_host_work("load_batch()", b, b * 700);
    }
}

static int64_t two_small_batches(void)
{
    return streams(suite_bytes(600), suite_floats(600), 2, 300);
}

/* Each allocation, stream, event, graph and copy fails in turn, then the last
 * kernel. */
static void failures(void)
{
    suite_check_failures(two_small_batches);
    suite_check_late_failure(two_small_batches, 2 * STREAMS_STAGES);
}

static void timed(void)
{
    check(8, (size_t)1 << 17);
}

/* Watched: fewer batches than slots, and more; sizes below one block. */
static void small_sizes(void)
{
    static const size_t shapes[][2] = {{0, 5}, {1, 33}, {2, 300}, {7, 1021}};

    check_all(shapes, COUNT(shapes));
}

/* The host loads a byte and stores a float at 20 bytes per nanosecond. */
static void pipeline(void)
{
    enum { BATCHES = 4, SIZE = 5 << 14 };
    const double loading_time = BATCHES * (double)SIZE * 5 / 20;
    const double min_sectors = STREAMS_STAGES * 2.0 * BATCHES * SIZE / 8;

    suite_sample_blocks(); /* a kernel's time is that of any of its blocks */
    check(BATCHES, SIZE);
    expect_metric(METRIC_TIMELINE, loading_time / 8, loading_time,
                  "x the loading alone");
    expect_metric(METRIC_CALLS, BATCHES, BATCHES, "a batch");
    expect_metric(METRIC_SECTORS, min_sectors, min_sectors,
                  "x the minimum");
}

/* Kernels take longer than loads: those of several batches must overlap. */
static void small_batches(void)
{
    enum { BATCHES = 16, SIZE = 1 << 11 };

    suite_sample_blocks(); /* all are checked, some are counted */
    check(BATCHES, SIZE);
    expect_metric(METRIC_TIMELINE, BATCHES * (double)SIZE / 100,
                  BATCHES * 1000.0, "microseconds a batch");
}

static const struct suite_test tests[] = {
    {"one_batch", "a single batch", one_batch},
    {"batches", "2 to 23 batches", batches},
    {"empty", "nothing to do", empty},
    {"edges", "sizes around a multiple of the block size", edges},
    {"large", "buffers that are used again", large},
    {"again", "called several times", repeated},
    {"orders", "in other orders of blocks and threads", block_orders},
    {"loads", "each batch is loaded by the host", loads},
    {"frees", "nothing is leaked", no_leak},
    {"failures", "each call that can fail does", failures},
    {NULL, NULL, NULL},
};

static const struct suite_test speeds[] = {
    {"pipeline", "8 batches of 131,072", timed},
    {NULL, NULL, NULL},
};

static const struct suite_test watched[] = {
    {"few", "0 to 7 batches", small_sizes},
    {"pipeline", "4 batches of 81,920", pipeline},
    {"small", "16 batches of 2,048", small_batches},
    {NULL, NULL, NULL},
};

const struct suite suite_14_streams = {"14_streams", tests, speeds, watched};
