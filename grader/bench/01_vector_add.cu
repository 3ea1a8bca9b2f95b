/* SPDX-License-Identifier: MIT */
/* Lab 01 on a card: the kernel without the copies of the host, compared with a
 * device-to-device copy; rates count the bytes that each moves. */
#include BENCH_STEP
#include "bench.h"

static const struct bench_case cases[] = {{"2^28 floats", 0, 1u << 28}, {}};

static void size(const struct bench_case *c, struct bench_size *s)
{
    s->in[0] = s->in[1] = s->out = c->n * sizeof(float);
    s->units = 3.0 * (double)s->out;
    s->peer[0] = 2.0 * (double)s->out;
}

static void fill(const struct bench_case *, void *d_in, size_t bytes,
                 uint32_t seed)
{
    bench_floats(d_in, bytes, seed, -1, 1);
}

static int step(const struct bench_case *c, const struct bench_arrays *a)
{
    return launch((const float *)a->in[0], (const float *)a->in[1],
                  (float *)a->out, c->n);
}

/** Reference: one thread for each element; overwrites the peer's output. */
__global__ static void plain_sum(const float *a, const float *b, float *c,
                                 size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) c[i] = a[i] + b[i];
}

static double difference(const struct bench_case *c,
                         const struct bench_arrays *got,
                         const struct bench_arrays *answer)
{
    plain_sum<<<(unsigned)(c->n / 256 + 1), 256>>>(
        (const float *)answer->in[0], (const float *)answer->in[1],
        (float *)answer->out, c->n);
    return bench_max_error(got->out, answer->out, c->n);
}

const struct bench_lab bench_lab = {
    cases, "GB/s", 0, size, fill, step,
    {{"cudaMemcpy", bench_copy}}, difference};
