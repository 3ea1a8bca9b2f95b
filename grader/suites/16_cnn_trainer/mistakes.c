/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 16 in gradients, outputs, totals and statistics. */
#include "mistakes.h"

#include "common/net/reference_layers.h"

/* Mistakes in the backward pass. */
enum backward_mistake {
    NO_RELU_MASK, ONE_IMAGE, LAST_IMAGE, ONE_BLOCK, DENSE_TRANSPOSED,
    NO_BATCHNORM,
    DENSE_INPUT_UNTRANSPOSED, RELU_MASK_OF_GRADIENT, LAST_OF_EQUAL,
    BACKWARD_MISTAKES
};

static const struct {
    const char *text, *hint;
} backward_list[BACKWARD_MISTAKES] = {
    [NO_RELU_MASK] = {"the gradient without the mask of the ReLU layers",
                      "relu_backward() needs the layer's output: where that is "
                      "0, the gradient is 0."},
    [ONE_IMAGE] = {"the gradient from the first image alone",
                   "A gradient is a sum over the images of the step: "
                   "step->count in each shape."},
    [ONE_BLOCK] = {"the gradient from the first 256 images alone",
                   "A gradient is a sum over all images: a block with fewer "
                   "threads loops over them."},
    [LAST_IMAGE] = {"the gradient from the last image alone",
                    "A gradient is a sum over the images of the step: it is "
                    "not overwritten by each."},
    [DENSE_TRANSPOSED] = {"the gradient stored as [units][in], should be "
                          "[in][units]", "dW = X^T dY, with X [count][in] and "
                          "dY [count][units]."},
    [DENSE_INPUT_UNTRANSPOSED] = {
        "computed from dY W in the dense layer after it, should be dY W^T",
        "dX = dY W^T, with dY [count][units] and W [in][units]: transpose W "
        "first."},
    [RELU_MASK_OF_GRADIENT] = {
        "the gradient with ReLU masks from the gradients, not from the outputs",
        "relu_backward() gets the layer's output first, then its gradient."},
    [LAST_OF_EQUAL] = {
        "computed with the last of equal elements of a pooling window",
        "The first of equal elements is the maximum: compare with > ."},
    [NO_BATCHNORM] = {"the gradient without the backward pass of the batch "
                      "normalization", "Each layer of the network has its "
                      "turn."}};

/* dX of a dense layer from the memory of W as if it were [units][in]. */
static void multiply_untransposed(const struct reference *x, int i,
                                  double *in_grad, int count)
{
    const struct layer *layer = &x->net->layers[i];
    const size_t in = shape_elements(&layer->in), units = layer->biases;
    const double *weights = x->parameters + layer->weight_offset;

    memset(in_grad, 0, (size_t)count * in * sizeof *in_grad);
    for (size_t row = 0; row < (size_t)count; row++)
        for (size_t u = 0; u < units; u++)
            for (size_t k = 0; k < in; k++)
                in_grad[row * in + k] += x->out_grad[i][row * units + u]
                                         * weights[u * in + k];
}

/* Max-pooling whose gradients go to the last of equal elements. */
static void maxpool_to_last(const struct reference *x, int i,
                            const double *input, double *in_grad, int count)
{
    const struct layer *layer = &x->net->layers[i];
    const size_t width = (size_t)layer->in.width;
    const size_t plane = width * (size_t)layer->in.height;
    const size_t q = (size_t)layer->out.width;
    const size_t windows = q * (size_t)layer->out.height;
    const size_t columns = (size_t)layer->columns;
    const size_t elements = (size_t)layer->rows * columns;

    memset(in_grad, 0,
           (size_t)count * shape_elements(&layer->in) * sizeof *in_grad);
    for (size_t o = 0; o < (size_t)count * shape_elements(&layer->out); o++) {
        const size_t at = o % windows;
        const size_t first = o / windows * plane
            + (at / q * width + at % q) * (size_t)layer->stride;
        size_t most = first;

        for (size_t k = 0; k < elements; k++) {
            const size_t now = first + k / columns * width + k % columns;

            most = input[now] >= input[most] ? now : most;
        }
        in_grad[most] += x->out_grad[i][o];
    }
}

/* One layer of a backward pass with a mistake.  in_grad has room for all
 * images. */
static void layer_backward(struct reference *x, int i, const double *images,
                           int count, enum backward_mistake mistake)
{
    const struct layer *layer = &x->net->layers[i];
    const size_t in = shape_elements(&layer->in);
    const double *input = i ? x->out[i - 1] : images;
    double *in_grad = i ? x->out_grad[i - 1] : x->image_grad;
    double *gradients = suite_doubles(x->net->parameters);
    const int skipped = mistake == LAST_IMAGE ? count - 1 : 0;
    const int left = mistake == ONE_BLOCK ? 256 : 1;

    reference_layer_backward(x, i, input, in_grad, count);
    if ((mistake == NO_RELU_MASK && layer->kind == LAYER_RELU)
        || (mistake == NO_BATCHNORM && layer->kind == LAYER_BATCHNORM))
        memcpy(in_grad, x->out_grad[i], (size_t)count * in * sizeof *in_grad);
    for (size_t k = 0; mistake == RELU_MASK_OF_GRADIENT
                       && layer->kind == LAYER_RELU && k < count * in; k++)
        in_grad[k] = fmax(x->out_grad[i][k], 0);
    if (mistake == DENSE_INPUT_UNTRANSPOSED && layer->kind == LAYER_DENSE)
        multiply_untransposed(x, i, in_grad, count);
    if (mistake == LAST_OF_EQUAL && layer->kind == LAYER_MAXPOOL)
        maxpool_to_last(x, i, input, in_grad, count);
    if (mistake != ONE_IMAGE && mistake != LAST_IMAGE
        && (mistake != ONE_BLOCK || count <= left))
        return;
    memcpy(gradients, x->gradients, x->net->parameters * sizeof *gradients);
    memset(gradients + layer->weight_offset, 0,
           (layer->weights + layer->biases) * sizeof *gradients);
    memcpy(x->gradients, gradients, x->net->parameters * sizeof *gradients);
    x->out_grad[i] += (size_t)skipped * shape_elements(&layer->out);
    reference_layer_backward(x, i, input + (size_t)skipped * in,
                             suite_doubles((size_t)count * in), left);
    x->out_grad[i] -= (size_t)skipped * shape_elements(&layer->out);
}

/* All gradients with a mistake; NULL without memory. */
static double *wrong_gradients(const struct fixture *f,
                               enum backward_mistake mistake)
{
    const size_t n = f->net.parameters;
    const int count = f->step.count;
    float *parameters = suite_floats(n);
    double *gradients = suite_doubles(n);
    struct reference *x;

    for (size_t i = 0; i < n; i++)
        parameters[i] = (float)f->x->parameters[i];
    x = reference_make(&f->net, count, parameters);
    if (!x)
        return NULL;
    reference_backward(x, f->images, f->step.d_labels, count);
    memset(x->gradients, 0, n * sizeof *x->gradients);
    for (int i = f->net.count - 1; i >= 0; i--)
        layer_backward(x, i, f->images, count, mistake);
    memcpy(gradients, x->gradients, n * sizeof *gradients);
    for (int i = 0; mistake == DENSE_TRANSPOSED && i < f->net.count; i++) {
        const struct layer *layer = &f->net.layers[i];
        const size_t units = layer->biases;

        for (size_t k = 0; layer->kind == LAYER_DENSE && k < layer->weights;
             k++)
            gradients[layer->weight_offset
                      + k % units * (layer->weights / units) + k / units] =
                x->gradients[layer->weight_offset + k];
    }
    reference_free(x);
    return gradients;
}

static bool has_shortcuts(const struct network *net)
{
    for (int i = 0; i < net->count; i++)
        if (net->layers[i].kind == LAYER_ADD)
            return true;
    return false;
}

/* Something missing on the way back. */
static void try_backward(struct hypotheses *h, const struct gradient_made *made)
{
    for (int k = 0; k < BACKWARD_MISTAKES; k++) {
        const double *gradients =
            wrong_gradients(made->fixture, (enum backward_mistake)k);

        if (!gradients)
            continue;
        memcpy(hypothesis_values(h), gradients + made->at,
               hypothesis_count(h) * sizeof *gradients);
        hypothesis_try(h, backward_list[k].hint, "%s", backward_list[k].text);
    }
}

/* A factor for all gradients: the loss was averaged over another number of
 * images, or not at all. */
void trainer_gradient_mistakes(struct hypotheses *h, const void *context)
{
    const struct gradient_made *made = context;
    static const char hint[] = "The loss is the mean over the images of this "
                               "step, step->count: each gradient is divided "
                               "by their number, once.";
    const struct fixture *f = made->fixture;
    const double count = f->step.count;
    const double factors[] = {count, 1 / count, count / f->max_images};
    static const char *const texts[] = {
        "the gradient of the sum of the losses, not of their mean",
        "the gradient divided twice by the number of images",
        "the gradient divided by the most images that there is room for"};

    for (size_t k = 0; k < COUNT(factors); k++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < hypothesis_count(h); i++)
            values[i] *= factors[k];
        if (factors[k] != 1)
            hypothesis_try(h, hint, "%s", texts[k]);
    }
    if (!has_shortcuts(&f->net))
        try_backward(h, made);
}

/* The last outputs of a network that differs in one layer: its biases are 0, or
 * the layer itself copies its input.  The reference computes them from the
 * same parameters and images.
 * layer: its index; less than 0: the biases of all layers
 * Returns false without memory. */
static bool other_outputs(struct hypotheses *h, const struct fixture *f,
                          int layer, bool biases)
{
    struct network net = f->net;
    float *parameters = suite_floats(net.parameters);
    double *values = hypothesis_values(h);
    struct reference *x;

    for (size_t i = 0; i < net.parameters; i++)
        parameters[i] = (float)f->x->parameters[i];
    for (int i = 0; i < net.count; i++)
        for (size_t k = 0; biases && (layer < 0 || layer == i)
                           && k < net.layers[i].biases; k++)
            parameters[net.layers[i].bias_offset + k] = 0;
    if (!biases)
        net.layers[layer].kind = LAYER_DROPOUT; /* copies */
    x = reference_make(&net, f->step.count, parameters);
    if (!x)
        return false;
    reference_loss(x, f->images, f->step.d_labels, f->step.count);
    memcpy(values, x->out[net.count - 1],
           hypothesis_count(h) * sizeof *values);
    reference_free(x);
    return true;
}

/* Each layer with biases, or that can be forgotten, is left out in turn; then
 * all biases together. */
void trainer_output_mistakes(struct hypotheses *h, const void *context)
{
    const struct fixture *f = context;
    const struct network *net = &f->net;

    for (int i = 0; i < net->count; i++) {
        const struct layer *layer = &net->layers[i];

        if (layer->biases && layer->kind != LAYER_BATCHNORM
            && other_outputs(h, f, i, true))
            hypothesis_try(h, "A convolution and a dense layer end with their "
                           "biases.", "the output without the biases of the "
                           "layer %s", layer->name);
        if ((layer->kind == LAYER_RELU || layer->kind == LAYER_BATCHNORM)
            && other_outputs(h, f, i, false))
            hypothesis_try(h, "Each layer of the network has its turn.",
                           "the output without the layer %s", layer->name);
    }
    if (other_outputs(h, f, -1, true))
        hypothesis_try(h, "A convolution and a dense layer end with their "
                       "biases.", "the output without all biases");
}

/* Batch normalization of an evaluation with another mean or variance. */
void trainer_evaluation_mistakes(struct hypotheses *h, const void *context)
{
    static const struct {
        const char *text, *hint;
    } list[EVALUATIONS] = {
        [EVALUATION_OF_BATCH] = {
            "normalized with the mean and variance of its own images",
            "An evaluation normalizes with d_running_stats, means first."},
        [EVALUATION_OUTSIDE_ROOT] = {
            "normalized with epsilon outside of the square root",
            "1 / sqrt(variance + 1e-5), in an evaluation too."},
        [EVALUATION_EPSILON_OF_1E_3] = {
            "normalized with an epsilon of 1e-3",
            "1 / sqrt(variance + 1e-5), in an evaluation too."}};
    const struct fixture *f = context;
    const int last = f->net.count - 1;

    for (int k = EVALUATION_RIGHT + 1; k < EVALUATIONS; k++) {
        double *values = hypothesis_values(h);

        fixture_forward(f, (enum evaluation)k);
        memcpy(values, f->x->out[last], hypothesis_count(h) * sizeof *values);
        fixture_forward(f, EVALUATION_RIGHT);
        hypothesis_try(h, list[k].hint, "%s", list[k].text);
    }
}

/* Add the loss and the correct prediction of the first images to the totals. */
static void add_images(double *totals, const struct fixture *f, int images)
{
    const int classes = f->net.classes;

    for (int i = 0; i < images; i++) {
        const double *out = f->x->out[f->net.count - 1] + (size_t)i * classes;
        const int label = f->step.d_labels[i];
        double sum = 0, most = out[0];

        for (int j = 1; j < classes; j++)
            most = fmax(most, out[j]);
        for (int j = 0; j < classes; j++)
            sum += exp(out[j] - most);
        totals[0] += log(sum) + most - out[label];
        totals[1] += f->step.d_predicted[i] == label;
    }
}

/* A block has as many threads, and each one adds one image. */
static void try_one_block(struct hypotheses *h, const struct totals_made *t)
{
    for (int threads = 32; threads < t->count && threads <= 1024;
         threads *= 2) {
        double *values = hypothesis_values(h);

        values[0] = (double)t->before[0];
        values[1] = (double)t->before[1];
        add_images(values, t->fixture, threads);
        hypothesis_try(h, "The totals are sums over all images: a block with "
                       "fewer threads loops over them.",
                       "that of the first %d images alone", threads);
    }
}

/* The two totals, loss and correct predictions, with the same mistake in both:
 * a total that is right fits every one of them that keeps it. */
void trainer_total_mistakes(struct hypotheses *h, const void *context)
{
    static const char hint[] = "d_totals is increased by the sum of the losses "
                               "and by the number of correct predictions.";
    const struct totals_made *t = context;
    /* as `texts` say them, one for each */
    const double loss[] = {(double)t->before[0], t->loss,
                           t->before[0] + t->loss / t->count,
                           t->before[0] + 2 * t->loss, t->before[0]};
    const double correct[] = {t->before[1] + t->correct, t->correct,
                              t->before[1] + t->correct,
                              t->before[1] + 2 * t->correct, t->before[1]};
    static const char *const texts[] = {
        "that of before the step, without its losses",
        "that of this step alone, without what was there before",
        "increased by the mean of the losses, not by their sum",
        "increased twice",
        "that of before the step"};

    for (size_t k = 0; k < COUNT(texts); k++) {
        double *values = hypothesis_values(h);

        values[0] = loss[k];
        values[1] = correct[k];
        hypothesis_try(h, hint, "%s", texts[k]);
    }
    try_one_block(h, t);
}

/* Running statistics with another weight of the batch, or with the variance
 * that normalizes, which is divided by m, not by m - 1. */
void trainer_statistics_mistakes(struct hypotheses *h, const void *context)
{
    const struct statistics_made *s = context;
    static const struct {
        double weight; /* of the batch */
        bool biased;
        const char *text;
    } list[] = {{0.1, true, "that of the biased variance, divided by m"},
                {0.9, false, "that with a weight of 0.9 for the batch"},
                {0.01, false, "that with a weight of 0.01 for the batch"},
                {1, false, "that of the batch alone"},
                {0, false, "that of before the step"}};

    for (size_t k = 0; k < COUNT(list); k++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < hypothesis_count(h); i++)
            values[i] = (1 - list[k].weight) * s->before[i]
                        + list[k].weight * s->batch[i]
                          * (list[k].biased ? 1 : s->biased[i]);
        hypothesis_try(h, "The running statistics become 0.9 of what they are "
                       "and 0.1 of the batch's mean and unbiased variance.",
                       "%s", list[k].text);
    }
}
