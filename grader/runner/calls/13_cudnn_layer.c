/* SPDX-License-Identifier: MIT */
/* The thunk of lab 13: each call creates a layer, uses and destroys it, on a
 * stream that does not synchronize with the default stream. */
#include "grader/channel/cudnn_layer_call.h"

#include "grader/runner/thunk.h"
#include "labs/13_cudnn_layer/cudnn_layer.h"

/* Forward and backward, `rounds` times. */
static int64_t run_steps(struct cudnn_layer *layer, const struct frame *f,
                         int64_t rounds)
{
    const float *d_x = frame_array(f, LAYER_X);
    const float *d_target = frame_array(f, LAYER_TARGET);
    const float *d_parameters = frame_array(f, LAYER_PARAMETERS);
    float *d_scores = frame_array(f, LAYER_SCORES);
    int64_t err = 0;

    for (int64_t i = rounds; i > 0 && !err; i--) {
        err = cudnn_layer_forward(layer, d_x, d_target, d_parameters, d_scores,
                                  frame_array(f, LAYER_LOSS));
        if (!err)
            err = cudnn_layer_backward(layer, d_x, d_target, d_parameters,
                                       d_scores,
                                       frame_array(f, LAYER_GRADIENTS),
                                       frame_array(f, LAYER_X_GRAD));
    }
    return err;
}

/* One round captured into a graph, which is launched once: a round may only
 * enqueue work. */
static int64_t run_captured(struct cudnn_layer *layer, const struct frame *f,
                            cudaStream_t stream)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t graph_exec = NULL;
    int64_t err, end;

    err = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    if (err)
        return err;
    err = run_steps(layer, f, 1);
    end = cudaStreamEndCapture(stream, &graph);
    err = end ? end : err;
    if (!err)
        err = cudaGraphInstantiate(&graph_exec, graph, 0);
    if (!err)
        err = cudaGraphLaunch(graph_exec, stream);
    if (!err)
        err = cudaStreamSynchronize(stream);
    if (graph_exec)
        cudaGraphExecDestroy(graph_exec);
    if (graph)
        cudaGraphDestroy(graph);
    return err;
}

/* The workspace's bytes; -1 when create() failed, -2 when it then left a
 * layer. */
static int64_t workspace_bytes(const struct cudnn_layer *layer, int64_t err)
{
    if (err)
        return layer ? -2 : -1;
    return (int64_t)cudnn_layer_workspace(layer);
}

static int64_t run_rounds(struct cudnn_layer *layer, const struct frame *f,
                          cudaStream_t stream)
{
    const int64_t rounds = frame_integer(f, LAYER_ROUNDS);

    return rounds ? run_steps(layer, f, rounds)
                  : run_captured(layer, f, stream);
}

int64_t runner_call(const struct frame *f)
{
    const bool steps = f->function == CUDNN_LAYER_STEPS;
    const struct cudnn_layer_shape *shape = frame_array(f, LAYER_SHAPE);
    struct cudnn_layer *layer = NULL;
    cudaStream_t stream;
    int64_t err;

    err = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    if (err)
        return err;
    err = cudnn_layer_create(&layer, shape,
                             (size_t)frame_integer(f, LAYER_LIMIT), stream);
    if (!steps)
        *(int64_t *)frame_array(f, LAYER_BYTES) = workspace_bytes(layer, err);
    else if (!err)
        err = run_rounds(layer, f, stream);
    if (cudaStreamSynchronize(stream) != cudaSuccess && !err)
        err = cudaErrorUnknown;
    if (!err || steps || !layer) /* destroying NULL is allowed */
        cudnn_layer_destroy(layer);
    cudaStreamDestroy(stream);
    return err;
}
