/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 13: the step is computed again from other parameters,
 * or with a layer left out. */
#include "mistakes.h"
#include "parameter_mistakes.h"

#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void without_bias(struct network_step *s)
{
    const struct layer_offsets at = layer_offsets(&s->shape);

    memset(s->parameters + at.bias, 0, (size_t)s->shape.k * sizeof(float));
}

static void without_dense_bias(struct network_step *s)
{
    const struct layer_offsets at = layer_offsets(&s->shape);

    memset(s->parameters + at.dense_bias, 0,
           (size_t)s->shape.classes * sizeof(float));
}

static void only_bias(struct network_step *s)
{
    const struct layer_offsets at = layer_offsets(&s->shape);

    memset(s->parameters + at.dense, 0,
           (at.dense_bias - at.dense) * sizeof(float));
}

/* A convolution in the sense of mathematics. */
static void flipped(struct network_step *s)
{
    const size_t taps = (size_t)s->shape.r * s->shape.s;
    float *copy = suite_floats(layer_offsets(&s->shape).bias);

    memcpy(copy, s->parameters, layer_offsets(&s->shape).bias * sizeof *copy);
    for (size_t i = 0; i < layer_offsets(&s->shape).bias; i++)
        s->parameters[i] = copy[i / taps * taps + taps - 1 - i % taps];
}

/* The dense weights read as [classes][features]. */
static void dense_transposed(struct network_step *s)
{
    const struct layer_offsets at = layer_offsets(&s->shape);
    const size_t classes = (size_t)s->shape.classes;
    const size_t n = at.features * classes;
    float *dense = s->parameters + at.dense, *copy = suite_floats(n);

    memcpy(copy, dense, n * sizeof *copy);
    for (size_t i = 0; i < n; i++)
        dense[i] = copy[i % classes * at.features + i / classes];
}

/* All that belongs to the dense layer, read as if there were no biases of the
 * convolution before it. */
static void without_room_for_bias(struct network_step *s)
{
    const struct layer_offsets at = layer_offsets(&s->shape);

    memmove(s->parameters + at.dense, s->parameters + at.bias,
            (s->parameter_count - at.dense) * sizeof *s->parameters);
}

/* The same, as if there were a bias for each channel of x, not each filter. */
static void with_biases_of_channels(struct network_step *s)
{
    const struct layer_offsets at = layer_offsets(&s->shape);
    const size_t from = at.bias + (size_t)s->shape.c;
    const size_t count = s->parameter_count - at.dense;

    if (from + count <= s->parameter_count) /* else it reads past the end */
        memmove(s->parameters + at.dense, s->parameters + from,
                count * sizeof *s->parameters);
}

/* Rows and columns of x exchanged: x and the features keep their sizes. */
static void transposed_x(struct network_step *s)
{
    const int h = s->shape.h;

    s->shape.h = s->shape.w;
    s->shape.w = h;
}

/* A change of the step, a wrong value of the reference, or both; and what to do
 * about it. */
struct layer_mistake {
    void (*change)(struct network_step *s);
    enum network_mistake mistake;
    const char *text, *hint;
};

/* Could this mistake be computed?  A shape with other features would need
 * parameters that are not there; square images are what they are. */
static bool is_possible(const struct network_step *step,
                        const struct layer_mistake *m)
{
    const struct cudnn_layer_shape *s = &step->shape;
    const struct network_output_sizes z = network_output_sizes(s);
    struct network_step other = *step;

    other.mistake = m->mistake;
    if (m->mistake == NETWORK_SQUARE_FEATURES)
        return z.pooled_p < z.pooled_q;
    if (m->change != transposed_x)
        return network_step_is_possible(&other);
    transposed_x(&other);
    return s->h != s->w && other.shape.h + 2 * s->pad >= s->r
           && other.shape.w + 2 * s->pad >= s->s
           && network_output_sizes(&other.shape).features == z.features;
}

/* The step with that change, computed. */
static struct network_step changed(const struct network_step *s,
                                   const struct layer_mistake *m)
{
    struct network_step other = layer_copy_inputs(s);

    other.mistake = m->mistake;
    if (m->change)
        m->change(&other);
    network_step_reference(&other);
    return other;
}

static const double *scores_of(const struct network_step *s,
                               const size_t *from)
{
    (void)from;
    return s->scores.value;
}

/* The gradients from element `from` on, or those of x. */
static const double *gradients_of(const struct network_step *s,
                                  const size_t *from)
{
    return from ? s->gradients.value + *from : s->x_grad.value;
}

/* TF32 differs by little: it must agree to a fraction of the tolerance. */
static void try_mistake(struct hypotheses *h, const struct network_step *s,
                        const struct layer_mistake *m,
                        const double *(*values_of)(const struct network_step *s,
                                                   const size_t *from),
                        const size_t *from)
{
    enum { PRECISION = 8 };
    struct network_step other;
    double *values;

    if (!is_possible(s, m))
        return;
    other = changed(s, m);
    values = hypothesis_values(h);
    memcpy(values, values_of(&other, from),
           hypothesis_count(h) * sizeof *values);
    h->precision = m->mistake == NETWORK_TF32 ? PRECISION : 1;
    hypothesis_try(h, m->hint, "%s", m->text);
    h->precision = 1;
}

/* Sizes that the library gets wrong, in both directions. */
#define WRONG_SIZES \
    {NULL, NETWORK_NO_PADDING, "computed without the padding", \
     "cudnnSetConvolution2dDescriptor takes pad_h and pad_w: both are pad."}, \
    {NULL, NETWORK_ROW_PADDING, "computed with padding of the rows alone", \
     "cudnnSetConvolution2dDescriptor takes pad_h and pad_w: both are pad."}, \
    {NULL, NETWORK_COLUMN_PADDING, "computed with padding of columns alone", \
     "cudnnSetConvolution2dDescriptor takes pad_h and pad_w: both are pad."}, \
    {NULL, NETWORK_FILTER_OF_ROWS, "computed with filters of r x r", \
     "cudnnSetFilter4dDescriptor takes k, c, r, s: rows, then columns."}, \
    {NULL, NETWORK_FILTER_OF_COLUMNS, "computed with filters of s x s", \
     "cudnnSetFilter4dDescriptor takes k, c, r, s: rows, then columns."}, \
    {NULL, NETWORK_FILTER_TRANSPOSED, "computed with filters of s x r", \
     "cudnnSetFilter4dDescriptor takes k, c, r, s: rows, then columns."}, \
    {transposed_x, NETWORK_RIGHT, \
     "computed with rows and columns of x exchanged", \
     "cudnnSetTensor4dDescriptor takes n, c, h, w: rows before columns."}, \
    {NULL, NETWORK_TF32, \
     "computed with a convolution in TF32, of 11 bits of mantissa", \
     "The contract asks for the math mode CUDNN_FMA_MATH."}

static const struct layer_mistake forward_list[] = {
    WRONG_SIZES,
    {without_bias, NETWORK_RIGHT,
     "computed without the bias of the convolution",
     "cudnnAddTensor with alpha = 1 and beta = 1, after the convolution."},
    {without_dense_bias, NETWORK_RIGHT,
     "computed without the bias of the dense layer",
     "cudnnAddTensor with alpha = 1 and beta = 1, after the product."},
    {only_bias, NETWORK_RIGHT,
     "computed from the bias of the dense layer alone",
     "cudnnAddTensor adds with beta = 1; beta = 0 overwrites. And is cuBLAS's "
     "product enqueued on the same stream, before the bias?"},
    {flipped, NETWORK_RIGHT, "computed with each filter rotated by 180 degrees",
     "The contract asks for CUDNN_CROSS_CORRELATION."},
    {dense_transposed, NETWORK_RIGHT,
     "computed with the dense weights as [classes][features]",
     "For cuBLAS [features][classes] has classes rows: neither factor is "
     "transposed."},
    {without_room_for_bias, NETWORK_RIGHT,
     "computed with dense weights that start where the biases of the "
     "convolution do", "The parameters are the filters, their "
     "biases, the dense weights and their biases, in this order."},
    {with_biases_of_channels, NETWORK_RIGHT,
     "computed with dense weights that start c, not k, floats after the biases "
     "of the convolution", "A convolution has a bias for each of its k "
     "filters."},
    {NULL, NETWORK_NO_RELU, "computed without the ReLU",
     "cudnnActivationForward with CUDNN_ACTIVATION_RELU, before the pooling."},
    {NULL, NETWORK_RELU_BEFORE_BIAS,
     "computed with the ReLU before the bias of the convolution",
     "The bias is added first: cudnnAddTensor, then cudnnActivationForward."},
    {NULL, NETWORK_AVERAGE_POOLING, "computed with the mean of each window",
     "The contract asks for max pooling."},
    {NULL, NETWORK_SQUARE_FEATURES,
     "computed with k * p * p features, should be k * p * q",
     "The features of an image are all that the pooling writes: filters * "
     "rows * columns."}};

void layer_score_mistakes(struct hypotheses *h, const void *context)
{
    const struct network_step *s = context;
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < s->scores.count; i++)
        values[i] = exp(values[i]);
    hypothesis_try(h, "Scores are logarithms: CUDNN_SOFTMAX_LOG.",
                   "the probability, not its logarithm");
    for (size_t k = 0; k < COUNT(forward_list); k++)
        try_mistake(h, s, &forward_list[k], scores_of, NULL);
    if (!h->fits)
        layer_try_offsets(h, s);
}

static const struct layer_mistake backward_list[] = {
    WRONG_SIZES,
    {NULL, NETWORK_PLAIN_SOFTMAX,
     "computed with the gradient of CUDNN_SOFTMAX_ACCURATE, for which the "
     "scores were probabilities",
     "The scores are logarithms: cudnnSoftmaxBackward takes "
     "CUDNN_SOFTMAX_LOG, as cudnnSoftmaxForward does."},
    {NULL, NETWORK_NO_RELU_BACKWARD,
     "computed without the mask of the ReLU",
     "cudnnActivationBackward, before those of the convolution."},
    {NULL, NETWORK_RELU_OF_GRADIENT,
     "computed with the ReLU's mask from the gradient",
     "cudnnActivationBackward takes y, dy, x, dx: y and x are what the "
     "forward pass stored."},
    {NULL, NETWORK_OUTPUT_AS_GRADIENT,
     "computed with the convolution's output in place of its gradient",
     "cudnnConvolutionBackwardBias, -Filter and -Data take dy, the "
     "gradient that cudnnActivationBackward has written."},
    {NULL, NETWORK_DENSE_ROWS_BACKWARD,
     "computed with the dense weights as [classes][features]",
     "The gradient of [n][features] is that of the logits times the "
     "transposed weights: CUBLAS_OP_T."},
    {NULL, NETWORK_SCORES_AS_GRADIENT,
     "computed with target and scores exchanged in cudnnSoftmaxBackward",
     "cudnnSoftmaxBackward takes y, which the forward pass wrote, then "
     "dy: the scores, then the target."},
    {layer_dense_gradients_back, NETWORK_RIGHT,
     "computed with the gradient of the dense weights in place of the "
     "dense weights", "The gradient of the pooled features is that of "
     "the logits times the weights, which are in d_parameters."},
    {layer_filter_gradients_back, NETWORK_RIGHT,
     "computed with the gradient of the filters in place of the filters",
     "cudnnConvolutionBackwardData takes w, the filters, which are in "
     "d_parameters, and dy."},
    {flipped, NETWORK_RIGHT,
     "computed with each filter rotated by 180 degrees",
     "The contract asks for CUDNN_CROSS_CORRELATION."},
    {dense_transposed, NETWORK_RIGHT,
     "computed with the dense weights as [classes][features]",
     "For cuBLAS [features][classes] has classes rows."}};

static void try_gradients(struct hypotheses *h, const struct network_step *s,
                          const size_t *from)
{
    static const char *const factor_texts[] = {
        "the gradient of the sum over the images, not of their mean",
        "the gradient without the factor -1 / n of the loss",
        "the gradient with the other sign",
        "the gradient divided by the number of classes, too"};
    const double factors[] = {s->shape.n, -s->shape.n, -1,
                              1.0 / s->shape.classes};

    for (size_t k = 0; k < COUNT(factors); k++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < hypothesis_count(h); i++)
            values[i] *= factors[k];
        hypothesis_try(h, "The loss and its gradient have the factor -1 / n.",
                       "%s", factor_texts[k]);
    }
    for (size_t k = 0; k < COUNT(backward_list); k++)
        try_mistake(h, s, &backward_list[k], gradients_of, from);
}

/* No gradient reached the convolution: 0 everywhere is evidence enough. */
static void try_lost_gradient(struct hypotheses *h)
{
    const double needed = h->needed;
    double *values = hypothesis_values(h);

    for (size_t i = 0; i < hypothesis_count(h); i++) {
        values[i] = 0;
        if (evidence_got(h->evidence, i) != 0)
            return;
    }
    h->needed = -1;
    hypothesis_try(h, "cudnnPoolingBackward passes a gradient where x equals "
                   "y, and cudnnActivationBackward where y is above 0: both "
                   "need x and y as the forward pass stored them, and dy. Are "
                   "y and dy exchanged, or is a gradient written over y?",
                   "0: no gradient came through the backward passes of pooling "
                   "and ReLU");
    h->needed = needed;
}

void layer_gradient_mistakes(struct hypotheses *h, const void *context)
{
    const struct layer_part *part = context;
    const struct network_step *s = part->step;
    const struct layer_offsets at = layer_offsets(&s->shape);
    const size_t classes = (size_t)s->shape.classes;
    double *values;

    try_gradients(h, s, &part->from);
    if (part->from < at.dense && !h->fits)
        try_lost_gradient(h);
    if (part->from == at.dense_bias) {
        values = hypothesis_values(h);
        for (size_t i = 0; i < classes; i++)
            values[i] = 0;
        for (size_t i = 0; i < s->scores.count; i++)
            values[i % classes] += s->scores.value[i];
        hypothesis_try(h, "cudnnConvolutionBackwardBias takes the gradient "
                       "that cudnnSoftmaxBackward has written.",
                       "the sum of the scores, not of the logits' gradients");
    }
    if (part->from != at.dense)
        return;
    values = hypothesis_values(h);
    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] = s->gradients.value[at.dense + i % at.features * classes
                                       + i / at.features];
    hypothesis_try(h, "For cuBLAS [features][classes] has classes rows.",
                   "the gradient stored as [classes][features]");
}

void layer_x_gradient_mistakes(struct hypotheses *h, const void *context)
{
    try_gradients(h, context, NULL);
}
