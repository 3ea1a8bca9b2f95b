/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 16, step 2: own kernels that do several layers' work at once.  Bias and
 *  ReLU happen where an output is stored, ReLU's way back where a gradient is,
 *  softmax with loss and gradient in one launch, and the optimiser takes all
 *  parameters as one array.  The contract is in cnn_trainer.h. */
#include "cnn_trainer.h"
#include "finish.h"

/** The parts of d_work: those of one layer at a time, after a part of each
 *  layer's own. */
struct work {
    float *packed, *back;  /**< weights, see pack() */
    float *spread;         /**< gradients by outputs with zeros between */
    float *turned, *part;  /**< see struct gather */
    float *factor;         /**< see shorten() */
    float *image[NETWORK_LAYERS]; /**< padded inputs, or NULL */
};

static bool weighted(const struct layer *layer)
{
    return layer->kind == LAYER_CONV || layer->kind == LAYER_DENSE;
}

/** The way forward of a layer with weights; pointers still to be set. */
static struct sweep way_of(const struct layer *layer, int n)
{
    struct sweep x = {};
    x.n = n;
    x.k = layer->out.channels;
    x.c = (int)layer_elements(&layer->in);
    x.h = x.w = x.r = x.s = x.p = x.q = x.stride = 1;
    if (layer->kind == LAYER_DENSE) return x;
    x.c = layer->in.channels;
    x.h = layer->in.height + 2 * layer->pad;
    x.w = layer->in.width + 2 * layer->pad;
    x.r = layer->rows;
    x.s = layer->columns;
    x.p = layer->out.height;
    x.q = layer->out.width;
    x.stride = layer->stride;
    return x;
}

static void raise_to(size_t *most, size_t now)
{
    if (now > *most) *most = now;
}

/** Floats that each part needs, in the order of struct work. */
static void measure(const struct network *net, int batch, size_t most[6])
{
    for (int i = 0; i < net->count; i++) {
        if (!weighted(&net->layers[i])) continue;
        const struct sweep x = way_of(&net->layers[i], batch);
        const struct image_shape *in = &net->layers[i].in;
        const size_t plane = (size_t)x.r * x.s, wide = whole(x.k);
        const size_t rows = in->height + x.r - 1, cols = in->width + x.s - 1;
        raise_to(&most[0], x.c * plane * wide);
        raise_to(&most[1], x.k * plane * whole(x.c));
        raise_to(&most[2], (size_t)batch * x.k * rows * cols);
        raise_to(&most[3], (size_t)batch * x.p * x.q * wide);
        raise_to(&most[4], slices_for(&x) * (x.c * plane + 1) * wide);
        most[5] = 1;
    }
}

/** Lay the workspace out; @return its bytes. */
static size_t lay_out(const struct network *net, int batch, void *memory,
                      struct work *work)
{
    size_t most[6] = {}, used = 0;
    float *const first = (float *)memory;
    float **const parts[] = {&work->packed, &work->back, &work->spread,
                             &work->turned, &work->part, &work->factor};
    measure(net, batch, most);
    for (int i = 0; i < 6; i++) {
        *parts[i] = first + used;
        used += (most[i] + 63) / 64 * 64;
    }
    for (int i = 0; i < net->count; i++) {
        const struct layer *layer = &net->layers[i];
        work->image[i] = NULL;
        if (layer->kind != LAYER_CONV || layer->pad == 0) continue;
        const struct sweep x = way_of(layer, batch);
        work->image[i] = first + used;
        used += ((size_t)batch * x.c * x.h * x.w + 63) / 64 * 64;
    }
    return used * sizeof(float);
}

size_t train_workspace(const struct network *net, int batch)
{
    struct work work;
    return lay_out(net, batch, NULL, &work);
}

/** One step on its way through the layers. */
struct pass {
    const struct step *step; /**< its arrays */
    const struct network *net; /**< the step's */
    struct work work;        /**< laid out */
    bool training;           /**< or evaluation */
    bool counted;            /**< the step's number has grown */
};

static struct weights weights_of(const struct pass *pass, int i)
{
    const struct layer *layer = &pass->net->layers[i];
    const struct sweep x = way_of(layer, 1);
    return {pass->step->d_parameters + layer->weight_at, x.k, x.c, x.r, x.s,
            layer->kind == LAYER_DENSE};
}

static const float *input_of(const struct pass *pass, int i)
{
    return i ? pass->step->d_out[i - 1] : pass->step->d_images;
}

/** A layer with weights, and the ReLU behind it if there is one.
 *  @return layers done */
static int forward_weighted(struct pass *pass, int i)
{
    const struct layer *layer = &pass->net->layers[i];
    const struct weights w = weights_of(pass, i);
    struct sweep x = way_of(layer, pass->step->count);
    int *count = pass->training && !pass->counted ? pass->step->d_step : NULL;

    pass->counted = true;
    pack<<<blocks_for((size_t)x.c * x.r * x.s * whole(x.k)), THREADS>>>(
        w, pass->work.packed, NULL, count);
    x.from = input_of(pass, i);
    if (pass->work.image[i]) {
        const struct spread all = {x.from, pass->work.image[i], x.n * x.c,
                                   layer->in.height, layer->in.width, x.h,
                                   x.w, layer->pad, layer->pad, 1};
        spread_out<<<blocks_for((size_t)x.n * x.c * x.h * x.w), THREADS>>>(
            all);
        x.from = all.to;
    }
    x.packed = pass->work.packed;
    x.bias = pass->step->d_parameters + layer->bias_at;
    x.relu = i + 1 < pass->net->count
             && pass->net->layers[i + 1].kind == LAYER_RELU;
    x.to = pass->step->d_out[i + x.relu];
    sweep(&x);
    return 1 + x.relu;
}

static struct pool pool_of(const struct layer *layer, int n)
{
    return {n * layer->in.channels, layer->in.height, layer->in.width,
            layer->out.height, layer->out.width, layer->rows, layer->stride};
}

static struct scale scale_of(const struct pass *pass, int i)
{
    const struct layer *layer = &pass->net->layers[i];
    const float *parameters = pass->step->d_parameters;
    return {pass->step->count, layer->in.channels,
            layer->in.height * layer->in.width, input_of(pass, i),
            parameters + layer->weight_at, parameters + layer->bias_at, NULL,
            pass->step->d_running + step_running_at(pass->net, i),
            pass->step->d_saved[i]};
}

/** A seed for dropout in each layer. */
static uint64_t seed_of(const struct pass *pass, int i)
{
    return pass->step->seed ^ (uint64_t)(i + 1) * 0x632be59bd9b4e019u;
}

/** The layer's way forward.  @return layers done */
static int forward(struct pass *pass, int i)
{
    const struct layer *layer = &pass->net->layers[i];
    const struct step *step = pass->step;
    const float *from = input_of(pass, i);
    float *to = step->d_out[i];
    const size_t n = step->count * layer_elements(&layer->out);

    if (weighted(layer)) return forward_weighted(pass, i);
    if (layer->kind == LAYER_MAXPOOL) {
        pool_forward<<<blocks_for(n), THREADS>>>(pool_of(layer, step->count),
                                                 from, to, step->d_which[i]);
    } else if (layer->kind == LAYER_BATCHNORM) {
        struct scale x = scale_of(pass, i);
        x.to = to;
        scale_forward<<<x.c, THREADS>>>(x, pass->training);
    } else if (layer->kind == LAYER_RELU) {
        relu_forward<<<blocks_for(n), THREADS>>>(from, to, n);
    } else {
        dropout<<<blocks_for(n), THREADS>>>(
            from, to, n, pass->training ? layer->drop : 0, seed_of(pass, i),
            step->d_step);
    }
    return 1;
}

/** The gradient by the weights of a layer, from the turned one by outputs. */
static void back_weights(const struct pass *pass, int i)
{
    const struct layer *layer = &pass->net->layers[i];
    const struct step *step = pass->step;
    struct gather g = {way_of(layer, step->count), pass->work.turned,
                       pass->work.part, 1};
    const struct sweep &x = g.way;
    const size_t taps = (size_t)x.c * x.r * x.s, wide = whole(x.k);

    g.way.from = pass->work.image[i] ? pass->work.image[i]
                                     : input_of(pass, i);
    g.slices = slices_for(&x);
    turn<<<blocks_for((size_t)x.n * x.p * x.q * wide), THREADS>>>(
        step->d_back[i], pass->work.turned, x.n, x.k, x.p * x.q);
    const dim3 grid(tiles_for(taps, TALL * LANES), wide / WIDE, g.slices);
    gather_over<<<grid, LANES>>>(g);
    add_slices<<<blocks_for((taps + 1) * wide), THREADS>>>(
        g, step->d_gradients + layer->weight_at,
        step->d_gradients + layer->bias_at, layer->kind == LAYER_DENSE);
}

/** The gradient by a layer's input, cut off where ReLU did. */
static void back_input(const struct pass *pass, int i, const float *mask,
                       float *to)
{
    const struct layer *layer = &pass->net->layers[i];
    const struct sweep way = way_of(layer, pass->step->count);
    const struct weights w = weights_of(pass, i);
    struct sweep x = way;

    pack<<<blocks_for((size_t)w.k * w.r * w.s * whole(w.c)
                      + (size_t)w.c * w.r * w.s * whole(w.k)), THREADS>>>(
        w, pass->work.packed, pass->work.back, NULL);
    x.from = pass->step->d_back[i];
    x.packed = pass->work.back;
    x.c = way.k;
    x.k = way.c;
    x.stride = 1;
    x.mask = mask;
    x.to = to;
    if (layer->kind == LAYER_CONV) {
        x.p = layer->in.height;
        x.q = layer->in.width;
        x.h = x.p + x.r - 1;
        x.w = x.q + x.s - 1;
        const struct spread all = {x.from, pass->work.spread, x.n * x.c,
                                   way.p, way.q, x.h, x.w,
                                   x.r - 1 - layer->pad, x.s - 1 - layer->pad,
                                   way.stride};
        spread_out<<<blocks_for((size_t)x.n * x.c * x.h * x.w), THREADS>>>(
            all);
        x.from = all.to;
    }
    sweep(&x);
}

/** The layer's way back, and that of a ReLU before it.
 *  @return layers done */
static int back(const struct pass *pass, int i)
{
    const struct layer *layer = &pass->net->layers[i];
    const struct step *step = pass->step;
    const float *grad = step->d_back[i];
    const bool fused = i > 1 && pass->net->layers[i - 1].kind == LAYER_RELU
                       && (weighted(layer) || layer->kind == LAYER_MAXPOOL);
    const float *mask = fused ? step->d_out[i - 1] : NULL;
    float *to = i ? step->d_back[i - 1 - fused] : NULL;
    const size_t n = step->count * layer_elements(&layer->in);

    if (weighted(layer)) {
        back_weights(pass, i);
        if (to) back_input(pass, i, mask, to);
    } else if (layer->kind == LAYER_BATCHNORM) {
        struct scale x = scale_of(pass, i);
        x.to = to;
        scale_back<<<x.c, THREADS>>>(x, grad,
                                     step->d_gradients + layer->weight_at,
                                     step->d_gradients + layer->bias_at);
    } else if (to && layer->kind == LAYER_MAXPOOL) {
        const struct pool x = pool_of(layer, step->count);
        const size_t windows = (size_t)x.planes * x.p * x.q;
        if (x.stride >= x.size)
            pool_back_apart<<<blocks_for(windows), THREADS>>>(
                x, grad, step->d_which[i], mask, to);
        else
            pool_back<<<blocks_for(n), THREADS>>>(
                x, grad, step->d_which[i], mask, to);
    } else if (to && layer->kind == LAYER_RELU) {
        relu_back<<<blocks_for(n), THREADS>>>(grad, step->d_out[i], to, n);
    } else if (to) {
        dropout<<<blocks_for(n), THREADS>>>(grad, to, n, layer->drop,
                                            seed_of(pass, i), step->d_step);
    }
    return 1 + fused;
}

static int run(const struct step *step, bool training)
{
    struct pass pass = {step, step->net, {}, training, false};
    const int last = step->net->count - 1;

    lay_out(step->net, step->count, step->d_work, &pass.work);
    for (int i = 0; i <= last;) i += forward(&pass, i);
    loss<<<1, THREADS>>>(step->d_out[last], step->d_labels,
                         training ? step->d_back[last] : NULL, step->count,
                         step->net->classes, step->d_totals, step->d_chosen);
    for (int i = last; training && i >= 0;) i -= back(&pass, i);
    if (training) update_step(step, pass.work.factor);
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
