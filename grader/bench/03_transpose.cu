/* SPDX-License-Identifier: MIT */
/* Lab 03 on a card, compared with cublasSgeam and a copy of the matrix. */
#include <cublas_v2.h>

#include "bench.h"
#include "transpose.h"

static const struct bench_case cases[] = {
    {"16384 x 16384", 16384, 16384}, {"8191 x 8193", 8191, 8193}, {}};

static void size(const struct bench_case *c, struct bench_size *s)
{
    s->in[0] = s->out = c->m * c->n * sizeof(float);
    s->units = s->peer[0] = s->peer[1] = 2.0 * (double)s->out;
}

static void fill(const struct bench_case *, void *d_in, size_t bytes,
                 uint32_t seed)
{
    bench_floats(d_in, bytes, seed, -1, 1);
}

static int step(const struct bench_case *c, const struct bench_arrays *a)
{
    return transpose((const float *)a->in[0], (float *)a->out, (int)c->m,
                     (int)c->n);
}

/* A row-major m x n matrix is a column-major n x m matrix. */
static int geam(const struct bench_case *c, const struct bench_arrays *a)
{
    static cublasHandle_t handle;
    const float one = 1, zero = 0;
    const int m = (int)c->m, n = (int)c->n;

    if (!handle && cublasCreate(&handle)) return 1;
    return cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &one,
                       (const float *)a->in[0], n, &zero,
                       (const float *)a->out, m, (float *)a->out, m);
}

static double difference(const struct bench_case *c,
                         const struct bench_arrays *got,
                         const struct bench_arrays *answer)
{
    return bench_max_error(got->out, answer->out, c->m * c->n);
}

const struct bench_lab bench_lab = {
    cases, "GB/s", 0, size, fill, step,
    {{"cublasSgeam", geam}, {"cudaMemcpy", bench_copy}}, difference};
