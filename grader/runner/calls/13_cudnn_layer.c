/* SPDX-License-Identifier: MIT */
/* Runner's side of lab 13: a whole life of a layer in each call, on a stream
 * that waits for no other. */
#include "labs/13_cudnn_layer/cudnn_layer.h"
#include "runner/thunk.h"

#include <stdlib.h>

/* The integers of a call, behind its arrays. */
static int number(const struct frame *f, uint32_t arrays, uint32_t i)
{
    return (int)frame_integer(f, arrays + i);
}

static struct cudnn_layer_shape shape_of(const struct frame *f, uint32_t arrays)
{
    return (struct cudnn_layer_shape){
        number(f, arrays, 0), number(f, arrays, 1), number(f, arrays, 2),
        number(f, arrays, 3), number(f, arrays, 4), number(f, arrays, 5),
        number(f, arrays, 6), number(f, arrays, 7), number(f, arrays, 8)};
}

/* Forward and backward, some rounds of it. */
static int64_t steps(struct cudnn_layer *layer, const struct frame *f,
                     int64_t rounds)
{
    const float *d_x = frame_array(f, 0), *d_target = frame_array(f, 1);
    const float *d_parameters = frame_array(f, 2);
    float *d_scores = frame_array(f, 3), *d_loss = frame_array(f, 4);
    int64_t err = 0;

    for (int64_t i = rounds; i > 0 && !err; i--) {
        err = cudnn_layer_forward(layer, d_x, d_target, d_parameters, d_scores,
                                  d_loss);
        if (!err)
            err = cudnn_layer_backward(layer, d_x, d_target, d_parameters,
                                       d_scores, frame_array(f, 5),
                                       frame_array(f, 6));
    }
    return err;
}

/* A round that only queues work can be captured into a graph; which is run. */
static int64_t captured(struct cudnn_layer *layer, const struct frame *f,
                        cudaStream_t stream)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t made = NULL;
    int64_t err, end;

    err = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    if (err)
        return err;
    err = steps(layer, f, 1);
    end = cudaStreamEndCapture(stream, &graph);
    err = end ? end : err;
    if (!err)
        err = cudaGraphInstantiate(&made, graph, 0);
    if (!err)
        err = cudaGraphLaunch(made, stream);
    if (!err)
        err = cudaStreamSynchronize(stream);
    if (made)
        cudaGraphExecDestroy(made);
    if (graph)
        cudaGraphDestroy(graph);
    return err;
}

/* Its workspace; of a create() that failed -1, or -2 when it left a layer. */
static int64_t planned(const struct cudnn_layer *layer, int64_t err)
{
    if (err)
        return layer ? -2 : -1;
    return (int64_t)cudnn_layer_workspace(layer);
}

/* Function 0: rounds of steps, none for a captured one; 1: only the workspace's
 * size. */
int64_t runner_call(const struct frame *f)
{
    const int64_t rounds = f->function ? 0 : frame_integer(f, 17);
    const uint32_t arrays = f->function ? 1 : 7;
    const struct cudnn_layer_shape shape = shape_of(f, arrays);
    const size_t limit = (size_t)frame_integer(f, arrays + 9);
    struct cudnn_layer *layer = NULL;
    cudaStream_t stream;
    int64_t err;

    err = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (err)
        return err;
    err = cudnn_layer_create(&layer, &shape, limit, stream);
    if (f->function)
        *(int64_t *)frame_array(f, 0) = planned(layer, err);
    else if (!err)
        err = rounds ? steps(layer, f, rounds) : captured(layer, f, stream);
    if (cudaStreamSynchronize(stream) != cudaSuccess && !err)
        err = cudaErrorUnknown;
    if (!err || !f->function || !layer) /* NULL is well */
        cudnn_layer_destroy(layer);
    cudaStreamDestroy(stream);
    return err;
}
