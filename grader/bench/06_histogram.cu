/* SPDX-License-Identifier: MIT */
/* Lab 06 on a card, compared with CUB: uniform bytes, and one value. */
#include <cub/device/device_histogram.cuh>

#include "bench.h"
#include "histogram.h"

enum { UNIFORM, ONE_VALUE };
static const struct bench_case cases[] = {
    {"2^30 bytes, uniform", 0, 1u << 30, 0, UNIFORM},
    {"2^30 bytes, one value", 0, 1u << 30, 0, ONE_VALUE}, {}};
enum { TEMPORARY = 1 << 24 /* bytes, more than CUB needs */ };

static void size(const struct bench_case *c, struct bench_size *s)
{
    s->in[0] = c->n;
    s->out = HISTOGRAM_BINS * sizeof(unsigned);
    s->workspace = TEMPORARY;
    s->units = s->peer[0] = (double)s->in[0];
}

static void fill(const struct bench_case *c, void *d_in, size_t bytes,
                 uint32_t seed)
{
    if (c->kind == UNIFORM)
        bench_bytes(d_in, bytes, seed);
    else
        cudaMemset(d_in, (int)(seed * 37 % 256), bytes);
}

static int step(const struct bench_case *c, const struct bench_arrays *a)
{
    return histogram((const unsigned char *)a->in[0], (unsigned *)a->out,
                     c->n);
}

static int peer(const struct bench_case *c, const struct bench_arrays *a)
{
    size_t bytes = TEMPORARY;

    return cub::DeviceHistogram::HistogramEven(
        a->workspace, bytes, (const unsigned char *)a->in[0],
        (unsigned *)a->out, HISTOGRAM_BINS + 1, 0, (int)HISTOGRAM_BINS,
        (int64_t)c->n);
}

/* Number of bins that differ. */
static double difference(const struct bench_case *,
                         const struct bench_arrays *got,
                         const struct bench_arrays *answer)
{
    unsigned bins[2][HISTOGRAM_BINS];
    int wrong = 0;

    cudaMemcpy(bins[0], got->out, sizeof bins[0], cudaMemcpyDeviceToHost);
    cudaMemcpy(bins[1], answer->out, sizeof bins[1], cudaMemcpyDeviceToHost);
    for (int i = 0; i < HISTOGRAM_BINS; i++)
        wrong += bins[0][i] != bins[1][i];
    return wrong;
}

const struct bench_lab bench_lab = {
    cases, "GB/s", 0, size, fill, step,
    {{"cub::DeviceHistogram", peer}}, difference};
