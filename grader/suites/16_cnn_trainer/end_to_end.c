/* SPDX-License-Identifier: MIT */
/* Lab 16's suite: evaluation, overfitting, determinism; the watched cases. */
#include "suite_16.h"

static const struct net_config all_layers = {
    "batchnorm\nconv 5 3x3 pad 1\nbatchnorm\nrelu\nmaxpool 2\ndropout 0.5\n"
    "dense 9\nrelu\ndense\ntrain adamw rate 0.01 decay 0.1\n", {2, 8, 6}, 5};

/* A running variance that is less than the epsilon that is added to it. */
static void small_variance(void)
{
    static const struct net_config net_config = {
        "batchnorm\ndense\ntrain sgd rate 0.1\n", {2, 3, 3}, 4};
    struct fixture fixture;

    suite_case("evaluation with a running variance of 2^-18");
    if (fixture_create(&fixture, &net_config, 7)) {
        fixture.step.d_running_stats[2] = 0x1p-18f;
        fixture_randomize_inputs(&fixture, 7);
        fixture_check_evaluation(&fixture);
    }
    fixture_free(&fixture);
}

void trainer_evaluate(void)
{
    static const int some[] = {8, 3, 1, 8};
    struct fixture fixture;

    suite_case("a net of all kinds");
    fixture_create(&fixture, &all_layers, 8);
    for (size_t i = 0; i < COUNT(some) && !suite_failed(); i++) {
        suite_case("evaluation %zu, %d image%s, room for 8", i + 1, some[i],
                   some[i] == 1 ? "" : "s");
        fixture_randomize_inputs(&fixture, some[i]);
        fixture_check_evaluation(&fixture);
    }
    fixture_free(&fixture);
    if (!suite_failed())
        small_variance();
}

/* Mean loss of the step's images in an evaluation. */
static double mean_loss(struct fixture *fixture)
{
    fixture->step.d_totals[0] = fixture->step.d_totals[1] = 0;
    expect_success(train_evaluate(&fixture->step));
    return (double)fixture->step.d_totals[0] / fixture->step.count;
}

/* Does the reference in double learn the images in as many steps, with room
 * for the rounding of float?  Its state stays as it is. */
static bool reference_overfits(const struct fixture *fixture, int steps,
                               double rate)
{
    struct reference *x = fixture->x;
    const size_t n = fixture->net.parameters;
    const int count = fixture->step.count, classes = fixture->net.classes;
    const unsigned char *labels = fixture->step.d_labels;
    const int steps_before = x->step;
    double *parameters = suite_doubles(n), *moments = suite_doubles(2 * n);
    double first, last;
    int correct = 0;

    memcpy(parameters, x->parameters, n * sizeof *parameters);
    memcpy(moments, x->moments, 2 * n * sizeof *moments);
    first = reference_loss(x, fixture->images, labels, count);
    for (int i = 0; i < steps; i++) {
        reference_backward(x, fixture->images, labels, count);
        reference_optimizer_step(x, rate);
    }
    last = reference_loss(x, fixture->images, labels, count);
    for (int i = 0; i < count; i++) {
        const double *out =
            x->out[fixture->net.count - 1] + (size_t)i * (size_t)classes;
        int argmax = 0;

        for (int j = 1; j < classes; j++)
            argmax = out[j] > out[argmax] ? j : argmax;
        correct += argmax == labels[i];
    }
    memcpy(x->parameters, parameters, n * sizeof *parameters);
    memcpy(x->moments, moments, 2 * n * sizeof *moments);
    x->step = steps_before;
    return last < 0.25 * first && correct == count;
}

/* Twelve images with random labels are overfitted. */
void trainer_overfits(void)
{
    static const struct net_config net_config = {
        "conv 6 3x3\nrelu\nmaxpool 2\ndense 16\nrelu\ndense\n"
        "train adam rate 0.02\n", {1, 8, 8}, 4};
    struct fixture fixture;
    enum { STEPS = 25, TRIES = 20 };
    double first, last;
    bool created;

    suite_case("25 steps of Adam with the same 12 images");
    created = fixture_create(&fixture, &net_config, 12);
    if (created)
        fixture_randomize_inputs(&fixture, 12);
    /* one random network in 20 does not learn, or hardly */
    for (int tries = 1; created && tries < TRIES
                        && !reference_overfits(&fixture, STEPS, 0.02);
         tries++) {
        fixture_free(&fixture);
        created = fixture_create(&fixture, &net_config, 12);
        if (created)
            fixture_randomize_inputs(&fixture, 12);
    }
    if (created) {
        *fixture.step.d_learning_rate = 0.02f;
        first = mean_loss(&fixture);
        for (int i = 0; i < STEPS && !suite_failed(); i++)
            expect_success(train_step(&fixture.step));
        last = mean_loss(&fixture);
        expect_that(last < 0.5 * first,
                    "the loss went from %.4f to %.4f only", first, last);
        expect_that(fixture.step.d_totals[1] >= 10,
                    "%g of 12 images are chosen rightly",
                    (double)fixture.step.d_totals[1]);
    }
    fixture_free(&fixture);
}

/* Two steps from the same state. */
static void run_two_steps(struct fixture *fixture, const unsigned char *before)
{
    memcpy(fixture->memory, before, fixture->bytes);
    expect_success(train_step(&fixture->step));
    expect_success(train_step(&fixture->step));
}

/* The same bits with other schedules of blocks and threads, and captured into
 * a graph, as in the trainer. */
void trainer_deterministic(void)
{
    enum { ORDERS = 3 };
    unsigned char *before, *after;
    struct fixture fixture;

    suite_case("a net of all kinds");
    if (fixture_create(&fixture, &all_layers, 11)) {
        const size_t state_bytes =
            (size_t)((unsigned char *)fixture.step.d_totals - fixture.memory)
            + 8;

        fixture_randomize_inputs(&fixture, 11);
        before = suite_bytes(fixture.bytes);
        after = suite_bytes(fixture.bytes);
        memcpy(before, fixture.memory, fixture.bytes);
        for (unsigned order = 0; order <= ORDERS && !suite_failed(); order++) {
            suite_case("two steps, order %u", order);
            if (order == ORDERS) {
                suite_case("two steps, captured into graphs");
                suite_capture_graph();
            } else if (order) {
                suite_use_schedule(order);
            }
            run_two_steps(&fixture, before);
            if (!order)
                memcpy(after, fixture.memory, fixture.bytes);
            expect_that(suite_failed()
                        || !memcmp(after, fixture.memory, state_bytes),
                        "the same inputs gave other bits");
        }
    }
    fixture_free(&fixture);
}

static void no_leak(size_t n)
{
    struct fixture fixture;

    suite_case("%zu image%s", n, n == 1 ? "" : "s");
    if (fixture_create(&fixture, &all_layers, (int)n)) {
        fixture_randomize_inputs(&fixture, (int)n);
        for (int i = 0; i < 3; i++)
            expect_success(train_step(&fixture.step));
        expect_success(train_evaluate(&fixture.step));
    }
    fixture_free(&fixture);
}

static struct fixture failing;

static int64_t step_of_failing(void)
{
    return train_step(&failing.step);
}

/* A network with each kind of launch; one of many layers would take long. */
static void each_launch_fails(void)
{
    static const struct net_config net_config = {
        "conv 2 3x3\nrelu\nmaxpool 2\ndense\n"
        "train adam rate 0.01 clip 1\n", {1, 6, 6}, 3};

    if (fixture_create(&failing, &net_config, 2)) {
        fixture_randomize_inputs(&failing, 2);
        suite_check_failures(step_of_failing);
    }
    fixture_free(&failing);
}

void trainer_no_leak(void)
{
    suite_check_frees(no_leak, 10);
    each_launch_fails();
}

/* A small network: launches and sectors of a step. */
void trainer_watched_cost(void)
{
    static const struct net_config net_config = {
        "conv 4 3x3 pad 1\nrelu\nmaxpool 2\ndense 16\nrelu\ndense\n"
        "train momentum rate 0.1 momentum 0.9\n", {1, 8, 8}, 10};
    struct fixture fixture;

    suite_case("a small network, 8 images");
    if (fixture_create(&fixture, &net_config, 8)) {
        fixture_randomize_inputs(&fixture, 8);
        fixture_check_step(&fixture, CHECK_ALL);
    }
    fixture_free(&fixture);
    expect_metric(METRIC_LAUNCHES, 1, 1, "launches a step");
    expect_metric(METRIC_SECTORS, 0, 1000, "thousand sectors a step");
}

/* The other kinds of layers, an odd number of images. */
void trainer_watched_small(void)
{
    static const struct net_config net_config = {
        "batchnorm\nrelu\ndropout 0.5\ndense\n"
        "train adamw rate 0.01 decay 0.1 clip 1\n", {2, 4, 3}, 5};
    struct fixture fixture;

    suite_case("batchnorm, dropout, AdamW; 3 images");
    if (fixture_create(&fixture, &net_config, 4)) {
        fixture_randomize_inputs(&fixture, 3);
        expect_success(train_step(&fixture.step));
        expect_success(train_evaluate(&fixture.step));
    }
    fixture_free(&fixture);
}

/* LeNet with its usual batch size. */
void trainer_timed(void)
{
    static const struct net_config net_config = {
        "conv 6 5x5 pad 2\nrelu\nmaxpool 2\nconv 16 5x5\nrelu\nmaxpool 2\n"
        "dense 120\nrelu\ndense 84\nrelu\ndense\n"
        "train momentum rate 0.05 momentum 0.9\n", {1, 28, 28}, 10};
    const int count = (int)suite_size(16, 256);
    struct fixture fixture;

    suite_case("LeNet, %d images", count);
    if (fixture_create(&fixture, &net_config, count)) {
        fixture_randomize_inputs(&fixture, count);
        fixture_check_step(&fixture, CHECK_ALL);
    }
    fixture_free(&fixture);
}
