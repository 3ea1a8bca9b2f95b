/* SPDX-License-Identifier: MIT */
/* Lab 16's suite: steps of several networks. */
#include "suite_16.h"
#include "grader/suites/shared/gradient_check.h"

static const int counts[] = {1, 2, 7, 16};

/* Two steps for each of several batch sizes. */
static void check_net(const struct net_config *net_config, size_t most,
                      enum checked checked)
{
    for (size_t i = 0; i < most && !suite_failed(); i++) {
        struct fixture fixture;

        fixture_name_case(net_config, counts[i]);
        fixture_create(&fixture, net_config, counts[i]);
        for (int step = 0; step < 2 && !suite_failed(); step++) {
            fixture_randomize_inputs(&fixture, counts[i]);
            fixture_check_step(&fixture, checked);
        }
        fixture_free(&fixture);
    }
}

static void check_all(const struct net_config *net_configs, size_t many)
{
    for (size_t i = 0; i < many && !suite_failed(); i++)
        check_net(&net_configs[i], COUNT(counts) - (i > 1), CHECK_GRADIENTS);
}

/* Outputs that are the biases, for all images. */
static void check_biases(const char *what, const float biases[6])
{
    static const struct net_config net_config = {
        "dense\ntrain sgd rate 0.1\n", {1, 3, 3}, 6};
    struct fixture fixture;

    suite_case("%s", what);
    if (fixture_create(&fixture, &net_config, 9)) {
        fixture_randomize_inputs(&fixture, 9);
        for (size_t i = 0; i < fixture.net.parameters; i++) {
            const size_t bias = i - fixture.net.layers[0].bias_offset;

            fixture.step.d_parameters[i] = bias < 6 ? biases[bias] : 0;
            fixture.x->parameters[i] = (double)fixture.step.d_parameters[i];
        }
        fixture_check_step(&fixture, CHECK_TOTALS);
    }
    fixture_free(&fixture);
}

/* Outputs of some hundreds, whose exponentials overflow in float. */
static void large_outputs(enum checked checked)
{
    static const struct net_config net_config = {
        "dense\ntrain sgd rate 0.1\n", {1, 4, 4}, 5};
    struct fixture fixture;

    suite_case("outputs of some hundreds");
    if (fixture_create(&fixture, &net_config, 6)) {
        fixture_randomize_inputs(&fixture, 6);
        for (size_t i = 0; i < fixture.net.parameters; i++) {
            fixture.step.d_parameters[i] *= 1000;
            fixture.x->parameters[i] = (double)fixture.step.d_parameters[i];
        }
        fixture_check_step(&fixture, checked);
    }
    fixture_free(&fixture);
}

/* Parameters that make outputs equal: pixel i is added to outputs i to i + 2,
 * and there are no biases. */
static void equalize_outputs(struct fixture *fixture)
{
    const size_t classes = (size_t)fixture->net.classes;

    for (size_t i = 0; i < fixture->net.parameters; i++) {
        const size_t pixel = i / classes, output = i % classes;
        const bool is_weight = i < fixture->net.layers[0].bias_offset;

        fixture->step.d_parameters[i] =
            is_weight && output >= pixel && output < pixel + 3;
        fixture->x->parameters[i] = (double)fixture->step.d_parameters[i];
    }
}

/* Pixels of 0 and 1: several outputs of an image are the largest, all of every
 * fifth one, whose pixels are 0.  More images than a block has threads. */
static void check_equal_outputs(void)
{
    static const struct net_config net_config = {
        "dense\ntrain sgd rate 0.1\n", {1, 2, 2}, 6};
    enum { IMAGES = 1100, PIXELS = 4 };
    struct fixture fixture;

    suite_case("several of an image's outputs are the largest");
    if (fixture_create(&fixture, &net_config, IMAGES)) {
        fixture_randomize_inputs(&fixture, IMAGES);
        random_integral(fixture.step.d_images, IMAGES * PIXELS, 0, 1);
        for (size_t i = 0; i < IMAGES * PIXELS; i++) {
            if (i / PIXELS % 5 == 3)
                fixture.step.d_images[i] = 0;
            fixture.images[i] = (double)fixture.step.d_images[i];
        }
        equalize_outputs(&fixture);
        fixture_check_step(&fixture, CHECK_TOTALS);
        if (!suite_failed())
            fixture_check_evaluation(&fixture);
    }
    fixture_free(&fixture);
}

/* Outputs, predictions and totals of a step; its gradients have tests of their
 * own. */
void trainer_forward(void)
{
    static const struct net_config net_configs[] = {
        {"dense 7\nrelu\ndense\ntrain sgd rate 0.1\n", {2, 3, 3}, 10},
        {"conv 4 3x2 stride 2 pad 1\nrelu\nmaxpool 2\ndense\n"
         "train sgd rate 0.1\n", {2, 9, 8}, 5}};

    for (size_t i = 0; i < COUNT(net_configs) && !suite_failed(); i++)
        check_net(&net_configs[i], COUNT(counts), CHECK_TOTALS);
    check_biases("three of six outputs are the largest",
                 (float[]){0.5f, 2, 2, -1, 2, 0}); /* the first of them */
    check_biases("all outputs are below 0",
                 (float[]){-2, -3, -0.5f, -1, -4, -2});
    check_equal_outputs();
    large_outputs(CHECK_TOTALS);
}

void trainer_dense(void)
{
    static const struct net_config net_configs[] = {
        {"dense\ntrain sgd rate 0.1\n", {1, 5, 3}, 3},
        {"dense 7\nrelu\ndense\ntrain sgd rate 0.1\n", {2, 3, 3}, 10},
        {"dense 33\nrelu\ndense 20\nrelu\ndense\ntrain sgd rate 0.1\n",
         {1, 6, 6}, 17}};

    check_all(net_configs, COUNT(net_configs));
    large_outputs(CHECK_GRADIENTS);
}

void trainer_conv(void)
{
    static const struct net_config net_configs[] = {
        {"conv 3 3x3\nrelu\ndense\ntrain sgd rate 0.1\n", {1, 6, 5}, 4},
        {"conv 4 3x2 stride 2 pad 1\nrelu\nmaxpool 2\ndense\n"
         "train sgd rate 0.1\n", {2, 9, 8}, 5},
        {"conv 5 3x3 pad 1\nmaxpool 3 stride 2\nrelu\nconv 6 3x2 pad 1\nrelu\n"
         "maxpool 2\ndense 9\nrelu\ndense\ntrain sgd rate 0.1\n",
         {3, 9, 10}, 10},
        {"conv 4 2x3 stride 2\nrelu\nconv 4 2x2 stride 2\nrelu\ndense\n"
         "train sgd rate 0.1\n", {2, 9, 10}, 4},
        {"conv 17 2x2\nrelu\nconv 19 3x2 pad 1\nrelu\nmaxpool 2\ndense\n"
         "train sgd rate 0.1\n", {1, 6, 7}, 4}};

    check_all(net_configs, COUNT(net_configs));
}

/* Integers: many elements of a window are equal. */
void trainer_pool_ties(void)
{
    static const struct net_config net_config = {
        "conv 3 2x2\nmaxpool 2\ndense\ntrain sgd rate 0.1\n", {1, 9, 9}, 4};
    struct fixture fixture;
    size_t n;

    suite_case("many equal elements in a window");
    if (fixture_create(&fixture, &net_config, 6)) {
        const struct layer *conv = &fixture.net.layers[0];

        n = 6 * shape_elements(&fixture.net.in);
        fixture_randomize_inputs(&fixture, 6);
        random_integral(fixture.step.d_images, n, 0, 1);
        random_integral(fixture.step.d_parameters + conv->weight_offset,
                        conv->weights, -1, 1);
        random_integral(fixture.step.d_parameters + conv->bias_offset,
                        conv->biases, -1, 1);
        for (size_t i = 0; i < n; i++)
            fixture.images[i] = (double)fixture.step.d_images[i];
        for (size_t i = 0; i < fixture.net.parameters; i++)
            fixture.x->parameters[i] = (double)fixture.step.d_parameters[i];
        fixture_check_step(&fixture, CHECK_GRADIENTS);
    }
    fixture_free(&fixture);
}

/* Channels of thousands of elements, more than a block adds at once: images
 * that get brighter give its parts different means. */
static void large_channels(void)
{
    static const struct net_config net_config = {
        "batchnorm\ndense\ntrain sgd rate 0.1\n", {2, 21, 19}, 4};
    struct fixture fixture;

    fixture_name_case(&net_config, 13);
    if (fixture_create(&fixture, &net_config, 13)) {
        fixture.brighter = 0.25;
        fixture_randomize_inputs(&fixture, 13);
        fixture_check_step(&fixture, CHECK_GRADIENTS);
    }
    fixture_free(&fixture);
}

void trainer_norm(void)
{
    static const struct net_config net_configs[] = {
        {"dense 6\nbatchnorm\nrelu\ndense\ntrain sgd rate 0.1\n",
         {1, 4, 4}, 5},
        {"conv 5 3x3\nbatchnorm\nrelu\nmaxpool 2\ndense 7\nbatchnorm\n"
         "dense\ntrain sgd rate 0.1\n", {2, 8, 7}, 4}};

    for (size_t i = 0; i < COUNT(net_configs) && !suite_failed(); i++)
        for (int count = 5; count < 14 && !suite_failed(); count += 8) {
            struct fixture fixture;

            fixture_name_case(&net_configs[i], count);
            fixture_create(&fixture, &net_configs[i], count);
            for (int step = 0; step < 3 && !suite_failed(); step++) {
                fixture_randomize_inputs(&fixture, count);
                fixture_check_step(&fixture, CHECK_GRADIENTS);
            }
            fixture_free(&fixture);
        }
    if (!suite_failed())
        large_channels();
}

void trainer_norm_first(void)
{
    static const struct net_config net_configs[] = {
        {"batchnorm\ndense\ntrain sgd rate 0.1\n", {3, 3, 3}, 4},
        {"batchnorm\nconv 4 3x3\nrelu\ndense\ntrain sgd rate 0.1\n",
         {5, 6, 6}, 4},
        {"relu\nmaxpool 2\ndense\ntrain sgd rate 0.1\n", {2, 6, 6}, 4}};

    for (size_t i = 0; i < COUNT(net_configs) && !suite_failed(); i++) {
        struct fixture fixture;

        fixture_name_case(&net_configs[i], 9);
        if (fixture_create(&fixture, &net_configs[i], 9)) {
            fixture_randomize_inputs(&fixture, 9);
            fixture_check_step(&fixture, CHECK_GRADIENTS);
        }
        fixture_free(&fixture);
    }
}

/* Steps of different sizes with one room for images. */
static void check_sizes(const struct net_config *net_config, int room,
                        const int *sizes, size_t n)
{
    struct fixture fixture;

    suite_case("room for %d image%s", room, room == 1 ? "" : "s");
    fixture_create(&fixture, net_config, room);
    for (size_t i = 0; i < n && !suite_failed(); i++) {
        suite_case("%d image%s, room for %d, step %zu", sizes[i],
                   sizes[i] == 1 ? "" : "s", room, i + 1);
        fixture_randomize_inputs(&fixture, sizes[i]);
        fixture_check_step(&fixture, CHECK_TOTALS | CHECK_GRADIENTS);
    }
    fixture_free(&fixture);
}

/* Arrays for 12 images, and smaller batches; then more images than a block has
 * threads, so that a thread adds the losses of several. */
void trainer_partial(void)
{
    static const struct net_config net_config = {
        "conv 4 3x3 pad 1\nbatchnorm\nrelu\nmaxpool 2\ndense 8\nrelu\ndense\n"
        "train momentum rate 0.1 momentum 0.9\n", {1, 8, 8}, 6};
    static const struct net_config many = {
        "dense\ntrain momentum rate 0.1 momentum 0.9\n", {1, 2, 2}, 6};
    static const int some[] = {12, 5, 3, 12, 2}, thousand[] = {1100, 129};

    check_sizes(&net_config, 12, some, COUNT(some));
    if (!suite_failed())
        check_sizes(&many, 1100, thousand, COUNT(thousand));
}

static double loss_at(const double *point, const void *context)
{
    const struct fixture *fixture = context;

    memcpy(fixture->x->parameters, point,
           fixture->net.parameters * sizeof *point);
    return reference_loss(fixture->x, fixture->images, fixture->step.d_labels,
                          fixture->step.count);
}

/* A hint about the last layer with wrong gradients: those of the layers behind
 * it are right.  The reference computes them at the step's parameters. */
static const char *wrong_gradient_hint(struct fixture *fixture,
                                       const double *point)
{
    memcpy(fixture->x->parameters, point,
           fixture->net.parameters * sizeof *point);
    reference_backward(fixture->x, fixture->images, fixture->step.d_labels,
                       fixture->step.count);
    for (int i = fixture->net.count - 1; i >= 0; i--) {
        const bool weights = trainer_weight_gradients_are_right(fixture, i);

        if (!weights || !trainer_bias_gradients_are_right(fixture, i))
            return trainer_gradient_hint(fixture, i, weights);
    }
    return NULL;
}

/* Gradient check. */
void trainer_gradient_check(void)
{
    static const struct net_config net_configs[] = {
        {"dense 6\nbatchnorm\ndense\ntrain sgd rate 0.1\n", {1, 3, 4}, 3},
        {"conv 3 3x3 pad 1\nbatchnorm\ndense\ntrain sgd rate 0.1\n",
         {2, 4, 4}, 3}};

    for (size_t i = 0; i < COUNT(net_configs) && !suite_failed(); i++) {
        struct fixture fixture;
        double *point;

        fixture_name_case(&net_configs[i], 8);
        if (fixture_create(&fixture, &net_configs[i], 8)) {
            fixture_randomize_inputs(&fixture, 8);
            point = suite_doubles(fixture.net.parameters);
            fixture.before = suite_bytes(fixture.bytes); /* of d_out_grad: 0 */
            memcpy(point, fixture.x->parameters,
                   fixture.net.parameters * sizeof *point);
            expect_success(train_step(&fixture.step));
            expect_gradient(&(struct gradient){
                .name = "gradients", .loss = loss_at, .context = &fixture,
                .point = point, .got = fixture.step.d_gradients,
                .n = fixture.net.parameters, .steps = 256});
            if (suite_says("gradients["))
                suite_hint(wrong_gradient_hint(&fixture, point));
        }
        fixture_free(&fixture);
    }
}
