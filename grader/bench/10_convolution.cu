/* SPDX-License-Identifier: MIT */
/* Lab 10 on a card, compared with its first step and a copy of the image:
 * each pixel is read and written at least once. */
#include "bench.h"
#include "check.h"
#include "convolution.h"
#include "grid.h"

namespace first { /* all operands from global memory */
#include "solutions/10_convolution/1_global.cu"
}

enum { PLAIN, FACTORS };
/* m x n pixels; k: side of the filter. */
static const struct bench_case cases[] = {
    {"8192^2, 5x5", 8192, 8192, 5, PLAIN},
    {"8192^2, 5x5 of factors", 8192, 8192, 5, FACTORS},
    {"8192^2, 15x15", 8192, 8192, 15, PLAIN},
    {"8192^2, 15x15 of factors", 8192, 8192, 15, FACTORS},
    {"4095 x 4097, 31x31 of factors", 4095, 4097, 31, FACTORS}, {}};

static void size(const struct bench_case *c, struct bench_size *s)
{
    s->in[0] = s->out = s->workspace = c->m * c->n * sizeof(float);
    s->units = s->peer[0] = s->peer[1] = (double)c->m * (double)c->n;
}

static void fill(const struct bench_case *, void *d_in, size_t bytes,
                 uint32_t seed)
{
    bench_floats(d_in, bytes, seed, -1, 1);
}

/* A filter, its factors, and the arguments of the call. */
static struct filter {
    float all[CONVOLUTION_MAX_FILTER_SIDE * CONVOLUTION_MAX_FILTER_SIDE];
    float factors[2 * CONVOLUTION_MAX_FILTER_SIDE];
    struct convolution_shape shape;
} filter;

static const float *filter_of(const struct bench_case *c)
{
    const int k = (int)c->k;

    filter.shape = {(int)c->n, (int)c->m, k, k};
    for (int i = 0; i < 2 * k; i++)
        filter.factors[i] = 0.05f * (float)(1 + (i * 7) % 5);
    for (int v = 0; v < k; v++)
        for (int u = 0; u < k; u++)
            filter.all[v * k + u] = filter.factors[v] * filter.factors[k + u];
    return c->kind == FACTORS ? filter.factors : NULL;
}

static int step(const struct bench_case *c, const struct bench_arrays *a)
{
    const float *factors = filter_of(c);

    return convolution(&filter.shape, (const float *)a->in[0], filter.all,
                       factors, (float *)a->workspace, (float *)a->out);
}

static int plain(const struct bench_case *c, const struct bench_arrays *a)
{
    const float *factors = filter_of(c);

    return first::convolution(&filter.shape, (const float *)a->in[0],
                              filter.all, factors, (float *)a->workspace,
                              (float *)a->out);
}

static double difference(const struct bench_case *c,
                         const struct bench_arrays *got,
                         const struct bench_arrays *answer)
{
    return bench_max_error(got->out, answer->out, c->m * c->n);
}

const struct bench_lab bench_lab = {
    cases, "G pixels/s", 1e-4, size, fill, step,
    {{"1_global.cu", plain}, {"cudaMemcpy", bench_copy}}, difference};
