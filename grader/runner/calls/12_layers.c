/* SPDX-License-Identifier: MIT */
/* Runner's side of lab 12: unpack the calls. */
#include "12_layers.h"

#include "labs/12_layers/layers.h"
#include "runner/thunk.h"

/* An output; when in place, the first array. */
static void *output(const struct frame *f, unsigned index)
{
    return frame_array(f, f->arg[index].kind == ARG_INTEGER ? 0 : index);
}

static int whole(const struct frame *f, unsigned index)
{
    return (int)frame_integer(f, index);
}

static struct layer_shape shape_at(const struct frame *f, unsigned index)
{
    return (struct layer_shape){whole(f, index), whole(f, index + 1),
                                whole(f, index + 2), whole(f, index + 3)};
}

/* bias, ReLU, and both. */
static int64_t call_elements(const struct frame *f)
{
    struct layer_shape shape;

    switch (f->function) {
    case RELU_FORWARD:
        return relu_forward(frame_array(f, 0), output(f, 1), whole(f, 2));
    case RELU_BACKWARD: /* the gradient first: it may be overwritten */
        return relu_backward(frame_array(f, 1), frame_array(f, 0),
                             output(f, 2), whole(f, 3));
    case BIAS_FORWARD:
        shape = shape_at(f, 3);
        return bias_forward(&shape, frame_array(f, 0), frame_array(f, 1),
                            output(f, 2));
    case BIAS_RELU_FORWARD:
        shape = shape_at(f, 3);
        return bias_relu_forward(&shape, frame_array(f, 0), frame_array(f, 1),
                                 output(f, 2));
    case BIAS_BACKWARD:
        shape = shape_at(f, 2);
        return bias_backward(&shape, frame_array(f, 0), frame_array(f, 1));
    default:
        shape = shape_at(f, 4);
        return bias_relu_backward(&shape, frame_array(f, 1), frame_array(f, 0),
                                  output(f, 2), frame_array(f, 3));
    }
}

static int64_t call_pool(const struct frame *f)
{
    struct pool_shape shape = {whole(f, 3), whole(f, 4), whole(f, 5),
                               whole(f, 6), whole(f, 7), whole(f, 8),
                               whole(f, 9)};

    return f->function == MAXPOOL_FORWARD
               ? maxpool_forward(&shape, frame_array(f, 0), frame_array(f, 1),
                                 frame_array(f, 2))
               : maxpool_backward(&shape, frame_array(f, 0),
                                  frame_array(f, 1), frame_array(f, 2));
}

static int64_t call_softmax(const struct frame *f)
{
    bool loss = f->function == SOFTMAX_LOSS;
    struct layer_shape shape = shape_at(f, loss ? 4 : 2);

    return loss ? softmax_loss(&shape, frame_array(f, 0), frame_array(f, 1),
                               frame_array(f, 2), output(f, 3))
                : softmax_forward(&shape, frame_array(f, 0), output(f, 1));
}

static int64_t call_dropout(const struct frame *f)
{
    struct dropout how = {
        .p = (float)frame_real(f, 6),
        .seed = (unsigned long long)frame_integer(f, 4),
        .d_step = whole(f, 5) ? frame_array(f, 2) : NULL};

    return f->function == DROPOUT_FORWARD
               ? dropout_forward(&how, frame_array(f, 0), output(f, 1),
                                 whole(f, 3))
               : dropout_backward(&how, frame_array(f, 0), output(f, 1),
                                  whole(f, 3));
}

static int64_t call_norm(const struct frame *f)
{
    struct layer_shape shape = shape_at(f, 11);
    struct batchnorm norm = {
        .epsilon = (float)frame_real(f, 16),
        .momentum = (float)frame_real(f, 17),
        .relu = whole(f, 15),
        .d_gamma = frame_array(f, 3),
        .d_beta = frame_array(f, 4),
        .d_running_mean = frame_array(f, 5),
        .d_running_var = frame_array(f, 6),
        .d_mean = frame_array(f, 7),
        .d_inv_std = frame_array(f, 8),
        .d_gamma_grad = frame_array(f, 9),
        .d_beta_grad = frame_array(f, 10)};

    switch (f->function) {
    case BATCHNORM_FORWARD:
        return batchnorm_forward(&shape, &norm, frame_array(f, 0),
                                 output(f, 2));
    case BATCHNORM_INFERENCE:
        return batchnorm_inference(&shape, &norm, frame_array(f, 0),
                                   output(f, 2));
    default:
        return batchnorm_backward(&shape, &norm, frame_array(f, 1),
                                  frame_array(f, 0), output(f, 2));
    }
}

int64_t runner_call(const struct frame *f)
{
    switch (f->function) {
    case MAXPOOL_FORWARD:
    case MAXPOOL_BACKWARD:
        return call_pool(f);
    case SOFTMAX_FORWARD:
    case SOFTMAX_LOSS:
        return call_softmax(f);
    case DROPOUT_FORWARD:
    case DROPOUT_BACKWARD:
        return call_dropout(f);
    case BATCHNORM_FORWARD:
    case BATCHNORM_INFERENCE:
    case BATCHNORM_BACKWARD:
        return call_norm(f);
    default:
        return call_elements(f);
    }
}
