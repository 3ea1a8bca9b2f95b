/* SPDX-License-Identifier: MIT */
/* The thunk of lab 13: each call creates a layer or two, uses and destroys
 * them, each on a stream that does not synchronize with the default stream. */
#include "grader/channel/cudnn_layer_call.h"

#include <string.h>

#include "grader/runner/stream_output.h"
#include "grader/runner/thunk.h"
#include "labs/13_cudnn_layer/cudnn_layer.h"

/** A layer with its stream and its arguments. */
struct instance {
    const struct frame *frame;
    unsigned first; /* index of its first argument */
    struct cudnn_layer *layer;
    cudaStream_t stream;
};

static void *array(const struct instance *i, enum cudnn_layer_argument which)
{
    return frame_array(i->frame, i->first + which);
}

/* The layer may read the shape during the call only: afterwards it is gone. */
static int64_t create_layer(struct instance *i, size_t limit)
{
    static struct cudnn_layer_shape shape;
    int64_t err;

    memcpy(&shape, array(i, LAYER_SHAPE), sizeof shape);
    err = cudnn_layer_create(&i->layer, &shape, limit, i->stream);
    memset(&shape, 0x2a, sizeof shape);
    return err;
}

static int64_t create(struct instance *i)
{
    const int64_t limit = frame_integer(i->frame, i->first + LAYER_LIMIT);
    const int64_t err =
        cudaStreamCreateWithFlags(&i->stream, cudaStreamNonBlocking);

    return err ? err : create_layer(i, (size_t)limit);
}

static int64_t forward(const struct instance *i)
{
    return cudnn_layer_forward(i->layer, array(i, LAYER_X),
                               array(i, LAYER_TARGET),
                               array(i, LAYER_PARAMETERS),
                               array(i, LAYER_SCORES), array(i, LAYER_LOSS));
}

static int64_t backward(const struct instance *i)
{
    return cudnn_layer_backward(
        i->layer, array(i, LAYER_X), array(i, LAYER_TARGET),
        array(i, LAYER_PARAMETERS), array(i, LAYER_SCORES),
        array(i, LAYER_GRADIENTS), array(i, LAYER_X_GRAD));
}

static int64_t run_steps(const struct instance *i, int64_t rounds)
{
    const size_t allocated = device_allocated_bytes();
    int64_t err = 0;

    for (; rounds > 0 && !err; rounds--) {
        err = forward(i);
        if (!err && i->frame->function != CUDNN_LAYER_FORWARD)
            err = backward(i);
    }
    return !err && device_allocated_bytes() > allocated ? LAYER_ALLOCATES : err;
}

/* One round captured into a graph, which is launched once: a round may only
 * enqueue work. */
static int64_t run_captured(const struct instance *i)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t graph_exec = NULL;
    int64_t err, end;

    err = cudaStreamBeginCapture(i->stream, cudaStreamCaptureModeThreadLocal);
    if (err)
        return err;
    err = run_steps(i, 1);
    end = cudaStreamEndCapture(i->stream, &graph);
    err = end ? end : err;
    if (!err)
        err = cudaGraphInstantiate(&graph_exec, graph, 0);
    if (!err)
        err = cudaGraphLaunch(graph_exec, i->stream);
    if (!err)
        err = cudaStreamSynchronize(i->stream);
    if (graph_exec)
        cudaGraphExecDestroy(graph_exec);
    if (graph)
        cudaGraphDestroy(graph);
    return err;
}

/* Wait for the stream, then for everything: work that the layer enqueued
 * elsewhere is late. */
static int64_t wait(const struct instance *i)
{
    struct stream_output outputs[FRAME_MAX_ARGS];
    const unsigned end = i->first + LAYER_ARGUMENTS < i->frame->count
                             ? i->first + LAYER_ARGUMENTS : i->frame->count;
    size_t count = 0;
    int64_t err;

    for (unsigned a = i->first + LAYER_SCORES; a < end; a++)
        outputs[count++] = (struct stream_output){i->frame->arg[a].data,
                                                  i->frame->arg[a].bytes};
    err = runner_wait_stream(i->stream, outputs, count);
    return err == STREAM_IS_LATE ? LAYER_IS_LATE : err;
}

static void destroy(const struct instance *i, int64_t err)
{
    if (!err || !i->layer) /* destroying NULL is allowed */
        cudnn_layer_destroy(i->layer);
    if (i->stream)
        cudaStreamDestroy(i->stream);
}

/* One layer: create, run, wait, destroy. */
static int64_t use_one(struct instance *i)
{
    const int64_t rounds = frame_integer(i->frame, LAYER_ROUNDS);
    const int64_t created = create(i);
    int64_t err = created, late;

    if (!err)
        err = rounds ? run_steps(i, rounds) : run_captured(i);
    if (!created) {
        late = wait(i);
        err = err ? err : late;
    }
    destroy(i, created);
    return err;
}

/* The forward pass, complete: a stream is else run as a whole when something
 * waits for it. */
static int64_t complete_forward(struct instance *i)
{
    const int64_t err = forward(i);

    return err ? err : cudaStreamSynchronize(i->stream);
}

/* Two layers: the work of each must not touch the other.  What one keeps for
 * its backward pass lies there while the other one computes. */
static int64_t use_pair(struct instance *a, struct instance *b)
{
    const int64_t created[] = {create(a), create(b)};
    int64_t err = created[0] ? created[0] : created[1];

    if (!err)
        err = complete_forward(a);
    if (!err)
        err = complete_forward(b);
    if (!err)
        err = backward(a);
    if (!created[0] && !err)
        err = wait(a);
    destroy(a, created[0]);
    if (!err)
        err = backward(b);
    if (!created[1] && !err)
        err = wait(b);
    destroy(b, created[1]);
    return err;
}

/* The workspace's bytes; -1 when create() failed, -2 when it then left a
 * layer, or did not set *layer at all. */
static int64_t query_workspace(struct instance *i)
{
    static char unset;
    int64_t err;

    i->layer = (struct cudnn_layer *)&unset;
    err = create(i);
    *(int64_t *)array(i, LAYER_BYTES) =
        !err ? (int64_t)cudnn_layer_workspace(i->layer) : i->layer ? -2 : -1;
    destroy(i, err);
    return err;
}

int64_t runner_call(const struct frame *f)
{
    struct instance a = {.frame = f};
    struct instance b = {.frame = f, .first = LAYER_ARGUMENTS};

    if (f->function == CUDNN_LAYER_WORKSPACE)
        return query_workspace(&a);
    return f->function == CUDNN_LAYER_PAIR ? use_pair(&a, &b) : use_one(&a);
}
