/* SPDX-License-Identifier: MIT */
/* Lab 15's suite: small networks trained.  The suite computes the forward and
 * backward passes in double, the lab updates the parameters.  The final loss
 * must be close to that of a training in double. */
#include "suite_15.h"

enum { FEATURES = 6, HIDDEN = 12, CLASSES = 3, MAX_EXAMPLES = 160 };

/* A network with one hidden layer and ReLU, or none.  The weights [in][out]
 * precede the biases, so that weight decay applies to the first parameters. */
struct net {
    size_t hidden; /* 0: softmax regression */
    size_t n;      /* parameters */
    size_t weights;
};

/* Examples and their labels. */
struct dataset {
    size_t n;
    double x[MAX_EXAMPLES][FEATURES];
    unsigned label[MAX_EXAMPLES];
};

static struct net net_create(size_t hidden)
{
    const size_t weights = hidden ? FEATURES * hidden + hidden * CLASSES
                                  : FEATURES * CLASSES;

    return (struct net){hidden, weights + hidden + CLASSES, weights};
}

/* out = in W + bias. */
static void dense_forward(const double *in, size_t n, const double *weights,
                          const double *bias, double *out, size_t m)
{
    for (size_t j = 0; j < m; j++) {
        out[j] = bias[j];
        for (size_t i = 0; i < n; i++)
            out[j] += in[i] * weights[i * m + j];
    }
}

/* Backward pass of dense_forward(): accumulates gradients; in_grad may be
 * NULL. */
static void dense_backward(const double *in, size_t n, const double *weights,
                           const double *out_grad, size_t m,
                           double *weights_grad, double *in_grad)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            weights_grad[i * m + j] += in[i] * out_grad[j];
            if (in_grad)
                in_grad[i] += weights[i * m + j] * out_grad[j];
        }
}

/* Cross-entropy loss of one example; `out` becomes the gradient of the
 * logits. */
static double cross_entropy(double *out, unsigned label)
{
    double max_norm = fmax(out[0], fmax(out[1], out[2])), sum = 0, loss;

    for (int i = 0; i < CLASSES; i++)
        sum += exp(out[i] - max_norm);
    loss = log(sum) + max_norm - out[label];
    for (int i = 0; i < CLASSES; i++)
        out[i] = exp(out[i] - max_norm) / sum - (i == (int)label);
    return loss;
}

/* Forward and backward pass of one example.  Returns its loss. */
static double forward_backward(const struct net *net, const double *p,
                               const double *x, unsigned label, double *grad)
{
    const size_t h = net->hidden;
    const double *second = p + FEATURES * h, *bias = p + net->weights;
    double hidden[HIDDEN], hidden_grad[HIDDEN] = {0}, out[CLASSES], loss;
    double *bias_grad = grad + net->weights;

    if (h) {
        dense_forward(x, FEATURES, p, bias, hidden, h);
        for (size_t i = 0; i < h; i++)
            hidden[i] = fmax(hidden[i], 0);
    }
    dense_forward(h ? hidden : x, h ? h : FEATURES, second, bias + h, out,
                  CLASSES);
    loss = cross_entropy(out, label);
    dense_backward(h ? hidden : x, h ? h : FEATURES, second, out, CLASSES,
                   grad + FEATURES * h, h ? hidden_grad : NULL);
    for (int i = 0; i < CLASSES; i++)
        bias_grad[h + (size_t)i] += out[i];
    for (size_t i = 0; i < h; i++) {
        hidden_grad[i] = hidden[i] > 0 ? hidden_grad[i] : 0;
        bias_grad[i] += hidden_grad[i];
    }
    if (h)
        dense_backward(x, FEATURES, p, hidden_grad, h, grad, NULL);
    return loss;
}

/* Mean loss over the dataset, and its gradient. */
static double batch_loss(const struct net *net, const double *p,
                         const struct dataset *dataset, double *grad)
{
    double loss = 0;

    memset(grad, 0, net->n * sizeof *grad);
    for (size_t i = 0; i < dataset->n; i++)
        loss +=
            forward_backward(net, p, dataset->x[i], dataset->label[i], grad);
    for (size_t i = 0; i < net->n; i++)
        grad[i] /= (double)dataset->n;
    return loss / (double)dataset->n;
}

/* How a network is trained: with SGD, or with Adam where `sgd` is NULL. */
struct training_options {
    const struct sgd *sgd;
    const struct adam *adam;
    struct schedule rate;
    float max_norm; /* of the gradients; larger ones are clipped */
    int steps;
};

/* One step of one parameter in double; p has the value and both moments. */
static void update_parameter(const struct training_options *r, int t,
                             double rate, double g, double *p)
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

/* The whole training in double.  Returns the last loss. */
static double train_reference(const struct net *net,
                              const struct dataset *dataset,
                              const struct training_options *r,
                              const float *start)
{
    double *p = suite_doubles(net->n), *grad = suite_doubles(net->n);
    double *state = suite_doubles(3 * net->n);

    for (size_t i = 0; i < net->n; i++)
        state[3 * i] = start[i];
    for (int t = 1; t <= r->steps; t++) {
        double squares = 0, norm, scale;

        for (size_t i = 0; i < net->n; i++)
            p[i] = state[3 * i];
        batch_loss(net, p, dataset, grad);
        for (size_t i = 0; i < net->n; i++)
            squares += grad[i] * grad[i];
        norm = sqrt(squares);
        scale = norm > (double)r->max_norm ? (double)r->max_norm / norm : 1;
        for (size_t i = 0; i < net->n; i++)
            update_parameter(r, t, r->rate.rate, scale * grad[i],
                             &state[3 * i]);
    }
    for (size_t i = 0; i < net->n; i++)
        p[i] = state[3 * i];
    return batch_loss(net, p, dataset, grad);
}

/* One step by the lab: learning rate, clipping, update. */
static void update_by_lab(struct buffers *b, const struct training_options *r)
{
    float *work = suite_floats(CLIP_WORKSPACE(b->n)), norm[2] = {0, 1};
    const struct update u = buffers_to_update(b, 0);

    expect_success(schedule_next_step(&r->rate, &b->step, &b->rate));
    expect_success(clip_grad_norm(b->grads, b->n, r->max_norm, norm, work));
    b->scale = norm[1];
    expect_success(r->sgd ? sgd_step(&u, r->sgd) : adam_step(&u, r->adam));
}

/* Trains from random weights.  The last loss must be below `max_loss` and
 * within 2 % (plus 0.001) of the training in double.  Of 4,000 networks one had
 * two examples at which all hidden units are 0: it does not learn in double,
 * either, so others are drawn until one does, with room to spare. */
static void train(const struct net *net, const struct dataset *dataset,
                  const struct training_options *r, double max_loss)
{
    struct buffers b = buffers_create(net->n);
    double *p = suite_doubles(net->n), *grad = suite_doubles(net->n);
    double loss = 0, want = INFINITY;

    for (int left = 20; left > 0 && want > 0.75 * max_loss; left--) {
        random_floats(b.params, net->weights, -0.5, 0.5);
        memset(b.params + net->weights, 0,
               (net->n - net->weights) * sizeof *b.params);
        want = train_reference(net, dataset, r, b.params);
    }
    b.step = 0;
    for (int t = 0; t <= r->steps && !suite_failed(); t++) {
        for (size_t i = 0; i < net->n; i++)
            p[i] = b.params[i];
        loss = batch_loss(net, p, dataset, grad);
        for (size_t i = 0; i < net->n; i++)
            b.grads[i] = (float)grad[i];
        if (t < r->steps)
            update_by_lab(&b, r);
    }
    expect_that(loss < max_loss && fabs(loss - want) < 1e-3 + 0.02 * want,
                "after %d steps the loss is %.5g; in double it is %.5g, and "
                "should be below %g", r->steps, loss, want, max_loss);
}

/* Points around a center for each class; random points without `clustered`. */
static void create_dataset(struct dataset *dataset, size_t n, bool clustered)
{
    double center[CLASSES][FEATURES];

    for (int i = 0; i < CLASSES * FEATURES; i++)
        center[i / FEATURES][i % FEATURES] =
            (i / FEATURES == i % CLASSES ? 2 : 0) + random_uniform(-0.3, 0.3);
    dataset->n = n;
    for (size_t i = 0; i < n; i++) {
        dataset->label[i] = (unsigned)random_int(0, CLASSES - 1);
        for (int k = 0; k < FEATURES; k++)
            dataset->x[i][k] = random_uniform(-1, 1)
                            + (clustered ? center[dataset->label[i]][k] : 0);
    }
}

/* Softmax regression by gradient descent, then with momentum. */
void optimizers_regression(void)
{
    static const struct sgd plain = {0}, nesterov = {.momentum = 0.9f,
                                                     .nesterov = 1};
    static struct dataset dataset;
    const struct net net = net_create(0);
    const struct training_options slow = {.sgd = &plain,
                                          .max_norm = INFINITY,
                                          .steps = 60,
                                          .rate = {.rate = 0.5f}};
    const struct training_options fast = {.sgd = &nesterov,
                                          .max_norm = 0.5f,
                                          .steps = 40,
                                          .rate = {.rate = 0.2f}};

    create_dataset(&dataset, MAX_EXAMPLES, true);
    suite_case("softmax regression by sgd");
    train(&net, &dataset, &slow, 0.15);
    suite_case("softmax regression by nesterov, clipped");
    train(&net, &dataset, &fast, 0.15);
}

/* A hidden layer, trained with Adam. */
void optimizers_mlp(void)
{
    static const struct adam adam = {.beta1 = 0.9f, .beta2 = 0.999f,
                                     .epsilon = 1e-8f};
    static struct dataset dataset;
    const struct net net = net_create(HIDDEN);
    const struct training_options r = {
        .adam = &adam, .max_norm = 1, .steps = 60, .rate = {.rate = 0.02f}};

    create_dataset(&dataset, MAX_EXAMPLES, true);
    suite_case("a net of 6-12-3 by adam");
    train(&net, &dataset, &r, 0.2);
}

/* Eight examples with random labels are overfitted. */
void optimizers_overfit(void)
{
    static const struct adam adam = {.beta1 = 0.9f, .beta2 = 0.99f,
                                     .epsilon = 1e-8f};
    static struct dataset dataset;
    const struct net net = net_create(HIDDEN);
    const struct training_options r = {.adam = &adam,
                                       .max_norm = INFINITY,
                                       .steps = 150,
                                       .rate = {.rate = 0.05f}};

    create_dataset(&dataset, 8, false);
    suite_case("8 examples learnt by heart");
    train(&net, &dataset, &r, 0.05);
}
