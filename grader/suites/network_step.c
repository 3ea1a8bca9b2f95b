/* SPDX-License-Identifier: MIT */
/* The reference of lab 13, in double. */
#include "network_step.h"

#include <math.h>
#include <string.h>

struct network_sizes network_sizes(const struct cudnn_layer_shape *s)
{
    struct network_sizes z = {.p = s->h + 2 * s->pad - s->r + 1,
                              .q = s->w + 2 * s->pad - s->s + 1};

    z.pooled_p = z.p / 2;
    z.pooled_q = z.q / 2;
    z.features = s->k * z.pooled_p * z.pooled_q;
    return z;
}

static struct bounded bounded(size_t count)
{
    return (struct bounded){suite_doubles(count), suite_doubles(count), count};
}

struct network_step network_step_new(const struct cudnn_layer_shape *s)
{
    const struct network_sizes z = network_sizes(s);
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
    step.scores = bounded(scores);
    step.loss = bounded(1);
    step.gradients = bounded(step.parameter_count);
    step.x_grad = bounded(x);
    return step;
}

/** Where the parts of the parameters begin, and the sizes. */
struct plan {
    struct cudnn_layer_shape s;
    struct network_sizes z;
    size_t bias, dense, dense_bias;
};

static struct plan plan_of(const struct cudnn_layer_shape *s)
{
    struct plan p = {.s = *s, .z = network_sizes(s)};

    p.bias = (size_t)s->k * s->c * s->r * s->s;
    p.dense = p.bias + s->k;
    p.dense_bias = p.dense + (size_t)p.z.features * s->classes;
    return p;
}

/* Call f for each product of the convolution: indices of x, filter, y. */
typedef void product(void *user, size_t x, size_t w, size_t y);

static void each_product(const struct plan *p, product *f, void *user)
{
    const struct cudnn_layer_shape *s = &p->s;
    const int taps = s->c * s->r * s->s;
    const size_t all = (size_t)s->n * s->k * p->z.p * p->z.q;

    for (size_t y = 0; y < all; y++) {
        const int v = (int)(y % p->z.q), u = (int)(y / p->z.q % p->z.p);
        const size_t k = y / p->z.q / p->z.p % s->k;
        const size_t n = y / p->z.q / p->z.p / s->k;

        for (int t = 0; t < taps; t++) {
            const int row = u - s->pad + t / s->s % s->r;
            const int column = v - s->pad + t % s->s, c = t / s->s / s->r;

            if (row >= 0 && column >= 0 && row < s->h && column < s->w)
                f(user, ((n * s->c + c) * s->h + row) * s->w + column,
                  k * taps + t, y);
        }
    }
}

/** All arrays of a step; `magnitude` holds no signs. */
struct run {
    const struct plan *plan;
    const double *x, *parameters;
    double *act, *act_scale;       /* [n][k][p][q] */
    double *pooled, *pooled_scale; /* [n][features] */
    size_t *from;                  /* where each pooled number came from */
    double *logits, *logits_scale; /* [n][classes] */
    double *act_grad, *act_grad_scale;
    struct network_step *out;
};

static void multiply(void *user, size_t x, size_t w, size_t y)
{
    const struct run *r = user;
    const double v = r->x[x] * r->parameters[w];

    r->act[y] += v;
    r->act_scale[y] += fabs(v);
}

static void convolve(struct run *r)
{
    const struct plan *p = r->plan;
    const size_t places = (size_t)p->z.p * p->z.q;
    const size_t all = places * p->s.n * p->s.k;

    each_product(p, multiply, r);
    for (size_t y = 0; y < all; y++) {
        const double bias = r->parameters[p->bias + y / places % p->s.k];

        r->act[y] = fmax(r->act[y] + bias, 0);
        r->act_scale[y] += fabs(bias);
    }
}

static void pool(struct run *r)
{
    const struct network_sizes *z = &r->plan->z;
    const size_t all = (size_t)r->plan->s.n * z->features;

    for (size_t i = 0; i < all; i++) {
        const size_t v = i % z->pooled_q, u = i / z->pooled_q % z->pooled_p;
        const size_t plane = i / z->pooled_q / z->pooled_p;
        const size_t first = (plane * z->p + 2 * u) * z->q + 2 * v;
        const size_t window[] = {first, first + 1, first + z->q,
                                 first + z->q + 1};
        size_t best = first;

        for (int k = 0; k < 4; k++) {
            if (r->act[window[k]] > r->act[best])
                best = window[k];
            r->pooled_scale[i] = fmax(r->pooled_scale[i],
                                      r->act_scale[window[k]]);
        }
        r->from[i] = best;
        r->pooled[i] = r->act[best];
    }
}

static void multiply_dense(struct run *r)
{
    const struct plan *p = r->plan;
    const int classes = p->s.classes, features = p->z.features;

    for (int n = 0; n < p->s.n; n++)
        for (int c = 0; c < classes; c++) {
            const double bias = r->parameters[p->dense_bias + c];
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

/* Scores, and the largest magnitude of a row's logits on the way to them. */
static void softmax(struct run *r)
{
    const int classes = r->plan->s.classes;
    struct network_step *out = r->out;

    for (int n = 0; n < r->plan->s.n; n++) {
        const double *row = r->logits + (size_t)n * classes;
        double most = -INFINITY, sum = 0, scale = 1;

        for (int c = 0; c < classes; c++) {
            most = fmax(most, row[c]);
            scale = fmax(scale, r->logits_scale[(size_t)n * classes + c]);
        }
        for (int c = 0; c < classes; c++)
            sum += exp(row[c] - most);
        for (int c = 0; c < classes; c++) {
            const size_t at = (size_t)n * classes + c;
            const double target = (double)out->target[at];

            out->scores.value[at] = row[c] - most - log(sum);
            out->scores.scale[at] = 2 * scale;
            out->loss.value[0] -= target * out->scores.value[at]
                                  / r->plan->s.n;
            out->loss.scale[0] += fabs(target) * 2 * scale / r->plan->s.n;
        }
    }
}

static void forward(struct run *r)
{
    const struct plan *p = r->plan;
    const size_t act = (size_t)p->s.n * p->s.k * p->z.p * p->z.q;
    const size_t pooled = (size_t)p->s.n * p->z.features;
    const size_t scores = (size_t)p->s.n * p->s.classes;

    r->act = suite_doubles(act);
    r->act_scale = suite_doubles(act);
    r->pooled = suite_doubles(pooled);
    r->pooled_scale = suite_doubles(pooled);
    r->from = (size_t *)suite_doubles(pooled);
    r->logits = suite_doubles(scores);
    r->logits_scale = suite_doubles(scores);
    convolve(r);
    pool(r);
    multiply_dense(r);
    softmax(r);
}

/* --- backward ------------------------------------------------------------ */

/* Add to a gradient and to its magnitude. */
static void add(struct bounded *to, size_t at, double value, double scale)
{
    to->value[at] += value;
    to->scale[at] += scale;
}

/* One number of one image: its logits' gradient g reaches the dense layer's
 * parameters and, through the pooling, the activations. */
static void dense_backward(struct run *r, size_t n, size_t c, double g,
                           double scale)
{
    const struct plan *p = r->plan;
    const size_t classes = p->s.classes, features = p->z.features;
    struct bounded *to = &r->out->gradients;

    add(to, p->dense_bias + c, g, scale);
    for (size_t f = 0; f < features; f++) {
        const size_t at = n * features + f, w = p->dense + f * classes + c;

        add(to, w, g * r->pooled[at], scale * r->pooled_scale[at]);
        r->act_grad[r->from[at]] += g * r->parameters[w];
        r->act_grad_scale[r->from[at]] += scale * fabs(r->parameters[w]);
    }
}

static void multiply_back(void *user, size_t x, size_t w, size_t y)
{
    struct run *r = user;
    const double g = r->act_grad[y], scale = r->act_grad_scale[y];

    if (r->act[y] <= 0)
        return;
    add(&r->out->gradients, w, g * r->x[x], scale * fabs(r->x[x]));
    add(&r->out->x_grad, x, g * r->parameters[w],
        scale * fabs(r->parameters[w]));
}

static void backward(struct run *r)
{
    const struct plan *p = r->plan;
    const size_t places = (size_t)p->z.p * p->z.q;
    const size_t act = places * p->s.n * p->s.k;
    const size_t scores = (size_t)p->s.n * p->s.classes;

    r->act_grad = suite_doubles(act);
    r->act_grad_scale = suite_doubles(act);
    for (size_t i = 0; i < scores; i++) {
        const double share = exp(r->out->scores.value[i]);
        const double target = (double)r->out->target[i];

        dense_backward(r, i / p->s.classes, i % p->s.classes,
                       (share - target) / p->s.n,
                       (share * (1 + r->out->scores.scale[i]) + fabs(target))
                           / p->s.n);
    }
    for (size_t y = 0; y < act; y++)
        if (r->act[y] > 0)
            add(&r->out->gradients, p->bias + y / places % p->s.k,
                r->act_grad[y], r->act_grad_scale[y]);
    each_product(p, multiply_back, r);
}

static double *widened(const float *from, size_t count)
{
    double *to = suite_doubles(count);

    for (size_t i = 0; i < count; i++)
        to[i] = (double)from[i];
    return to;
}

void network_step_reference(struct network_step *step)
{
    const struct plan plan = plan_of(&step->shape);
    struct run r = {.plan = &plan, .out = step};

    r.x = widened(step->x, step->x_grad.count);
    r.parameters = widened(step->parameters, step->parameter_count);
    forward(&r);
    backward(&r);
}

double network_step_loss(const struct network_step *step,
                         const double *parameters, const double *x)
{
    const struct plan plan = plan_of(&step->shape);
    struct network_step out = *step;
    struct run r = {.plan = &plan, .out = &out, .x = x,
                    .parameters = parameters};

    out.scores = bounded(step->scores.count);
    out.loss = bounded(1);
    forward(&r);
    return out.loss.value[0];
}
