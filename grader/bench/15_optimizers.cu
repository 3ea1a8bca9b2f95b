/* SPDX-License-Identifier: MIT */
/* Lab 15 on a card, compared with its first step and a copy of as many bytes.
 * train-torch compares with PyTorch's fused and foreach optimizers. */
#include <math.h>
#include <stdint.h>

#include "bench.h"
#include "check.h"
#include "grid.h"
#include "optimizers.h"

namespace first { /* a kernel for each line of the formula */
#include "solutions/15_optimizers/1_unfused.cu"
}

enum { ADAMW, CLIP };
static const struct bench_case cases[] = {
    {"AdamW, 2^26", 0, 1u << 26, 0, ADAMW},
    {"AdamW, 2^22", 0, 1u << 22, 0, ADAMW},
    {"norm, 2^28", 0, 1u << 28, 0, CLIP}, {}};
enum { BUFFERS = 7 /* that AdamW reads or writes */, HEAD = 64 /* floats */ };

static void size(const struct bench_case *c, struct bench_size *s)
{
    const double bytes = (double)c->n * sizeof(float);

    s->in[0] = s->in[1] = c->n * sizeof(float);
    if (c->kind == CLIP) s->in[1] = 0;
    s->out = c->n * sizeof(float); /* the norm's: two, and what copy() needs */
    s->workspace = (HEAD + (c->kind == CLIP ? CLIP_WORKSPACE(c->n) : 2 * c->n))
              * sizeof(float);
    s->units = s->peer[0] = c->kind == CLIP ? bytes : BUFFERS * bytes;
    s->peer[1] = 2 * bytes; /* see copy() */
}

static void fill(const struct bench_case *, void *d_in, size_t bytes,
                 uint32_t seed)
{
    bench_floats(d_in, bytes, seed, -1, 1);
}

/* The learning rate and the step number, before the moments. */
static struct update update_of(const struct bench_case *c,
                               const struct bench_arrays *a)
{
    float *d_head = (float *)a->workspace, *d_moments = d_head + HEAD;

    return {(float *)a->out, (const float *)a->in[0], d_moments,
            d_moments + c->n, c->n, c->n, d_head, NULL,
            (const int *)(d_head + 1)};
}

static const struct adam how = {0.9f, 0.999f, 1e-8f, 0.01f, 1};

static int step(const struct bench_case *c, const struct bench_arrays *a)
{
    const struct update u = update_of(c, a);

    return c->kind == ADAMW
               ? adam_step(&u, &how)
               : clip_grad_norm(u.d_grads, c->n, 1, (float *)a->out,
                                (float *)a->workspace);
}

static int plain(const struct bench_case *c, const struct bench_arrays *a)
{
    const struct update u = update_of(c, a);

    return c->kind == ADAMW
               ? first::adam_step(&u, &how)
               : first::clip_grad_norm(u.d_grads, c->n, 1, (float *)a->out,
                                       (float *)a->workspace);
}

/* As many bytes as one buffer has. */
static int copy(const struct bench_case *c, const struct bench_arrays *a)
{
    return cudaMemcpyAsync(a->out, a->in[0], c->n * sizeof(float),
                           cudaMemcpyDeviceToDevice, 0);
}

/* The same initial state for both: the arrays are not initialized. */
static bool begin(const struct bench_case *c, const struct bench_arrays *a)
{
    const float rate = 1e-3f;
    const int number = 1;
    struct bench_size s = {};

    size(c, &s);
    return !cudaMemset(a->workspace, 0, s.workspace)
           && !cudaMemcpy(a->workspace, &rate, sizeof rate,
                          cudaMemcpyHostToDevice)
           && !cudaMemcpy((float *)a->workspace + 1, &number, sizeof number,
                          cudaMemcpyHostToDevice)
           && !cudaMemcpy(a->out, a->in[1], s.out, cudaMemcpyDeviceToDevice);
}

static double difference(const struct bench_case *c,
                         const struct bench_arrays *got,
                         const struct bench_arrays *answer)
{
    if (c->kind == CLIP)
        return bench_max_error(got->out, answer->out, 2);
    if (!begin(c, got) || !begin(c, answer) || step(c, got)
        || plain(c, answer))
        return 1;
    return bench_max_error(got->out, answer->out, c->n);
}

const struct bench_lab bench_lab = {
    cases, "GB/s", 1e-4, size, fill, step,
    {{"1_unfused.cu", plain}, {"cudaMemcpy", copy}}, difference};
