/* SPDX-License-Identifier: MIT */
/* Lab 10 on a card, beside its own first step and a copy of the image: a pixel
 * is read and written once at least. */
#include "bench.h"
#include "check.h"
#include "convolution.h"
#include "grid.h"

namespace first { /* every product from global memory */
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
    s->in[0] = s->out = s->work = c->m * c->n * sizeof(float);
    s->units = s->peer[0] = s->peer[1] = (double)c->m * (double)c->n;
}

static void fill(const struct bench_case *, void *d_in, size_t bytes,
                 uint32_t seed)
{
    bench_floats(d_in, bytes, seed, -1, 1);
}

/* A filter and what it is made of, and the call's arguments. */
static struct filter {
    float all[CONVOLUTION_SIDE_MAX * CONVOLUTION_SIDE_MAX];
    float factors[2 * CONVOLUTION_SIDE_MAX];
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
                       factors, (float *)a->work, (float *)a->out);
}

static int plain(const struct bench_case *c, const struct bench_arrays *a)
{
    const float *factors = filter_of(c);

    return first::convolution(&filter.shape, (const float *)a->in[0],
                              filter.all, factors, (float *)a->work,
                              (float *)a->out);
}

static double difference(const struct bench_case *c,
                         const struct bench_arrays *got,
                         const struct bench_arrays *answer)
{
    return bench_distance(got->out, answer->out, c->m * c->n);
}

const struct bench_lab bench_lab = {
    cases, "G pixels/s", 1e-4, size, fill, step,
    {{"1_global.cu", plain}, {"cudaMemcpy", bench_copy}}, difference};
