/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 16, step 2: own kernels that do several layers' work at once.  Bias,
 *  ReLU and pooling happen where an output is stored, and their way back where
 *  a gradient is; the last layer ends with the loss; a layer's two gradients
 *  come from one launch; the optimiser takes all parameters as one array.
 *  LeNet's step is 12 launches.  The contract is in cnn_trainer.h. */
#include "layout.h"

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
    int ready;               /**< the layer whose gradient by outputs, or
                                  before whose input, is where it wants it */
};

static bool is_kind(const struct network *net, int i, enum layer_kind kind)
{
    return i >= 0 && i < net->count && net->layers[i].kind == kind;
}

static bool weighted_at(const struct network *net, int i)
{
    return i >= 0 && i < net->count && weighted(&net->layers[i]);
}

/** A convolution whose ReLU and pooling happen where it stores: windows of
 *  2 x 2 side by side, and a layer with weights behind. */
static bool pools(const struct network *net, int i)
{
    return is_kind(net, i, LAYER_CONV) && is_kind(net, i + 1, LAYER_RELU)
           && is_kind(net, i + 2, LAYER_MAXPOOL)
           && net->layers[i + 2].rows == 2 && net->layers[i + 2].stride == 2
           && weighted_at(net, i + 3);
}

/** The last dense layer ends with the loss. */
static bool judges(const struct network *net, int i)
{
    return i == net->count - 1 && is_kind(net, i, LAYER_DENSE);
}

static const float *input_of(const struct pass *pass, int i)
{
    return i ? pass->step->d_out[i - 1] : pass->step->d_images;
}

/** A layer's inputs by position; only read. */
static struct view inputs_of(const struct pass *pass, int i)
{
    const struct slot *slot = &pass->work.slot[i];
    const struct shape &x = slot->shape;
    if (slot->edge.first) return slot->edge;
    return {(float *)input_of(pass, i), (size_t)x.c * x.h * x.w,
            x.stride * x.w, x.stride, x.h * x.w};
}

/** Move a layer's input to where it has a border. */
static struct moving moving_in(const struct pass *pass, int i)
{
    const struct slot *slot = &pass->work.slot[i];
    const struct shape &x = slot->shape;
    struct moving all = {};
    if (!weighted_at(pass->net, i) || !slot->image.first) return all;
    all.from = input_of(pass, i);
    all.to = slot->image;
    all.n = pass->step->count;
    all.c = x.c;
    all.h = x.h;
    all.w = x.w;
    return all;
}

/** Launches that begin the step: all weights, and the images' border. */
static void begin(const struct pass *pass)
{
    struct preparation all = {};
    size_t most = 0;
    bool first = true;
    for (int i = 0; i < pass->net->count; i++) {
        const struct layer *layer = &pass->net->layers[i];
        if (weighted(layer)) {
            const struct slot *slot = &pass->work.slot[i];
            const struct shape &x = slot->shape;
            struct prepared *own = &all.layer[all.layers++];
            own->w = {pass->step->d_parameters + layer->weight_at, x.k, x.c,
                      x.r, x.s, layer->kind == LAYER_DENSE};
            own->forward = slot->forward;
            own->back = slot->back;
            if (!pass->training || i == 0) own->back.packed = NULL;
            if (layer->weights > most) most = layer->weights;
        }
        if (all.layers < AT_ONCE && i + 1 < pass->net->count) continue;
        all.count = first && pass->training ? pass->step->d_step : NULL;
        if (first) all.images = moving_in(pass, 0);
        const dim3 grid(blocks_for(most < 1 << 14 ? 1 << 14 : most) / 4,
                        all.layers + 1);
        prepare<<<grid, THREADS>>>(all);
        first = false;
        all.layers = 0;
        all.images = {};
    }
}

/** The last dense layer's end. */
static struct verdict verdict_of(const struct pass *pass, int i)
{
    const struct step *step = pass->step;
    struct verdict v = {};
    if (!judges(pass->net, i)) return v;
    v.labels = step->d_labels;
    v.chosen = step->d_chosen;
    v.totals = step->d_totals;
    if (pass->training) v.grad = pass->work.slot[i].grad;
    v.scores = pass->work.scores;
    v.tickets = pass->work.tickets;
    v.last = pass->work.last;
    return v;
}

/** A layer with weights, and the ReLU and pooling behind it if it takes them
 *  along.  @return layers done */
static int forward_weighted(struct pass *pass, int i)
{
    const struct network *net = pass->net;
    const struct slot *slot = &pass->work.slot[i];
    const struct shape &shape = slot->shape;
    const bool relu = is_kind(net, i + 1, LAYER_RELU), pool = pools(net, i);
    const int done = 1 + relu + pool;
    const struct moving border = moving_in(pass, i);
    struct sweep x = {};

    if (border.from && pass->ready != i)
        move<<<blocks_for((size_t)border.n * shape.c * shape.h * shape.w),
               THREADS>>>(border);
    x.from = inputs_of(pass, i);
    x.taps = slot->forward.taps;
    x.packed = slot->forward.packed;
    x.count = shape.c * shape.r * shape.s;
    x.n = pass->step->count;
    x.p = pool ? shape.p / 2 : shape.p;
    x.q = pool ? shape.q / 2 : shape.q;
    x.k = shape.k;
    x.store.bias = pass->step->d_parameters + net->layers[i].bias_at;
    x.store.relu = relu;
    x.store.before = shape.q;
    x.store.which = pool ? pass->step->d_which[i + 2] : NULL;
    x.store.planes = pass->step->d_out[i + done - 1];
    if (weighted_at(net, i + done)) {
        x.store.to = pass->work.slot[i + done].image;
        pass->ready = i + done;
    }
    const struct verdict v = verdict_of(pass, i);
    sweep_forward(&x, &v);
    return done;
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

/** The gradient by a layer's weights. */
static struct gather gather_of(const struct pass *pass, int i)
{
    const struct layer *layer = &pass->net->layers[i];
    const struct slot *slot = &pass->work.slot[i];
    const struct shape &x = slot->shape;
    return {inputs_of(pass, i), slot->grad, slot->forward.taps,
            x.c * x.r * x.s, pass->step->count, x.p, x.q, x.k, slices_of(&x),
            pass->work.part, slot->tickets,
            pass->step->d_gradients + layer->weight_at,
            pass->step->d_gradients + layer->bias_at,
            layer->kind == LAYER_DENSE};
}

/** Where the gradient by a layer's input goes: to the weights before it,
 *  through ReLU and pooling, or as it is.  @return layers done */
static int store_back(struct pass *pass, int i, struct store *store)
{
    const struct network *net = pass->net;
    const struct step *step = pass->step;
    const bool pool = pools(net, i - 3);
    const bool relu = !pool && is_kind(net, i - 1, LAYER_RELU)
                      && weighted_at(net, i - 2);
    const int to = i - 1 - (pool ? 2 : relu);

    store->inner = 1;
    if (!weighted_at(net, to)) {
        store->planes = step->d_back[i - 1];
        return 1;
    }
    store->to = pass->work.slot[to].grad;
    if (pool || relu) store->mask = step->d_out[i - 1];
    if (pool) store->won = step->d_which[i - 1];
    store->before = net->layers[to].out.width;
    if (net->layers[i].kind == LAYER_DENSE) {
        store->columns = net->layers[i].in.width;
        store->inner = net->layers[i].in.height * store->columns;
    }
    pass->ready = to;
    return i - to;
}

/** Both gradients of a layer with weights.  @return layers done */
static int back_weighted(struct pass *pass, int i)
{
    const struct slot *slot = &pass->work.slot[i];
    const struct shape &shape = slot->shape;
    const struct gather g = gather_of(pass, i);
    struct sweep x = {};

    if (i == 0) {
        back_both(NULL, &g);
        return 1;
    }
    x.from = slot->around;
    x.taps = slot->back.taps;
    x.packed = slot->back.packed;
    x.count = shape.k * shape.r * shape.s;
    x.n = pass->step->count;
    x.p = shape.h;
    x.q = shape.w;
    x.k = shape.c;
    const int done = store_back(pass, i, &x.store);
    back_both(&x, &g);
    return done;
}

/** Bring the gradient by the output of layer i to the weights before it, back
 *  through dropout and ReLU.  @return layers done, 0 if they are not so */
static int move_back(struct pass *pass, int i)
{
    const struct network *net = pass->net;
    const struct step *step = pass->step;
    const bool drop = is_kind(net, i, LAYER_DROPOUT);
    const bool relu = is_kind(net, i - drop, LAYER_RELU);
    const int to = i - drop - relu;
    if (!weighted_at(net, to) || pass->ready == to) return 0;
    const struct image_shape *out = &net->layers[to].out;
    struct moving all = {
        step->d_back[i], pass->work.slot[to].grad,
        relu ? step->d_out[to + 1] : NULL, step->count, out->channels,
        out->height, out->width, drop ? net->layers[i].drop : 0,
        seed_of(pass, i), step->d_step};
    move<<<blocks_for(step->count * layer_elements(out)), THREADS>>>(all);
    pass->ready = to;
    return drop + relu;
}

/** The way back of other layers.  @return layers done */
static int back_other(const struct pass *pass, int i)
{
    const struct layer *layer = &pass->net->layers[i];
    const struct step *step = pass->step;
    const float *grad = step->d_back[i];
    const bool fused = i > 1 && layer->kind == LAYER_MAXPOOL
                       && is_kind(pass->net, i - 1, LAYER_RELU);
    const float *mask = fused ? step->d_out[i - 1] : NULL;
    float *to = i ? step->d_back[i - 1 - fused] : NULL;
    const size_t n = step->count * layer_elements(&layer->in);

    if (layer->kind == LAYER_BATCHNORM) {
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

/** One or more layers' way back.  @return layers done */
static int back(struct pass *pass, int i)
{
    const int moved = move_back(pass, i);
    if (moved) return moved;
    return weighted_at(pass->net, i) ? back_weighted(pass, i)
                                     : back_other(pass, i);
}

static int run(const struct step *step, bool training)
{
    struct pass pass = {step, step->net, {}, training, 0};
    const int last = step->net->count - 1;
    const bool judged = judges(step->net, last);

    lay_out(step->net, step->count, step->d_work, &pass.work);
    begin(&pass);
    for (int i = 0; i <= last;) i += forward(&pass, i);
    if (!judged)
        loss<<<1, THREADS>>>(step->d_out[last], step->d_labels,
                             training ? step->d_back[last] : NULL,
                             step->count, step->net->classes, step->d_totals,
                             step->d_chosen);
    pass.ready = judged ? last : -1;
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
