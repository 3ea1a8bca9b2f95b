/* SPDX-License-Identifier: MIT */
/* Suite of lab 14: batches of bytes through the stages, exact, and their time
 * on the modeled timeline. */
#include "labs/14_streams/streams.h"

#include <math.h>
#include <string.h>

#include "grader/suite/hypothesis.h"
#include "grader/suite/suite.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* One stage in double, which is exact. */
static void stage_reference(const double *x, double *y, size_t size,
                            size_t number)
{
    for (size_t i = 0; i < size; i++) {
        const double mean = 0.5 * (x[i] + x[(i + number + 1) % size]);

        y[i] = number % 2 ? fabs(mean) - 0.25 : mean;
    }
}

/* The expected output of one batch. */
static void reference(const uint8_t *in, double *out, double *scratch,
                      size_t size)
{
    for (size_t i = 0; i < size; i++)
        out[i] = in[i] / 128.0 - 1;
    for (size_t number = 0; number < STREAMS_STAGES; number += 2) {
        stage_reference(out, scratch, size, number);
        stage_reference(scratch, out, size, number + 1);
    }
}

/* The inputs of a call. */
struct data_set {
    const uint8_t *in;
    size_t batches, size;
};

/* Each batch after `stages` stages only, or after 8 more. */
static void try_stages(struct hypotheses *h, const struct data_set *d,
                       size_t stages)
{
    double *values = hypothesis_values(h), *y = suite_doubles(d->size);

    for (size_t b = 0; b < d->batches; b++) {
        double *x = values + b * d->size;

        for (size_t i = 0; i < d->size; i++)
            x[i] = d->in[b * d->size + i] / 128.0 - 1;
        for (size_t number = 0; number < stages; number++) {
            stage_reference(x, y, d->size, number % STREAMS_STAGES);
            memcpy(x, y, d->size * sizeof *x);
        }
    }
    hypothesis_try(h, stages == STREAMS_STAGES - 1
                          ? "run_stages() leaves the result in d_x; d_y holds "
                            "intermediate values."
                          : "Each batch passes each stage once, before the "
                            "copy back: does one stream order these, and has "
                            "each graph its own arrays?",
                   "the batch after %zu stages, should be after %d", stages,
                   STREAMS_STAGES);
}

/* Each wrong batch is another one: its buffer was used again too early, or the
 * other one's arrays were. */
static void try_neighbors(struct hypotheses *h, const struct data_set *d)
{
    static const char reused[] =
        "Before the host or a copy writes to memory that earlier work still "
        "uses, that work must be complete: which event or stream orders the "
        "two?";
    static const char not_loaded[] =
        "load_batch() was not called for each batch: the memory still has an "
        "earlier one.";
    const struct facts *facts = h->evidence->facts;
    const bool loaded =
        !facts || facts->host_work >= d->batches * (d->size + 1);

    for (size_t distance = 1; distance <= 4 && distance < d->batches;
         distance++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            double *values = hypothesis_values(h);
            double *right = suite_doubles(d->batches * d->size);

            memcpy(right, values, d->batches * d->size * sizeof *right);
            for (size_t b = 0; b < d->batches; b++) {
                const size_t from = b + (size_t)sign * distance;

                for (size_t i = 0; from < d->batches && i < d->size; i++)
                    values[b * d->size + i] = right[from * d->size + i];
            }
            hypothesis_try(h, loaded ? reused : not_loaded,
                           "the result of the batch %zu %s",
                           distance, sign > 0 ? "later" : "earlier");
        }
}

/* Stages of whole groups only: the elements behind them are open. */
static void try_whole_groups(struct hypotheses *h, const struct data_set *d,
                             size_t group)
{
    const size_t whole = d->size - d->size % group;
    double *values = hypothesis_values(h), *scratch = suite_doubles(d->size);

    if (whole == 0 || whole == d->size)
        return;
    for (size_t b = 0; b < d->batches; b++) {
        reference(d->in + b * d->size, values + b * d->size, scratch, whole);
        for (size_t i = whole; i < d->size; i++)
            values[b * d->size + i] = HYPOTHESIS_ANY;
    }
    hypothesis_try(h, "The size of a batch is no multiple of anything: pass "
                   "size to run_stages().",
                   "the batch's, if it had no elements after the last whole "
                   "group of %zu", group);
}

/* All batches are stored at the first one's place, the last one at last. */
static void try_one_place(struct hypotheses *h, const struct data_set *d)
{
    const size_t last = (d->batches - 1) * d->size;
    double *values = hypothesis_values(h);

    if (d->batches < 2)
        return;
    memmove(values, values + last, d->size * sizeof *values);
    for (size_t i = d->size; i < d->batches * d->size; i++)
        values[i] = HYPOTHESIS_ANY;
    hypothesis_try(h, "Batch b of h_out begins at b * size.",
                   "that of the last batch, at the first one's place, or not "
                   "written: all batches go to the same place");
}

/* Batch b from byte b on. */
static void try_input_place(struct hypotheses *h, const struct data_set *d)
{
    double *values = hypothesis_values(h), *scratch = suite_doubles(d->size);

    for (size_t b = 0; b < d->batches && d->size > 1; b++)
        reference(d->in + b, values + b * d->size, scratch, d->size);
    hypothesis_try(h, "Batch b of h_in begins at b * size.",
                   "computed from the bytes from h_in + b on");
}

/* Copies of as many bytes as there are elements: the number says it, whatever
 * is behind them. */
static void try_short_copies(struct hypotheses *h, const struct data_set *d)
{
    const struct facts *facts = h->evidence->facts;
    const double needed = h->needed;
    const size_t n = d->batches * d->size;
    double *values = hypothesis_values(h);

    if (!facts || !facts->counted
        || (facts->h2d_bytes != n && facts->d2h_bytes != n))
        return;
    for (size_t i = 0; i < n; i++)
        values[i] = evidence_got(h->evidence, i);
    h->needed = -1;
    hypothesis_try(h, "The length of a copy is in bytes: size * sizeof(float).",
                   "behind what was copied, or computed from that: %zu bytes "
                   "%s the device, for %zu floats", n,
                   facts->h2d_bytes == n ? "to" : "from", n);
    h->needed = needed;
}

static void usual_mistakes(struct hypotheses *h, const void *context)
{
    const struct data_set *d = context;

    if (d->batches * d->size > 1 << 20)
        return;
    try_short_copies(h, d);
    if (h->fits)
        return;
    try_neighbors(h, d);
    try_one_place(h, d);
    try_input_place(h, d);
    for (size_t stages = 0; stages < STREAMS_STAGES; stages++)
        try_stages(h, d, stages);
    try_stages(h, d, 2 * STREAMS_STAGES);
    for (size_t group = 256; group >= 4 && !h->fits; group /= 2)
        try_whole_groups(h, d, group);
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
        reference(in + b * size, want + b * size, scratch, size);
    suite_case("%zu batches of %zu", batches, size);
    expect_success(streams(in, out, (int)batches, (int)size));
    expect_elements(&(struct expected){.name = "out", .got = out, .want = want,
                                       .type = FLOAT32,
                                       .size = {batches, size},
                                       .mistakes = usual_mistakes,
                                       .context = &data_set});
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

/* As many batches as slots, one more, one fewer, and many. */
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

/* Sizes around the block size: the last block of a batch is partial. */
static void edges(void)
{
    static const size_t shapes[][2] = {{4, 255},  {5, 257},  {4, 511},
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
    enum { N = 2 * 300 };

    return streams(suite_bytes(N), suite_floats(N), 2, 300);
}

/* Each allocation, stream, event, graph and copy fails in turn. */
static void failures(void)
{
    suite_check_failures(two_small_batches);
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

/* Small batches: the host loads one in a fraction of the time that its kernels
 * need, so copies and kernels of several batches must overlap. */
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
