/* SPDX-License-Identifier: MIT */
/* Lab 02 on a card: the kernel alone.  No library has this blur: it is compared
 * with a copy of the image. */
#include BENCH_STEP
#include "bench.h"

static const struct bench_case cases[] = {
    {"8192 x 8192 gray, radius 4", 8192, 8192, 4, 1},
    {"8192 x 8192 color, radius 4", 8192, 8192, 4, 3}, {}};

static void size(const struct bench_case *c, struct bench_size *s)
{
    s->in[0] = s->out = c->m * c->n * (size_t)c->kind;
    s->units = s->peer[0] = 2.0 * (double)s->out;
}

static void fill(const struct bench_case *, void *d_in, size_t bytes,
                 uint32_t seed)
{
    bench_bytes(d_in, bytes, seed);
}

static struct shape shape_of(const struct bench_case *c)
{
    const struct shape s = {c->n * (size_t)c->kind, (int)c->n, (int)c->m,
                            c->kind, (int)c->k};

    return s;
}

static int step(const struct bench_case *c, const struct bench_arrays *a)
{
    return launch((const unsigned char *)a->in[0], (unsigned char *)a->out,
                  shape_of(c));
}

/** Counts in `wrong` the bytes that differ from the mean of their window; one
 *  thread for each byte. */
__global__ static void count_wrong(const unsigned char *in,
                                   const unsigned char *out, struct shape s,
                                   unsigned *wrong)
{
    const int x = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = (int)blockIdx.y, pixel = x / s.channels, r = s.radius;
    unsigned sum = 0, count = 0;

    if (x >= (int)s.pitch) return;
    for (int v = y - r; v <= y + r; v++)
        for (int u = pixel - r; u <= pixel + r; u++)
            if (v >= 0 && v < s.height && u >= 0 && u < s.width) {
                sum += in[v * s.pitch + u * s.channels + x % s.channels];
                count++;
            }
    if (out[y * s.pitch + x] != (2 * sum + count) / (2 * count))
        atomicAdd(wrong, 1u);
}

static double difference(const struct bench_case *c,
                         const struct bench_arrays *got,
                         const struct bench_arrays *answer)
{
    const struct shape s = shape_of(c);
    const dim3 grid((unsigned)(s.pitch / 256 + 1), (unsigned)s.height);
    unsigned wrong = 1;

    cudaMemset(answer->out, 0, sizeof wrong);
    count_wrong<<<grid, 256>>>((const unsigned char *)got->in[0],
                               (const unsigned char *)got->out, s,
                               (unsigned *)answer->out);
    cudaMemcpy(&wrong, answer->out, sizeof wrong, cudaMemcpyDeviceToHost);
    return wrong;
}

const struct bench_lab bench_lab = {
    cases, "GB/s", 0, size, fill, step,
    {{"cudaMemcpy", bench_copy}}, difference};
