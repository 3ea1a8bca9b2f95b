/* SPDX-License-Identifier: MIT */
/* Lab 15's suite: first nets trained.  Forward and backward run here, in
 * double; the lab makes the steps.  Beside it runs a training all in double,
 * which the lab's must stay near. */
#include "suite_15.h"

enum { FEATURES = 6, HIDDEN = 12, CLASSES = 3, MOST = 160 };

/* A net with one hidden layer of ReLUs, or none; weights [in][out] before the
 * biases, as weight decay has it. */
struct net {
    size_t hidden; /* 0: softmax regression */
    size_t n;      /* parameters */
    size_t weights;
};

/* Examples and their classes. */
struct data {
    size_t n;
    double x[MOST][FEATURES];
    unsigned label[MOST];
};

static struct net net_of(size_t hidden)
{
    const size_t weights = hidden ? FEATURES * hidden + hidden * CLASSES
                                  : FEATURES * CLASSES;

    return (struct net){hidden, weights + hidden + CLASSES, weights};
}

/* out = in W + bias. */
static void dense(const double *in, size_t n, const double *weights,
                  const double *bias, double *out, size_t m)
{
    for (size_t j = 0; j < m; j++) {
        out[j] = bias[j];
        for (size_t i = 0; i < n; i++)
            out[j] += in[i] * weights[i * m + j];
    }
}

/* The same backward: gradients added up; in_grad may be NULL. */
static void dense_back(const double *in, size_t n, const double *weights,
                       const double *out_grad, size_t m, double *weights_grad,
                       double *in_grad)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            weights_grad[i * m + j] += in[i] * out_grad[j];
            if (in_grad)
                in_grad[i] += weights[i * m + j] * out_grad[j];
        }
}

/* Loss of one example; out becomes its gradient. */
static double softmax_loss_of(double *out, unsigned label)
{
    double most = fmax(out[0], fmax(out[1], out[2])), sum = 0, loss;

    for (int i = 0; i < CLASSES; i++)
        sum += exp(out[i] - most);
    loss = log(sum) + most - out[label];
    for (int i = 0; i < CLASSES; i++)
        out[i] = exp(out[i] - most) / sum - (i == (int)label);
    return loss;
}

/* Forward and backward of one example. @return its loss */
static double example(const struct net *net, const double *p, const double *x,
                      unsigned label, double *grad)
{
    const size_t h = net->hidden;
    const double *second = p + FEATURES * h, *bias = p + net->weights;
    double hidden[HIDDEN], back[HIDDEN] = {0}, out[CLASSES], loss;
    double *bias_grad = grad + net->weights;

    if (h) {
        dense(x, FEATURES, p, bias, hidden, h);
        for (size_t i = 0; i < h; i++)
            hidden[i] = fmax(hidden[i], 0);
    }
    dense(h ? hidden : x, h ? h : FEATURES, second, bias + h, out, CLASSES);
    loss = softmax_loss_of(out, label);
    dense_back(h ? hidden : x, h ? h : FEATURES, second, out, CLASSES,
               grad + FEATURES * h, h ? back : NULL);
    for (int i = 0; i < CLASSES; i++)
        bias_grad[h + (size_t)i] += out[i];
    for (size_t i = 0; i < h; i++) {
        back[i] = hidden[i] > 0 ? back[i] : 0;
        bias_grad[i] += back[i];
    }
    if (h)
        dense_back(x, FEATURES, p, back, h, grad, NULL);
    return loss;
}

/* Mean loss over all data, and its gradient. */
static double batch(const struct net *net, const double *p,
                    const struct data *data, double *grad)
{
    double loss = 0;

    memset(grad, 0, net->n * sizeof *grad);
    for (size_t i = 0; i < data->n; i++)
        loss += example(net, p, data->x[i], data->label[i], grad);
    for (size_t i = 0; i < net->n; i++)
        grad[i] /= (double)data->n;
    return loss / (double)data->n;
}

/* How one is trained: by SGD, or by Adam where that is set. */
struct recipe {
    const struct sgd *sgd;
    const struct adam *adam;
    struct schedule rate;
    float most; /* norm of the gradients */
    int steps;
};

/* One parameter's step in double, at a rate. */
static void double_step(const struct recipe *r, int t, double rate, double g,
                        double *p)
{
    double *value = p, *first = p + 1, *second = p + 2;

    if (r->sgd) {
        *first = (double)r->sgd->momentum * *first + g;
        *value -= rate * (r->sgd->nesterov
                              ? g + (double)r->sgd->momentum * *first
                              : *first);
        return;
    }
    *first = (double)r->adam->beta1 * *first
             + (1 - (double)r->adam->beta1) * g;
    *second = (double)r->adam->beta2 * *second
              + (1 - (double)r->adam->beta2) * g * g;
    *value -= rate * (*first / (1 - pow((double)r->adam->beta1, t)))
              / (sqrt(*second / (1 - pow((double)r->adam->beta2, t)))
                 + (double)r->adam->epsilon);
}

/* The whole training in double. @return the last loss */
static double train_in_double(const struct net *net, const struct data *data,
                              const struct recipe *r, const float *start)
{
    double *p = suite_doubles(net->n), *grad = suite_doubles(net->n);
    double *state = suite_doubles(3 * net->n);

    for (size_t i = 0; i < net->n; i++)
        state[3 * i] = start[i];
    for (int t = 1; t <= r->steps; t++) {
        double squares = 0, norm, scale;

        for (size_t i = 0; i < net->n; i++)
            p[i] = state[3 * i];
        batch(net, p, data, grad);
        for (size_t i = 0; i < net->n; i++)
            squares += grad[i] * grad[i];
        norm = sqrt(squares);
        scale = norm > (double)r->most ? (double)r->most / norm : 1;
        for (size_t i = 0; i < net->n; i++)
            double_step(r, t, r->rate.rate, scale * grad[i], &state[3 * i]);
    }
    for (size_t i = 0; i < net->n; i++)
        p[i] = state[3 * i];
    return batch(net, p, data, grad);
}

/* One step by the lab: number and rate, norm and scale, update. */
static void lab_step(struct buffers *b, const struct recipe *r)
{
    float *work = suite_floats(CLIP_WORK(b->n)), norm[2] = {0, 1};
    const struct update u = buffers_update(b, 0);

    expect_success(next_step(&r->rate, &b->step, &b->rate));
    expect_success(clip_norm(b->grads, b->n, r->most, norm, work));
    b->scale = norm[1];
    expect_success(r->sgd ? sgd_step(&u, r->sgd) : adam_step(&u, r->adam));
}

/* Trains from random weights. The last loss must be below `bound` and within
 * 2 % (and 0.001) of what double reaches. */
static void train(const struct net *net, const struct data *data,
                  const struct recipe *r, double bound)
{
    struct buffers b = buffers_new(net->n);
    double *p = suite_doubles(net->n), *grad = suite_doubles(net->n);
    double loss = 0, want;

    random_floats(b.params, net->weights, -0.5, 0.5);
    memset(b.params + net->weights, 0,
           (net->n - net->weights) * sizeof *b.params);
    want = train_in_double(net, data, r, b.params);
    b.step = 0;
    for (int t = 0; t <= r->steps && !suite_failed(); t++) {
        for (size_t i = 0; i < net->n; i++)
            p[i] = b.params[i];
        loss = batch(net, p, data, grad);
        for (size_t i = 0; i < net->n; i++)
            b.grads[i] = (float)grad[i];
        if (t < r->steps)
            lab_step(&b, r);
    }
    expect_that(loss < bound && fabs(loss - want) < 1e-3 + 0.02 * want,
                "after %d steps the loss is %.5g; in double it is %.5g, and "
                "should be below %g", r->steps, loss, want, bound);
}

/* Clouds round a centre for each class; labels at random without `centres`. */
static void make_data(struct data *data, size_t n, bool centres)
{
    double centre[CLASSES][FEATURES];

    for (int i = 0; i < CLASSES * FEATURES; i++)
        centre[i / FEATURES][i % FEATURES] =
            (i / FEATURES == i % CLASSES ? 2 : 0) + random_real(-0.3, 0.3);
    data->n = n;
    for (size_t i = 0; i < n; i++) {
        data->label[i] = (unsigned)random_between(0, CLASSES - 1);
        for (int k = 0; k < FEATURES; k++)
            data->x[i][k] = random_real(-1, 1)
                            + (centres ? centre[data->label[i]][k] : 0);
    }
}

/* Softmax regression by gradient descent, then with momentum. */
void optimizers_regression(void)
{
    static const struct sgd plain = {0}, nesterov = {.momentum = 0.9f,
                                                     .nesterov = 1};
    static struct data data;
    const struct net net = net_of(0);
    const struct recipe slow = {.sgd = &plain, .most = INFINITY, .steps = 60,
                                .rate = {.rate = 0.5f}};
    const struct recipe fast = {.sgd = &nesterov, .most = 0.5f, .steps = 40,
                                .rate = {.rate = 0.2f}};

    make_data(&data, MOST, true);
    suite_case("softmax regression by sgd");
    train(&net, &data, &slow, 0.15);
    suite_case("softmax regression by nesterov, clipped");
    train(&net, &data, &fast, 0.15);
}

/* A hidden layer, by Adam. */
void optimizers_mlp(void)
{
    static const struct adam adam = {.beta1 = 0.9f, .beta2 = 0.999f,
                                     .epsilon = 1e-8f};
    static struct data data;
    const struct net net = net_of(HIDDEN);
    const struct recipe r = {.adam = &adam, .most = 1, .steps = 60,
                             .rate = {.rate = 0.02f}};

    make_data(&data, MOST, true);
    suite_case("a net of 6-12-3 by adam");
    train(&net, &data, &r, 0.2);
}

/* Eight examples whose labels mean nothing are learnt by heart. */
void optimizers_overfit(void)
{
    static const struct adam adam = {.beta1 = 0.9f, .beta2 = 0.99f,
                                     .epsilon = 1e-8f};
    static struct data data;
    const struct net net = net_of(HIDDEN);
    const struct recipe r = {.adam = &adam, .most = INFINITY, .steps = 150,
                             .rate = {.rate = 0.05f}};

    make_data(&data, 8, false);
    suite_case("8 examples learnt by heart");
    train(&net, &data, &r, 0.05);
}
