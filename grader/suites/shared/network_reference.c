/* SPDX-License-Identifier: MIT */
/* The reference of lab 13, in double. */
#include "network_reference.h"

#include <math.h>
#include <string.h>

/* With rows and columns of zeros on each side of x. */
static struct network_output_sizes padded_sizes(
    const struct cudnn_layer_shape *s, int rows, int columns)
{
    struct network_output_sizes z = {.p = s->h + 2 * rows - s->r + 1,
                                     .q = s->w + 2 * columns - s->s + 1};

    z.pooled_p = z.p / 2;
    z.pooled_q = z.q / 2;
    z.features = s->k * z.pooled_p * z.pooled_q;
    return z;
}

struct network_output_sizes network_output_sizes(
    const struct cudnn_layer_shape *s)
{
    return padded_sizes(s, s->pad, s->pad);
}

static struct bounded_array bounded_array(size_t count)
{
    return (struct bounded_array){suite_doubles(count), suite_doubles(count),
                                  count};
}

struct network_step network_step_create(const struct cudnn_layer_shape *s)
{
    const struct network_output_sizes z = network_output_sizes(s);
    const size_t filter = (size_t)s->k * s->c * s->r * s->s;
    const size_t x = (size_t)s->n * s->c * s->h * s->w;
    const size_t scores = (size_t)s->n * s->classes;
    struct network_step step = {
        .shape = *s,
        .parameter_count =
            filter + s->k + ((size_t)z.features + 1) * s->classes};

    step.x = suite_floats(x);
    step.target = suite_floats(scores);
    step.parameters = suite_floats(step.parameter_count);
    step.scores = bounded_array(scores);
    step.loss = bounded_array(1);
    step.gradients = bounded_array(step.parameter_count);
    step.x_grad = bounded_array(x);
    return step;
}

/** Offsets in the parameters, and the sizes. */
struct layout {
    struct cudnn_layer_shape s;
    int pad_rows, pad_columns;
    struct network_output_sizes z;
    size_t bias, dense, dense_bias;
};

/* A mistake changes the sizes that the library gets; the offset of the biases
 * is computed from the shape. */
static struct layout layout_create(const struct network_step *step)
{
    const struct cudnn_layer_shape *s = &step->shape;
    const enum network_mistake m = step->mistake;
    struct layout p = {.s = *s, .pad_rows = s->pad, .pad_columns = s->pad};

    if (m == NETWORK_NO_PADDING || m == NETWORK_COLUMN_PADDING)
        p.pad_rows = 0;
    if (m == NETWORK_NO_PADDING || m == NETWORK_ROW_PADDING)
        p.pad_columns = 0;
    if (m == NETWORK_FILTER_OF_ROWS || m == NETWORK_FILTER_TRANSPOSED)
        p.s.s = s->r;
    if (m == NETWORK_FILTER_OF_COLUMNS || m == NETWORK_FILTER_TRANSPOSED)
        p.s.r = s->s;
    p.z = padded_sizes(&p.s, p.pad_rows, p.pad_columns);
    p.bias = (size_t)s->k * s->c * s->r * s->s;
    p.dense = p.bias + s->k;
    p.dense_bias = p.dense + (size_t)p.z.features * s->classes;
    return p;
}

bool network_step_is_possible(const struct network_step *step)
{
    const struct layout p = layout_create(step);
    const size_t n = step->parameter_count;

    return p.z.p >= 2 && p.z.q >= 2
           && p.dense_bias + (size_t)p.s.classes <= n
           && (size_t)p.s.k * p.s.c * p.s.r * p.s.s <= n;
}

/* TF32 has 11 bits of mantissa, the hidden one included; ties away from 0. */
static double tf32(double x)
{
    int exponent;
    const double mantissa = frexp(x, &exponent);

    return ldexp(round(ldexp(mantissa, 11)), exponent - 11);
}

/* Called for each product of the convolution with the indices in x, filter,
 * y. */
typedef void product_visitor(void *context, size_t x, size_t w, size_t y);

static void visit_products(const struct layout *p, product_visitor *f,
                           void *context)
{
    const struct cudnn_layer_shape *s = &p->s;
    const int taps = s->c * s->r * s->s;
    const size_t all = (size_t)s->n * s->k * p->z.p * p->z.q;

    for (size_t y = 0; y < all; y++) {
        const int v = (int)(y % p->z.q), u = (int)(y / p->z.q % p->z.p);
        const size_t k = y / p->z.q / p->z.p % s->k;
        const size_t n = y / p->z.q / p->z.p / s->k;

        for (int t = 0; t < taps; t++) {
            const int row = u - p->pad_rows + t / s->s % s->r;
            const int column = v - p->pad_columns + t % s->s;
            const int c = t / s->s / s->r;

            if (row >= 0 && column >= 0 && row < s->h && column < s->w)
                f(context, ((n * s->c + c) * s->h + row) * s->w + column,
                  k * taps + t, y);
        }
    }
}

/** All arrays of a step; `..._scale` are bounds of magnitudes. */
struct network_pass {
    const struct layout *layout;
    const double *x, *parameters;
    double *activation, *activation_scale;       /* [n][k][p][q] */
    double *pooled, *pooled_scale; /* [n][features] */
    size_t *from;                  /* index in `activation` of each maximum */
    double *logits, *logits_scale; /* [n][classes] */
    double *activation_grad, *activation_grad_scale;
    struct network_step *out;
};

/* A product of a convolution. */
static double product(const struct network_pass *r, double a, double b)
{
    return r->out->mistake == NETWORK_TF32 ? tf32(a) * tf32(b) : a * b;
}

static void accumulate_forward(void *context, size_t x, size_t w, size_t y)
{
    const struct network_pass *r = context;
    const double v = product(r, r->x[x], r->parameters[w]);

    r->activation[y] += v;
    r->activation_scale[y] += fabs(v);
}

static void convolution_forward(struct network_pass *r)
{
    const struct layout *p = r->layout;
    const size_t pixels = (size_t)p->z.p * p->z.q;
    const size_t all = pixels * p->s.n * p->s.k;

    visit_products(p, accumulate_forward, r);
    for (size_t y = 0; y < all; y++) {
        const double bias = r->parameters[p->bias + y / pixels % p->s.k];

        if (r->out->mistake == NETWORK_RELU_BEFORE_BIAS)
            r->activation[y] = fmax(r->activation[y], 0) + bias;
        else
            r->activation[y] += bias;
        if (r->out->mistake != NETWORK_RELU_BEFORE_BIAS
            && r->out->mistake != NETWORK_NO_RELU)
            r->activation[y] = fmax(r->activation[y], 0);
        r->activation_scale[y] += fabs(bias);
    }
}

static void maxpool_forward(struct network_pass *r)
{
    const struct network_output_sizes *z = &r->layout->z;
    const size_t all = (size_t)r->layout->s.n * z->features;

    for (size_t i = 0; i < all; i++) {
        const size_t v = i % z->pooled_q, u = i / z->pooled_q % z->pooled_p;
        const size_t plane = i / z->pooled_q / z->pooled_p;
        const size_t first = (plane * z->p + 2 * u) * z->q + 2 * v;
        const size_t window[] = {first, first + 1, first + z->q,
                                 first + z->q + 1};
        size_t argmax = first;

        for (int k = 0; k < 4; k++) {
            if (r->activation[window[k]] > r->activation[argmax])
                argmax = window[k];
            r->pooled_scale[i] = fmax(r->pooled_scale[i],
                                      r->activation_scale[window[k]]);
        }
        r->from[i] = argmax;
        r->pooled[i] = r->activation[argmax];
        if (r->out->mistake == NETWORK_AVERAGE_POOLING)
            r->pooled[i] = (r->activation[window[0]] + r->activation[window[1]]
                            + r->activation[window[2]]
                            + r->activation[window[3]]) / 4;
    }
}

static void dense_forward(struct network_pass *r)
{
    const struct layout *p = r->layout;
    const int classes = p->s.classes;
    const int features = r->out->mistake == NETWORK_SQUARE_FEATURES
                         ? p->s.k * p->z.pooled_p * p->z.pooled_p
                         : p->z.features;
    const size_t biases = p->dense + (size_t)features * (size_t)classes;

    for (int n = 0; n < p->s.n; n++)
        for (int c = 0; c < classes; c++) {
            const double bias = r->parameters[biases + (size_t)c];
            double sum = bias, scale = fabs(bias);

            for (int f = 0; f < features; f++) {
                const double w =
                    r->parameters[p->dense + (size_t)f * classes + c];
                const size_t at = (size_t)n * features + f;

                sum += r->pooled[at] * w;
                scale += r->pooled_scale[at] * fabs(w);
            }
            r->logits[n * classes + c] = sum;
            r->logits_scale[n * classes + c] = scale;
        }
}

/* Log-softmax scores and the loss, with bounds from the row's largest logit. */
static void log_softmax_forward(struct network_pass *r)
{
    const int classes = r->layout->s.classes;
    struct network_step *out = r->out;

    for (int n = 0; n < r->layout->s.n; n++) {
        const double *row = r->logits + (size_t)n * classes;
        double max_logit = -INFINITY, sum = 0, scale = 1;

        for (int c = 0; c < classes; c++) {
            max_logit = fmax(max_logit, row[c]);
            scale = fmax(scale, r->logits_scale[(size_t)n * classes + c]);
        }
        for (int c = 0; c < classes; c++)
            sum += exp(row[c] - max_logit);
        for (int c = 0; c < classes; c++) {
            const size_t at = (size_t)n * classes + c;
            const double target = (double)out->target[at];

            out->scores.value[at] = row[c] - max_logit - log(sum);
            out->scores.scale[at] = 2 * scale;
            out->loss.value[0] -= target * out->scores.value[at]
                                  / r->layout->s.n;
            out->loss.scale[0] += fabs(target) * 2 * scale / r->layout->s.n;
        }
    }
}

static void forward(struct network_pass *r)
{
    const struct layout *p = r->layout;
    const size_t activation = (size_t)p->s.n * p->s.k * p->z.p * p->z.q;
    const size_t pooled = (size_t)p->s.n * p->z.features;
    const size_t scores = (size_t)p->s.n * p->s.classes;

    r->activation = suite_doubles(activation);
    r->activation_scale = suite_doubles(activation);
    r->pooled = suite_doubles(pooled);
    r->pooled_scale = suite_doubles(pooled);
    r->from = (size_t *)suite_doubles(pooled);
    r->logits = suite_doubles(scores);
    r->logits_scale = suite_doubles(scores);
    convolution_forward(r);
    maxpool_forward(r);
    dense_forward(r);
    log_softmax_forward(r);
}

/* --- backward ------------------------------------------------------------ */

/* Adds to a gradient and to its bound. */
static void accumulate(struct bounded_array *to, size_t at, double value,
                       double scale)
{
    to->value[at] += value;
    to->scale[at] += scale;
}

/* Propagates the gradient g of one logit of one image to the dense layer's
 * parameters and, through the pooling, to the activations. */
static void dense_backward(struct network_pass *r, size_t n, size_t c, double g,
                           double scale)
{
    const struct layout *p = r->layout;
    const size_t classes = p->s.classes, features = p->z.features;
    struct bounded_array *to = &r->out->gradients;

    accumulate(to, p->dense_bias + c, g, scale);
    for (size_t f = 0; f < features; f++) {
        const size_t at = n * features + f, w = p->dense + f * classes + c;
        const size_t from =
            r->out->mistake == NETWORK_DENSE_ROWS_BACKWARD
                ? p->dense + c * features + f : w;

        accumulate(to, w, g * r->pooled[at], scale * r->pooled_scale[at]);
        r->activation_grad[r->from[at]] += g * r->parameters[from];
        r->activation_grad_scale[r->from[at]] += scale * fabs(r->parameters[w]);
    }
}

/* Does the gradient of this activation pass the ReLU? */
static bool passes_relu(const struct network_pass *r, size_t y)
{
    switch (r->out->mistake) {
    case NETWORK_NO_RELU_BACKWARD: return true;
    case NETWORK_RELU_OF_GRADIENT: return r->activation_grad[y] > 0;
    default: return r->activation[y] > 0;
    }
}

static double convolution_grad(const struct network_pass *r, size_t y)
{
    return r->out->mistake == NETWORK_OUTPUT_AS_GRADIENT
               ? r->activation[y] : r->activation_grad[y];
}

static void accumulate_backward(void *context, size_t x, size_t w, size_t y)
{
    struct network_pass *r = context;
    const double g = convolution_grad(r, y);
    const double scale = r->activation_grad_scale[y];

    if (!passes_relu(r, y))
        return;
    accumulate(&r->out->gradients, w, product(r, g, r->x[x]),
               scale * fabs(r->x[x]));
    accumulate(&r->out->x_grad, x, product(r, g, r->parameters[w]),
               scale * fabs(r->parameters[w]));
}

static void backward(struct network_pass *r)
{
    const struct layout *p = r->layout;
    const size_t pixels = (size_t)p->z.p * p->z.q;
    const size_t activation = pixels * p->s.n * p->s.k;
    const size_t scores = (size_t)p->s.n * p->s.classes;

    r->activation_grad = suite_doubles(activation);
    r->activation_grad_scale = suite_doubles(activation);
    for (size_t i = 0; i < scores; i++) {
        const double probability = exp(r->out->scores.value[i]);
        const double target = (double)r->out->target[i];

        dense_backward(
            r, i / p->s.classes, i % p->s.classes,
            network_logit_gradient(r->out, i),
            (probability * (1 + r->out->scores.scale[i]) + fabs(target))
                / p->s.n);
    }
    for (size_t y = 0; y < activation; y++)
        if (passes_relu(r, y))
            accumulate(&r->out->gradients, p->bias + y / pixels % p->s.k,
                       convolution_grad(r, y), r->activation_grad_scale[y]);
    visit_products(p, accumulate_backward, r);
}

void network_step_reference(struct network_step *step)
{
    const struct layout layout = layout_create(step);
    struct network_pass r = {.layout = &layout, .out = step};

    r.x = network_doubles(step->x, step->x_grad.count);
    r.parameters = network_doubles(step->parameters, step->parameter_count);
    forward(&r);
    if (step->back)
        r.parameters = network_doubles(step->back, step->parameter_count);
    backward(&r);
}

double network_step_loss(const struct network_step *step,
                         const double *parameters, const double *x)
{
    const struct layout layout = layout_create(step);
    struct network_step out = *step;
    struct network_pass r = {.layout = &layout, .out = &out, .x = x,
                    .parameters = parameters};

    out.scores = bounded_array(step->scores.count);
    out.loss = bounded_array(1);
    forward(&r);
    return out.loss.value[0];
}
