/* SPDX-License-Identifier: MIT */
/* Lab 14 on a card: a whole call compared with step 1, which does not overlap;
 * and a graph of 20 kernels compared with 20 launches.  The arrays are in host
 * memory, allocated once; a call returns when it is complete. */
#include <cuda_runtime.h>
#include <stdlib.h>

#include "bench.h"
#include BENCH_STEP

namespace serial {
#include "solutions/14_streams/1_serial.cu"
}

enum { WHOLE, REPLAY, KERNELS = 20 };
/* m: batches; n: elements of one. */
static const struct bench_case cases[] = {
    {"64 batches of 2^20", 64, 1u << 20, 0, WHOLE},
    {"64 batches of 2^16", 64, 1u << 16, 0, WHOLE},
    {"20 kernels of 2^14, replayed", 1, 1u << 14, 0, REPLAY}, {}};

/* Host arrays of a case. */
static struct host {
    const char *name; /* of the case */
    unsigned char *in;
    float *out[2]; /* the step's, the peer's */
    cudaGraphExec_t graph;
    cudaStream_t stream;
} host;

static void size(const struct bench_case *c, struct bench_size *s)
{
    s->in[0] = s->out = s->workspace = c->n * sizeof(float);
    s->units = s->peer[0] =
        (double)c->n * (c->kind == WHOLE ? (double)c->m : 1);
}

static void fill(const struct bench_case *, void *d_in, size_t bytes,
                 uint32_t seed)
{
    bench_floats(d_in, bytes, seed, -1, 1);
}

static bool make(const struct bench_case *c)
{
    const size_t n = c->m * c->n;

    if (host.name == c->name) return true;
    free(host.in);
    free(host.out[0]);
    free(host.out[1]);
    if (host.graph) cudaGraphExecDestroy(host.graph);
    host.graph = NULL;
    host.in = (unsigned char *)malloc(n);
    for (int i = 0; i < 2; i++)
        host.out[i] = (float *)calloc(n, sizeof(float));
    for (size_t i = 0; host.in && i < n; i++)
        host.in[i] = (unsigned char)((i * 2654435761u) >> 13);
    host.name = c->name;
    return host.in && host.out[0] && host.out[1]
           && (host.stream || !cudaStreamCreate(&host.stream));
}

/* 20 stages, from d_x and back to it. */
static int launch(const struct bench_case *c, const struct bench_arrays *a,
                  cudaStream_t stream)
{
    const unsigned threads = 256;
    const unsigned blocks = ((unsigned)c->n + threads - 1) / threads;
    float *d_x = (float *)a->out, *d_y = (float *)a->workspace;

    for (int i = 0; i < KERNELS; i += 2) {
        stage<<<blocks, threads, 0, stream>>>(d_x, d_y, (int)c->n, i % 8);
        stage<<<blocks, threads, 0, stream>>>(d_y, d_x, (int)c->n, i % 8 + 1);
    }
    return cudaGetLastError();
}

static int replay(const struct bench_case *c, const struct bench_arrays *a)
{
    cudaGraph_t graph = NULL;

    if (!host.graph) {
        if (cudaStreamBeginCapture(host.stream,
                                   cudaStreamCaptureModeThreadLocal)
            || launch(c, a, host.stream)
            || cudaStreamEndCapture(host.stream, &graph)
            || cudaGraphInstantiate(&host.graph, graph, 0))
            return 1;
        cudaGraphDestroy(graph);
    }
    return cudaGraphLaunch(host.graph, host.stream);
}

static int step(const struct bench_case *c, const struct bench_arrays *a)
{
    if (!make(c)) return 1;
    return c->kind == WHOLE
               ? streams(host.in, host.out[0], (int)c->m, (int)c->n)
               : replay(c, a);
}

static int peer(const struct bench_case *c, const struct bench_arrays *a)
{
    if (!make(c)) return 1;
    return c->kind == WHOLE
               ? serial::streams(host.in, host.out[1], (int)c->m, (int)c->n)
               : launch(c, a, host.stream);
}

/* Outputs of streams(); outputs of the kernels from the same inputs. */
static double difference(const struct bench_case *c,
                         const struct bench_arrays *got,
                         const struct bench_arrays *answer)
{
    const size_t bytes = c->n * sizeof(float);
    size_t wrong = 0;

    for (size_t i = 0; c->kind == WHOLE && i < c->m * c->n; i++)
        wrong += host.out[0][i] != host.out[1][i];
    if (c->kind == WHOLE) return (double)wrong;
    cudaMemcpy(got->out, got->in[0], bytes, cudaMemcpyDeviceToDevice);
    cudaMemcpy(answer->out, got->in[0], bytes, cudaMemcpyDeviceToDevice);
    if (step(c, got) || peer(c, answer) || cudaDeviceSynchronize()) return 1;
    return bench_max_error(got->out, answer->out, c->n);
}

const struct bench_lab bench_lab = {
    cases, "G elements/s", 0, size, fill, step,
    {{"serial, or launched one by one", peer}}, difference};
