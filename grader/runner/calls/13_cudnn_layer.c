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
static int64_t steps(struct cudnn_layer *layer, const struct frame *f)
{
    const float *d_x = frame_array(f, 0), *d_target = frame_array(f, 1);
    const float *d_parameters = frame_array(f, 2);
    float *d_scores = frame_array(f, 3), *d_loss = frame_array(f, 4);
    int64_t err = 0;

    for (int64_t i = frame_integer(f, 17); i > 0 && !err; i--) {
        err = cudnn_layer_forward(layer, d_x, d_target, d_parameters, d_scores,
                                  d_loss);
        if (!err)
            err = cudnn_layer_backward(layer, d_x, d_target, d_parameters,
                                       d_scores, frame_array(f, 5),
                                       frame_array(f, 6));
    }
    return err;
}

/* Its workspace; of a create() that failed -1, or -2 when it left a layer. */
static int64_t planned(const struct cudnn_layer *layer, int64_t err)
{
    if (err)
        return layer ? -2 : -1;
    return (int64_t)cudnn_layer_workspace(layer);
}

/* Function 0: steps; 1: only the workspace's size. */
int64_t runner_call(const struct frame *f)
{
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
        err = steps(layer, f);
    if (cudaStreamSynchronize(stream) != cudaSuccess && !err)
        err = cudaErrorUnknown;
    if (!err || !f->function || !layer) /* NULL is well */
        cudnn_layer_destroy(layer);
    cudaStreamDestroy(stream);
    return err;
}
