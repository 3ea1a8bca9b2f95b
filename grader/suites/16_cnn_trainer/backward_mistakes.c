/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 16 in gradients. */
#include "common/net/reference_layers.h"
#include "mistakes.h"

/* Mistakes in the backward pass. */
enum backward_mistake {
    NO_RELU_MASK, ONE_IMAGE, LAST_IMAGE, ONE_BLOCK, DENSE_TRANSPOSED,
    NO_BATCHNORM,
    DENSE_UNTRANSPOSED, DENSE_TURNED,
    DENSE_INPUT_OVERWRITTEN,
    DENSE_INPUT_UNTRANSPOSED, DENSE_INPUT_TURNED, DENSE_INPUT_OF_GRADIENT,
    RELU_MASK_OF_GRADIENT,
    LAST_OF_EQUAL, POOL_TO_FIRST, POOL_TO_NEXT, CONV_OF_OUTPUT,
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
    [DENSE_UNTRANSPOSED] = {
        "computed from X dY, should be X^T dY",
        "dW = X^T dY, with X [count][in] and dY [count][units]: transpose X "
        "first."},
    [DENSE_TURNED] = {
        "computed from an X that is transposed as if it were [in][count]",
        "X is [count][in]: transpose() takes its rows first, then its columns: "
        "count, in."},
    [DENSE_INPUT_OVERWRITTEN] = {
        "computed from W^T, written over X^T, should be X^T dY",
        "dX needs W^T and dW needs X^T: in one buffer, the second transpose() "
        "comes after the product that reads the first."},
    [DENSE_INPUT_UNTRANSPOSED] = {
        "computed from dY W in the dense layer after it, should be dY W^T",
        "dX = dY W^T, with dY [count][units] and W [in][units]: transpose W "
        "first."},
    [DENSE_INPUT_TURNED] = {
        "computed in the dense layer after it from a W that is transposed as "
        "if it were [units][in]",
        "W is [in][units]: transpose() takes its rows first, then its columns: "
        "in, units."},
    [DENSE_INPUT_OF_GRADIENT] = {
        "computed in the dense layer after it from the gradient of W, should "
        "be dY W^T",
        "dX = dY W^T: the weights are transposed, not their gradient."},
    [RELU_MASK_OF_GRADIENT] = {
        "the gradient with ReLU masks from the gradients, not from the outputs",
        "relu_backward() gets the layer's output first, then its gradient."},
    [LAST_OF_EQUAL] = {
        "computed with the last of equal elements of a pooling window",
        "The first of equal elements is the maximum: compare with > ."},
    [POOL_TO_FIRST] = {
        "computed with the first element of each pooling window in place of "
        "its maximum", "maxpool_backward() needs the positions that "
        "maxpool_forward() stored for the same layer: d_argmax[i]."},
    [POOL_TO_NEXT] = {
        "computed with the position of the next pooling window's maximum",
        "maxpool_backward() needs the positions that maxpool_forward() stored "
        "for the same layer: d_argmax[i], from its first byte on."},
    [CONV_OF_OUTPUT] = {
        "computed from the convolution's output in place of its input",
        "conv_backward_filter() gets the layer's input, input_of(pass, i), "
        "and the gradient with respect to its output."},
    [NO_BATCHNORM] = {"the gradient without the backward pass of the batch "
                      "normalization", "Each layer of the network has its "
                      "turn."}};

/* dW of a dense layer from the memory of X as if it were [in][count].
 * turned: that is transposed, and the result used as if it were */
static void multiply_input_untransposed(struct reference *x, int i,
                                        const double *input, int count,
                                        bool turned)
{
    const struct layer *layer = &x->net->layers[i];
    const size_t in = shape_elements(&layer->in), units = layer->biases;
    const size_t n = (size_t)count;

    for (size_t w = 0; w < in * units; w++) {
        double sum = 0;

        for (size_t row = 0; row < n; row++) {
            const size_t at = w / units * n + row;

            sum += input[turned ? at % in * n + at / in : at]
                   * x->out_grad[i][row * units + w % units];
        }
        x->gradients[layer->weight_offset + w] = sum;
    }
}

/* dW of a dense layer from the memory of X^T, [in][count], whose first elements
 * W^T, [units][in], was written over. */
static void multiply_overwritten(struct reference *x, int i,
                                 const double *input, int count)
{
    const struct layer *layer = &x->net->layers[i];
    const size_t in = shape_elements(&layer->in), units = layer->biases;
    const double *weights = x->parameters + layer->weight_offset;

    for (size_t w = 0; w < in * units; w++) {
        double sum = 0;

        for (size_t row = 0; row < (size_t)count; row++) {
            const size_t at = w / units * (size_t)count + row;

            sum += (at < in * units ? weights[at % in * units + at / in]
                                    : input[row * in + w / units])
                   * x->out_grad[i][row * units + w % units];
        }
        x->gradients[layer->weight_offset + w] = sum;
    }
}

/* dX of a dense layer from the memory of W as if it were [units][in].
 * turned: that is transposed, and the result used as if it were */
static void multiply_untransposed(const struct reference *x, int i,
                                  double *in_grad, int count, bool turned)
{
    const struct layer *layer = &x->net->layers[i];
    const size_t in = shape_elements(&layer->in), units = layer->biases;
    const double *weights = x->parameters + layer->weight_offset;

    memset(in_grad, 0, (size_t)count * in * sizeof *in_grad);
    for (size_t row = 0; row < (size_t)count; row++)
        for (size_t u = 0; u < units; u++)
            for (size_t k = 0; k < in; k++) {
                const size_t at = u * in + k;

                in_grad[row * in + k] +=
                    x->out_grad[i][row * units + u]
                    * weights[turned ? at % units * in + at / units : at];
            }
}

/* dX of a dense layer from dW in place of W. */
static void multiply_gradient(const struct reference *x, int i, double *in_grad,
                              int count)
{
    const struct layer *layer = &x->net->layers[i];
    const size_t in = shape_elements(&layer->in), units = layer->biases;
    const double *weight_grad = x->gradients + layer->weight_offset;

    for (size_t at = 0; at < (size_t)count * in; at++) {
        const double *out_grad = x->out_grad[i] + at / in * units;

        in_grad[at] = 0;
        for (size_t u = 0; u < units; u++)
            in_grad[at] += out_grad[u] * weight_grad[at % in * units + u];
    }
}

/* Position in its window of the maximum of output o: the first one, or the last
 * of equal ones.
 * at: index of the window's first element */
static size_t argmax_of(const struct layer *layer, const double *input,
                        size_t o, bool last, size_t *at)
{
    const size_t width = (size_t)layer->in.width;
    const size_t plane = width * (size_t)layer->in.height;
    const size_t q = (size_t)layer->out.width;
    const size_t windows = q * (size_t)layer->out.height, w = o % windows;
    const size_t columns = (size_t)layer->columns;
    const size_t elements = (size_t)layer->rows * columns;
    size_t most = 0;

    *at = o / windows * plane + (w / q * width + w % q) * (size_t)layer->stride;
    for (size_t k = 1; k < elements; k++) {
        const double now = input[*at + k / columns * width + k % columns];
        const double best =
            input[*at + most / columns * width + most % columns];

        if (now > best || (last && now == best))
            most = k;
    }
    return most;
}

/* Max-pooling whose gradients go to other elements of the windows. */
static void maxpool_elsewhere(const struct reference *x, int i,
                              const double *input, double *in_grad, int count,
                              enum backward_mistake mistake)
{
    const struct layer *layer = &x->net->layers[i];
    const size_t columns = (size_t)layer->columns;
    const size_t all = (size_t)count * shape_elements(&layer->out);

    memset(in_grad, 0,
           (size_t)count * shape_elements(&layer->in) * sizeof *in_grad);
    for (size_t o = 0; o < all; o++) {
        size_t at, other, k;

        k = argmax_of(layer, input, o, mistake == LAST_OF_EQUAL, &at);
        if (mistake == POOL_TO_FIRST)
            k = 0;
        if (mistake == POOL_TO_NEXT) /* behind the last one: not known */
            k = o + 1 < all ? argmax_of(layer, input, o + 1, false, &other) : 0;
        in_grad[at + k / columns * (size_t)layer->in.width + k % columns] +=
            x->out_grad[i][o];
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
    const int left = mistake == ONE_BLOCK        ? 256
                     : mistake == CONV_OF_OUTPUT ? count : 1;

    reference_layer_backward(x, i, input, in_grad, count);
    if ((mistake == NO_RELU_MASK && layer->kind == LAYER_RELU)
        || (mistake == NO_BATCHNORM && layer->kind == LAYER_BATCHNORM))
        memcpy(in_grad, x->out_grad[i], (size_t)count * in * sizeof *in_grad);
    for (size_t k = 0; mistake == RELU_MASK_OF_GRADIENT
                       && layer->kind == LAYER_RELU && k < count * in; k++)
        in_grad[k] = fmax(x->out_grad[i][k], 0);
    if ((mistake == DENSE_UNTRANSPOSED || mistake == DENSE_TURNED)
        && layer->kind == LAYER_DENSE)
        multiply_input_untransposed(x, i, input, count,
                                    mistake == DENSE_TURNED);
    if (mistake == DENSE_INPUT_OVERWRITTEN && layer->kind == LAYER_DENSE
        && i > 0) /* the first layer needs no dX */
        multiply_overwritten(x, i, input, count);
    if ((mistake == DENSE_INPUT_UNTRANSPOSED || mistake == DENSE_INPUT_TURNED)
        && layer->kind == LAYER_DENSE)
        multiply_untransposed(x, i, in_grad, count,
                              mistake == DENSE_INPUT_TURNED);
    if (mistake == DENSE_INPUT_OF_GRADIENT && layer->kind == LAYER_DENSE)
        multiply_gradient(x, i, in_grad, count);
    if ((mistake == LAST_OF_EQUAL || mistake == POOL_TO_FIRST
         || mistake == POOL_TO_NEXT) && layer->kind == LAYER_MAXPOOL)
        maxpool_elsewhere(x, i, input, in_grad, count, mistake);
    if (mistake == CONV_OF_OUTPUT && layer->kind == LAYER_CONV
        && shape_elements(&layer->out) >= in)
        input = x->out[i]; /* its first elements */
    else if (mistake != ONE_IMAGE && mistake != LAST_IMAGE
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

/* The buffer of a bias's gradient that still has another layer's. */
static void try_other_biases(struct hypotheses *h,
                             const struct gradient_made *made)
{
    const struct fixture *f = made->fixture;
    bool is_bias = false;

    for (int i = 0; i < f->net.count; i++)
        is_bias |= f->net.layers[i].biases
                   && f->net.layers[i].bias_offset == made->at;
    for (int i = 0; is_bias && i < f->net.count; i++) {
        const struct layer *layer = &f->net.layers[i];

        if (layer->biases < hypothesis_count(h)
            || layer->bias_offset == made->at)
            continue;
        memcpy(hypothesis_values(h), f->x->gradients + layer->bias_offset,
               hypothesis_count(h) * sizeof *f->x->gradients);
        hypothesis_try(h, "Each layer computes its own gradients before "
                       "store_gradients().",
                       "the gradient of the biases of the layer %s",
                       layer->name);
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
    try_other_biases(h, made);
    if (!has_shortcuts(&f->net))
        try_backward(h, made);
}
