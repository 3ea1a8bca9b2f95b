/* SPDX-License-Identifier: MIT */
/* Lab 16 on a card: a training step as one graph, compared with cuDNN's (step
 * 3) as one graph, and with itself launched kernel by kernel.  train-torch
 * compares with PyTorch. */
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cudnn.h>
#include <stdint.h>
#include <stdio.h>

#include "bench.h"
#include "cnn_trainer.h"
#include "common/net/network.h"
#include "grid.h"

namespace cudnn { /* the peer, whatever the step is */
#define train_workspace own_workspace /* a second definition of the name */
#include "solutions/16_cnn_trainer/3_cudnn.cu"
#undef train_workspace
}

enum { CLASSES = 10, SIDES = 3, NAME = 64 };
#define STREAM cudaStreamPerThread

/* The number of launches is appended after the capture. */
static char names[][NAME] = {"lenet, batch 128", "lenet, batch 1024",
                             "cifar-cnn, batch 128", "cifar-cnn, batch 1024"};
/* m: images; kind: which network. */
static const struct bench_case cases[] = {{names[0], 128, 0, 0, 0},
                                          {names[1], 1024, 0, 0, 0},
                                          {names[2], 128, 0, 0, 1},
                                          {names[3], 1024, 0, 0, 1}, {}};
static const char *const files[] = {"common/net/nets/lenet.net",
                                    "common/net/nets/cifar-cnn.net"};

/* How a step is made. */
typedef int step_call(const struct step *);
static step_call *const how[SIDES] = {train_step, cudnn::train_step,
                                      train_step};
static struct side {
    const char *name;       /* of its case */
    struct step step;
    cudaGraphExec_t graph;
} sides[SIDES];
static struct network net;

/* The case's network, without dropout, so that outputs agree. */
static bool read(const struct bench_case *c)
{
    const struct image_shape in = {1, 28, 28};
    struct failure reason = {};

    if (!network_read(files[c->kind], in, CLASSES, &net, &reason)) {
        fprintf(stderr, "bench: %s\n", reason.text);
        return false;
    }
    for (int i = 0; i < net.count; i++)
        net.layers[i].drop = 0;
    return true;
}

static size_t workspace(int batch)
{
    const size_t own = train_workspace(&net, batch);
    const size_t other = cudnn::own_workspace(&net, batch);

    return own > other ? own : other;
}

static void size(const struct bench_case *c, struct bench_size *s)
{
    const int batch = (int)c->m;
    struct step step;

    if (!read(c)) return;
    s->in[0] = c->m * shape_elements(&net.in) * sizeof(float);
    s->in[1] = c->m;
    s->out = 16;
    s->workspace = step_layout(&net, batch, workspace(batch), NULL, &step);
    s->units = s->peer[0] = s->peer[1] = (double)c->m;
}

static void fill(const struct bench_case *c, void *d_in, size_t bytes,
                 uint32_t seed)
{
    if (bytes > c->m) {
        bench_floats(d_in, bytes, seed, -1, 1);
        return;
    }
    for (size_t i = 0; i < bytes; i++) /* labels */
        cudaMemset((char *)d_in + i, (int)((i * 7 + seed) % CLASSES), 1);
}

/* Capture a step; without a graph it is launched. */
static void capture(struct side *side, int index, char *name)
{
    cudaGraph_t graph = NULL;
    int status = 1;

    if (cudaStreamBeginCapture(STREAM, cudaStreamCaptureModeThreadLocal) == 0) {
        status = how[index](&side->step);
        if (cudaStreamEndCapture(STREAM, &graph) || status || !graph
            || cudaGraphInstantiate(&side->graph, graph, 0))
            side->graph = NULL;
    }
#ifndef __SOFTCC__
    size_t nodes = 0;
    const size_t used = strlen(name);

    if (index == 0 && side->graph && !cudaGraphGetNodes(graph, NULL, &nodes))
        snprintf(name + used, NAME - used, ", %zu launches", nodes);
#endif
    if (graph) cudaGraphDestroy(graph);
    cudaGetLastError();
    (void)name;
}

/* Arrays and parameters of a side, the same for all. */
static int begin(const struct bench_case *c, const struct bench_arrays *a,
                 int index)
{
    struct side *side = &sides[index];
    const float learning_rate = 1e-3f;
    float *first = new float[net.parameters];
    struct bench_size s = {};
    int status;

    size(c, &s);
    if (side->graph) cudaGraphExecDestroy(side->graph);
    *side = {};
    cudaMemset(a->workspace, 0, s.workspace);
    step_layout(&net, (int)c->m, workspace((int)c->m), a->workspace,
                &side->step);
    network_initialize(&net, first, 1);
    status = cudaMemcpy(side->step.d_parameters, first,
                        net.parameters * sizeof *first,
                        cudaMemcpyHostToDevice);
    delete[] first;
    if (!status)
        status = cudaMemcpy(side->step.d_learning_rate, &learning_rate,
                            sizeof learning_rate, cudaMemcpyHostToDevice);
    if (!status) status = cudaDeviceSynchronize();
    side->name = c->name;
    if (!status && index < 2)
        capture(side, index, names[2 * c->kind + (c->m > 512)]);
    return status;
}

static int run(const struct bench_case *c, const struct bench_arrays *a,
               int index)
{
    struct side *side = &sides[index];

    if (side->name != c->name || (index == 2 && side->graph)) {
        int status = begin(c, a, index);

        if (status) return status;
    }
    if (cudaMemcpyAsync(side->step.d_images, a->in[0],
                        c->m * shape_elements(&net.in) * sizeof(float),
                        cudaMemcpyDeviceToDevice, STREAM)
        || cudaMemcpyAsync(side->step.d_labels, a->in[1], c->m,
                           cudaMemcpyDeviceToDevice, STREAM))
        return 1;
    return side->graph ? cudaGraphLaunch(side->graph, STREAM)
                       : how[index](&side->step);
}

static int step(const struct bench_case *c, const struct bench_arrays *a)
{
    return run(c, a, 0);
}

static int library(const struct bench_case *c, const struct bench_arrays *a)
{
    return run(c, a, 1);
}

static int launched(const struct bench_case *c, const struct bench_arrays *a)
{
    return run(c, a, 2);
}

/* Of the gradients of the first step. */
static double difference(const struct bench_case *,
                         const struct bench_arrays *,
                         const struct bench_arrays *)
{
    return bench_max_error(sides[0].step.d_gradients, sides[1].step.d_gradients,
                           net.parameters);
}

const struct bench_lab bench_lab = {
    cases, "k images/s", 1e-3, size, fill, step,
    {{"cuDNN and cuBLAS (step 3), one graph", library},
     {"itself, launched", launched}}, difference};
