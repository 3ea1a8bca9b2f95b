/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 16, step 2: kernels that fuse several layers.  Bias, ReLU and pooling
 *  are part of the epilogue that stores an output, and their backward pass is
 *  part of the epilogue that stores a gradient.  The last layer also computes
 *  the loss.  One launch computes both gradients of a layer, and one updates
 *  all parameters.  A step of LeNet is 12 launches.  The contract is in
 *  cnn_trainer.h. */
#include "fused_pass.h"
#include "residual_kernels.h"

size_t train_workspace(const struct network *net, int batch)
{
    struct work work;
    return workspace_layout(net, batch, NULL, &work);
}

/** Launches at the start of a step: pack all weights, a warp for each tap, and
 *  pad the images. */
static void begin(const struct pass *pass)
{
    struct prepare_args all = {};
    int warps = 1 << 7; /* for few taps: of the images */
    bool first = true;
    for (int i = 0; i < pass->net->count; i++) {
        const struct layer *layer = &pass->net->layers[i];
        if (has_weights(layer)) {
            const struct layer_buffers *layer_buffers =
                &pass->work.layer_buffers[i];
            const struct shape &x = layer_buffers->shape;
            struct layer_weights *own = &all.layer[all.layers++];
            own->w = {weights_of(pass, i), x.k, x.c, x.r, x.s,
                      layer->kind == LAYER_DENSE};
            own->forward = layer_buffers->forward;
            own->back = layer_buffers->back;
            if (has_packed_rows(pass, i)) own->forward.packed = NULL;
            if (!pass->training || i == 0) own->back = {};
            warps = max(warps, max(x.c, round_up(x.k)) * x.r * x.s);
        }
        if (all.layers < LAYERS_PER_LAUNCH && i + 1 < pass->net->count)
            continue;
        all.count = first && pass->training ? pass->step->d_step : NULL;
        if (first) all.images = relayout_input(pass, 0);
        const dim3 grid(blocks_for((size_t)warps * WARP),
                        max(all.layers + (all.images.from != NULL), 1));
        prepare_step<<<grid, THREADS>>>(all);
        first = false;
        all.layers = 0;
        all.images = {};
    }
}

/** Forward pass of a layer with weights, and of the ReLU and pooling that it
 *  fuses.
 *  @return  number of layers done */
static int forward_with_weights(struct pass *pass, int i)
{
    const struct network *net = pass->net;
    const struct layer_buffers *layer_buffers = &pass->work.layer_buffers[i];
    const struct shape &shape = layer_buffers->shape;
    const bool relu = is_chained(net, i, LAYER_RELU),
               pool = fuses_pooling(net, i);
    const int done = 1 + relu + pool;
    const struct relayout border = relayout_input(pass, i);
    struct implicit_gemm x = {};

    if (border.from && pass->ready != i)
        relayout_kernel<<<blocks_for((size_t)border.n * shape.c * shape.h
                                     * shape.w),
                          THREADS>>>(border);
    x.from = inputs_of(pass, i);
    x.taps = layer_buffers->forward.taps;
    x.packed = forward_weights(pass, i);
    x.count = shape.c * shape.r * shape.s;
    x.outputs.n = pass->step->count;
    x.outputs.p = pool ? shape.p / 2 : shape.p;
    x.outputs.q = pool ? shape.q / 2 : shape.q;
    x.outputs.k = shape.k;
    x.splits = pass->work.splits;
    struct epilogue &epilogue = x.outputs.epilogue;
    epilogue.inner = 1;
    epilogue.bias = pass->step->d_parameters + net->layers[i].bias_offset;
    epilogue.relu = relu;
    epilogue.unpooled_columns = shape.q;
    epilogue.argmax_out = pool ? pass->step->d_argmax[i + 2] : NULL;
    epilogue.planes = pass->step->d_out[i + done - 1];
    if (has_weights_at(net, i + done)) {
        epilogue.to = pass->work.layer_buffers[i + done].image;
        pass->ready = i + done;
    }
    const struct loss_args v = loss_args_of(pass, i);
    launch_forward(&x, net->layers[i].kind == LAYER_DENSE, &v);
    return done;
}

/** Forward pass of layer i and the layers fused with it.
 *  @return  number of layers done */
static int forward(struct pass *pass, int i)
{
    const struct layer *layer = &pass->net->layers[i];
    const struct step *step = pass->step;
    const float *from = input_of(pass, i);
    float *to = step->d_out[i];
    const size_t n = step->count * shape_elements(&layer->out);

    switch (layer->kind) {
    case LAYER_CONV:
    case LAYER_DENSE:
        return forward_with_weights(pass, i);
    case LAYER_MAXPOOL:
        maxpool_forward<<<blocks_for(n), THREADS>>>(
            pool_of(layer, step->count), from, to, step->d_argmax[i]);
        break;
    case LAYER_BATCHNORM: {
        struct scale x = scale_of(pass, i);
        x.to = to;
        launch_batchnorm_forward(&x, pass->training);
        break;
    }
    case LAYER_AVGPOOL:
    case LAYER_ADD:
        residual_forward(step, i);
        break;
    case LAYER_RELU:
        relu_forward<<<blocks_for(n), THREADS>>>(from, to, n);
        break;
    case LAYER_DROPOUT:
        dropout<<<blocks_for(n), THREADS>>>(
            from, to, n, pass->training ? layer->drop : 0, seed_of(pass, i),
            step->d_step);
        break;
    }
    return 1;
}

/** The epilogue for the gradient with respect to a layer's input: to the
 *  weights before it, through ReLU and pooling, or unchanged.
 *  @return  number of layers done */
static int backward_epilogue(struct pass *pass, int i,
                             struct epilogue *epilogue)
{
    const struct network *net = pass->net;
    const struct step *step = pass->step;
    const bool pool = fuses_pooling(net, i - 3);
    const bool relu = !pool && has_weights_at(net, i - 2)
                      && is_chained(net, i - 2, LAYER_RELU);
    const int to = i - 1 - (pool ? 2 : relu);

    epilogue->inner = 1;
    if (!has_weights_at(net, to) || net->layers[i - 1].is_source) {
        epilogue->planes = step->d_out_grad[i - 1];
        return 1;
    }
    epilogue->to = pass->work.layer_buffers[to].grad;
    if (pool || relu) epilogue->mask = step->d_out[i - 1];
    if (pool) epilogue->argmax = step->d_argmax[i - 1];
    epilogue->unpooled_columns = net->layers[to].out.width;
    if (net->layers[i].kind == LAYER_DENSE) {
        epilogue->columns = net->layers[i].in.width;
        epilogue->inner = net->layers[i].in.height * epilogue->columns;
    }
    pass->ready = to;
    return i - to;
}

/** Both gradients of a layer with weights.
 *  @return  number of layers done */
static int backward_with_weights(struct pass *pass, int i)
{
    const struct layer_buffers *layer_buffers = &pass->work.layer_buffers[i];
    const struct shape &shape = layer_buffers->shape;
    struct wgrad g = wgrad_of(pass, i);
    struct implicit_gemm x = {};

    if (i == 0) {
        launch_backward(NULL, &g);
        return 1;
    }
    x.from = layer_buffers->padded_grad;
    x.taps = layer_buffers->back.taps;
    x.packed = layer_buffers->back.packed;
    x.count = round_up(shape.k) * shape.r * shape.s;
    x.outputs = {pass->step->count, shape.h, shape.w, shape.c, {}};
    const int done = backward_epilogue(pass, i, &x.outputs.epilogue);
    launch_backward(&x, &g);
    return done;
}

/** Copy the gradient of layer i's output to the layout of the layer with
 *  weights before it, through dropout and ReLU.
 *  @return  number of layers done; 0 if this is not possible */
static int relayout_gradient(struct pass *pass, int i)
{
    const struct network *net = pass->net;
    const struct step *step = pass->step;
    const bool drop = is_kind(net, i, LAYER_DROPOUT);
    const bool relu = is_kind(net, i - drop, LAYER_RELU);
    const int to = i - drop - relu;
    if (!has_weights_at(net, to) || pass->ready == to) return 0;
    for (int j = to; j < i; j++)
        if (net->layers[j].is_source) return 0;
    const struct image_shape *out = &net->layers[to].out;
    struct relayout all = {
        step->d_out_grad[i], pass->work.layer_buffers[to].grad,
        relu ? step->d_out[to + 1] : NULL, step->count, out->channels,
        out->height, out->width, drop ? net->layers[i].drop : 0,
        seed_of(pass, i), step->d_step};
    relayout_kernel<<<blocks_for(step->count * shape_elements(out)), THREADS>>>(
        all);
    pass->ready = to;
    return drop + relu;
}

/** Backward pass of a layer without weights.
 *  @return  number of layers done */
static int backward_without_weights(const struct pass *pass, int i)
{
    const struct layer *layer = &pass->net->layers[i];
    const struct step *step = pass->step;
    const float *grad = step->d_out_grad[i];
    const bool fused = i > 1 && layer->kind == LAYER_MAXPOOL
                       && is_kind(pass->net, i - 1, LAYER_RELU)
                       && !pass->net->layers[i - 1].is_source;
    const float *mask = fused ? step->d_out[i - 1] : NULL;
    float *to = i ? step->d_out_grad[i - 1 - fused] : NULL;
    const size_t n = step->count * shape_elements(&layer->in);

    if (layer->kind == LAYER_BATCHNORM) {
        struct scale x = scale_of(pass, i);
        x.to = to;
        launch_batchnorm_backward(&x, grad,
                                  step->d_gradients + layer->weight_offset,
                                  step->d_gradients + layer->bias_offset);
    }
    if (!to) return 1 + fused;
    switch (layer->kind) {
    case LAYER_MAXPOOL: {
        const struct pool x = pool_of(layer, step->count);
        const size_t windows = (size_t)x.planes * x.p * x.q;
        if (x.stride >= x.size)
            maxpool_backward_disjoint<<<blocks_for(windows), THREADS>>>(
                x, grad, step->d_argmax[i], mask, to);
        else
            maxpool_backward<<<blocks_for(n), THREADS>>>(
                x, grad, step->d_argmax[i], mask, to);
        break;
    }
    case LAYER_RELU:
        relu_backward<<<blocks_for(n), THREADS>>>(grad, step->d_out[i], to, n);
        break;
    case LAYER_DROPOUT:
        dropout<<<blocks_for(n), THREADS>>>(grad, to, n, layer->drop,
                                            seed_of(pass, i), step->d_step);
        break;
    case LAYER_AVGPOOL:
    case LAYER_ADD:
        residual_backward(step, i);
        break;
    case LAYER_BATCHNORM: /* above, for its parameters' gradients alone, too */
    case LAYER_CONV:      /* backward_with_weights() */
    case LAYER_DENSE:
        break;
    }
    return 1 + fused;
}

/** Backward pass of one or more layers.
 *  @return  number of layers done */
static int back(struct pass *pass, int i)
{
    const int moved = relayout_gradient(pass, i);
    if (moved) return moved;
    return has_weights_at(pass->net, i) ? backward_with_weights(pass, i)
                                     : backward_without_weights(pass, i);
}

static int run(const struct step *step, bool training)
{
    struct pass pass = {step, step->net, {}, training, 0};
    const int last = step->net->count - 1;
    const bool has_fused_loss = fuses_loss(step->net, last);

    workspace_layout(step->net, step->count, step->d_workspace, &pass.work);
    begin(&pass);
    for (int i = 0; i <= last;) i += forward(&pass, i);
    if (!has_fused_loss)
        launch_loss(step, step->net->classes, step->d_out[last],
                    training ? step->d_out_grad[last] : NULL,
                    pass.work.scores);
    pass.ready = has_fused_loss ? last : -1;
    for (int i = last; training && i >= 0;) {
        i -= back(&pass, i);
        add_shortcuts(step, i);
    }
    if (training) optimizer_step(step, pass.work.scratch);
    return CUDA_CHECK(cudaGetLastError());
}

int train_step(const struct step *step)
{
    return run(step, true);
}

int train_evaluate(const struct step *step)
{
    return run(step, false);
}
