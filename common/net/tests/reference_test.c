/* SPDX-License-Identifier: MIT */
/* The reference's gradient agrees with finite differences of its loss. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/data/random_bits.h"
#include "common/net/reference.h"
#include "common/base/tests/scratch.h"
#include "net_tests.h"

enum { IMAGES = 3, PIXELS = 2 * 9 * 8 };

static const char text[] = "conv 3 3x2 stride 2 pad 1\nbatchnorm\nrelu\n"
                           "maxpool 2 stride 1\nconv 4 2x2\nrelu\n"
                           "dense 5\nrelu\ndense\n";
/* Sums of the image, of a layer in the chain, and of one output twice. */
static const char residual[] =
    "conv 2 3x3 pad 1\nadd input\navgpool 2 stride 1\nconv 3 3x3 pad 1\n"
    "conv 3 3x3 pad 1\nadd conv2\nrelu\nadd conv2\nmaxpool 2\n"
    "conv 3 3x3 pad 1\nadd maxpool1\nglobalpool\ndense\n";
static const unsigned char labels[IMAGES] = {2, 0, 3};

/* A network of these layers, with random weights and images. */
static void make(const char *layers, struct network *net,
                 struct reference **x, double *images)
{
    const struct image_shape in = {2, 9, 8};
    struct failure why = {""};
    char path[PATH_BYTES];
    float *first;
    uint64_t state = 5;

    scratch_file(path, "odd.net", layers, strlen(layers));
    CU_ASSERT_FATAL(network_read(path, in, 4, net, &why));
    first = malloc(net->parameters * sizeof *first);
    CU_ASSERT_FATAL(first != NULL);
    network_initialize(net, first, 3);
    *x = reference_make(net, IMAGES, first);
    free(first);
    CU_ASSERT_FATAL(*x != NULL);
    for (int i = 0; i < IMAGES * PIXELS; i++)
        images[i] = 2 * random_uniform01(&state) - 1;
}

/* Each gradient against a difference quotient of the loss. */
static void check_gradient(const char *layers)
{
    static double images[IMAGES * PIXELS];
    static struct network net;
    const double step = 1e-6;
    struct reference *x;
    double worst = 0;

    make(layers, &net, &x, images);
    reference_backward(x, images, labels, IMAGES);
    for (size_t i = 0; i < net.parameters; i++) {
        const double old = x->parameters[i];
        double above, below;

        x->parameters[i] = old + step;
        above = reference_loss(x, images, labels, IMAGES);
        x->parameters[i] = old - step;
        below = reference_loss(x, images, labels, IMAGES);
        x->parameters[i] = old;
        worst = fmax(worst, fabs((above - below) / (2 * step)
                                 - x->gradients[i]));
    }
    CU_ASSERT(worst < 1e-7);
    reference_free(x);
}

/* A network of all kinds of layers. */
static void gradient(void)
{
    check_gradient(text);
}

/* A network with residual connections. */
static void residual_gradient(void)
{
    check_gradient(residual);
}

static const unsigned char label[1] = {0};

/* A network of two classes for an image of 3 x 3. Its first layer is a
 * convolution whose first weight is 1; all other parameters are 0. */
static struct reference *make_small(struct network *net, const char *layers)
{
    const struct image_shape in = {1, 3, 3};
    struct failure why = {""};
    char path[PATH_BYTES];
    struct reference *x;
    float *zeros;

    scratch_file(path, "small.net", layers, strlen(layers));
    CU_ASSERT_FATAL(network_read(path, in, 2, net, &why));
    zeros = calloc(net->parameters, sizeof *zeros);
    CU_ASSERT_FATAL(zeros != NULL);
    zeros[net->layers[0].weight_offset] = 1;
    x = reference_make(net, 1, zeros);
    free(zeros);
    CU_ASSERT_FATAL(x != NULL);
    return x;
}

/* The output is the image one row down and one column to the right, with
 * padding above and at the left. */
static void padding_comes_first(void)
{
    static struct network net;
    const double image[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    const double want[9] = {0, 0, 0, 0, 1, 2, 0, 4, 5};
    struct reference *x = make_small(&net, "conv 1 3x3 pad 1\ndense\n");

    reference_loss(x, image, label, 1);
    for (int i = 0; i < 9; i++) CU_ASSERT_EQUAL(x->out[0][i], want[i]);
    reference_free(x);
}

/* Overlapping windows, worked out by hand. */
static void maximum_of_the_window(void)
{
    static struct network net;
    const double image[9] = {0, 1, -1, 2, 0, -2, 3, 0, -3};
    const double want[4] = {2, 1, 3, 0};
    struct reference *x =
        make_small(&net, "conv 1 1x1\nmaxpool 2 stride 1\ndense\n");

    reference_loss(x, image, label, 1);
    for (int i = 0; i < 4; i++) CU_ASSERT_EQUAL(x->out[1][i], want[i]);
    reference_free(x);
}

/* The gradient of ReLU is 0 where its input is 0, as in PyTorch and cuDNN:
 * finite differences do not show it. */
static void relu_at_zero(void)
{
    static struct network net;
    const double image[9] = {0, 1, -1, 2, 0, -2, 3, 0, -3};
    struct reference *x = make_small(&net, "conv 1 1x1\nrelu\ndense\n");

    for (int i = 0; i < 2 * 9; i++) /* no two weights are equal */
        x->parameters[net.layers[2].weight_offset + (size_t)i] = 0.1 * i;
    reference_backward(x, image, label, 1);
    for (int i = 0; i < 9; i++)
        CU_ASSERT_EQUAL(x->image_grad[i] != 0, image[i] > 0);
    reference_free(x);
}

/* Each optimizer makes the loss smaller. */
static void descends(void)
{
    static double images[IMAGES * PIXELS];
    static struct network net;
    struct reference *x;

    for (int how = OPTIMIZER_SGD; how <= OPTIMIZER_ADAMW; how++) {
        double before, after;

        make(text, &net, &x, images);
        net.training.optimizer = (enum optimizer)how;
        net.training.momentum = 0.9f;
        net.training.max_grad_norm = how == OPTIMIZER_SGD ? 0.5f : 0;
        before = reference_loss(x, images, labels, IMAGES);
        for (int i = 0; i < 5; i++) {
            reference_backward(x, images, labels, IMAGES);
            reference_optimizer_step(x, how < OPTIMIZER_ADAM ? 0.05 : 0.005);
        }
        after = reference_loss(x, images, labels, IMAGES);
        CU_ASSERT(after < before);
        reference_free(x);
    }
}

CU_TestInfo reference_tests[] = {
    {"gradient agrees with finite differences", gradient},
    {"gradient of sums and averages", residual_gradient},
    {"padding comes first", padding_comes_first},
    {"maximum of a window", maximum_of_the_window},
    {"ReLU at 0", relu_at_zero},
    {"every optimizer descends", descends},
    CU_TEST_INFO_NULL};
