/* SPDX-License-Identifier: MIT */
/* Lab 05 on a card, compared with CUB. */
#include <cub/device/device_scan.cuh>

#include "bench.h"
#include "scan.h"

static const struct bench_case cases[] = {{"2^28 floats", 0, 1u << 28}, {}};
enum { TEMPORARY = 1 << 26 /* bytes, more than CUB needs */ };

static void size(const struct bench_case *c, struct bench_size *s)
{
    s->in[0] = s->out = c->n * sizeof(float);
    s->workspace = SCAN_WORKSPACE(c->n) + TEMPORARY;
    s->units = s->peer[0] = 2.0 * (double)s->in[0];
}

static void fill(const struct bench_case *, void *d_in, size_t bytes,
                 uint32_t seed)
{
    bench_floats(d_in, bytes, seed, 0, 1);
}

static int step(const struct bench_case *c, const struct bench_arrays *a)
{
    return scan((const float *)a->in[0], (float *)a->out, a->workspace, c->n,
                SCAN_INCLUSIVE);
}

static int peer(const struct bench_case *c, const struct bench_arrays *a)
{
    size_t bytes = TEMPORARY;

    return cub::DeviceScan::InclusiveSum(a->workspace, bytes,
                                         (const float *)a->in[0],
                                         (float *)a->out, (int64_t)c->n);
}

static double difference(const struct bench_case *c,
                         const struct bench_arrays *got,
                         const struct bench_arrays *answer)
{
    return bench_max_error(got->out, answer->out, c->n);
}

const struct bench_lab bench_lab = {
    cases, "GB/s", 1e-4, size, fill, step,
    {{"cub::DeviceScan", peer}}, difference};
