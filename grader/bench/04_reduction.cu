/* SPDX-License-Identifier: MIT */
/* Lab 04 on a card, compared with CUB. */
#include <cub/device/device_reduce.cuh>

#include "bench.h"
#include "reduction.h"

static const struct bench_case cases[] = {{"2^28 floats", 0, 1u << 28},
                                          {"2^20 floats", 0, 1u << 20}, {}};
enum { TEMPORARY = 1 << 24 /* bytes, more than CUB needs */ };

static void size(const struct bench_case *c, struct bench_size *s)
{
    s->in[0] = c->n * sizeof(float);
    s->out = sizeof(float);
    s->workspace = REDUCTION_WORKSPACE(c->n) * sizeof(float) + TEMPORARY;
    s->units = s->peer[0] = (double)s->in[0];
}

static void fill(const struct bench_case *, void *d_in, size_t bytes,
                 uint32_t seed)
{
    bench_floats(d_in, bytes, seed, 0, 1);
}

static int step(const struct bench_case *c, const struct bench_arrays *a)
{
    return reduction((const float *)a->in[0], (float *)a->out,
                     (float *)a->workspace, c->n, REDUCTION_SUM);
}

static int peer(const struct bench_case *c, const struct bench_arrays *a)
{
    size_t bytes = TEMPORARY;

    return cub::DeviceReduce::Sum(a->workspace, bytes, (const float *)a->in[0],
                                  (float *)a->out, (int64_t)c->n);
}

static double difference(const struct bench_case *,
                         const struct bench_arrays *got,
                         const struct bench_arrays *answer)
{
    return bench_max_error(got->out, answer->out, 1);
}

const struct bench_lab bench_lab = {
    cases, "GB/s", 1e-5, size, fill, step,
    {{"cub::DeviceReduce", peer}}, difference};
