/* SPDX-License-Identifier: MIT */
/* Suite of lab 13: a step of a network compared with the reference in double,
 * with an error bound for each value, and with finite differences of the
 * loss. */
#include <math.h>
#include <string.h>

#include "grader/channel/cudnn_layer_call.h"
#include "network_reference.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum {
    WORKSPACE_LIMIT = 1 << 22, /* workspace limit of most calls, in bytes */
    SUFFICIENT_WORKSPACE =
        1 << 20, /* enough workspace for some algorithm */
    CAPTURED = 0 /* rounds: one, captured into a graph */
};

/* The arguments that both calls begin with. */
static void begin_call(enum cudnn_layer_call function,
                       const struct cudnn_layer_shape *shape, size_t limit)
{
    call_begin(function);
    call_in(ON_HOST, shape, sizeof *shape);
    call_integer((int64_t)limit);
}

/** Outputs of a step. */
struct step_result {
    float *scores, *loss, *gradients, *x_grad;
    int64_t status;
};

/* Creates a layer, runs some rounds of the same step and destroys it. */
static struct step_result run_steps(const struct network_step *s, size_t limit,
                                    int rounds)
{
    struct step_result o = {.scores = suite_floats(s->scores.count),
                        .loss = suite_floats(1),
                        .gradients = suite_floats(s->parameter_count),
                        .x_grad = suite_floats(s->x_grad.count)};

    begin_call(CUDNN_LAYER_STEPS, &s->shape, limit);
    call_parameters("(shape, limit, rounds, d_x, d_target, d_parameters, "
                    "d_scores, d_loss, d_gradients, d_x_grad)");
    call_integer(rounds);
    call_in(ON_DEVICE, s->x, s->x_grad.count * sizeof *s->x);
    call_in(ON_DEVICE, s->target, s->scores.count * sizeof *s->target);
    call_in(ON_DEVICE, s->parameters,
            s->parameter_count * sizeof *s->parameters);
    call_out(ON_DEVICE, o.scores, s->scores.count * sizeof *o.scores);
    call_out(ON_DEVICE, o.loss, sizeof *o.loss);
    call_out(ON_DEVICE, o.gradients, s->parameter_count * sizeof *o.gradients);
    call_out(ON_DEVICE, o.x_grad, s->x_grad.count * sizeof *o.x_grad);
    o.status = call_end();
    return o;
}

/* Creates a layer and returns the bytes of its workspace; -1 when create()
 * failed. */
static int64_t query_workspace(const struct cudnn_layer_shape *s, size_t limit,
                               int64_t *status)
{
    int64_t bytes = 0;

    begin_call(CUDNN_LAYER_WORKSPACE, s, limit);
    call_parameters("(shape, limit, bytes)");
    call_out(ON_HOST, &bytes, sizeof bytes);
    *status = call_end();
    return bytes;
}

/* Random inputs; a row of the target is one class, or a mixture of two. */
static struct network_step random_step(const struct cudnn_layer_shape *s)
{
    struct network_step step = network_step_create(s);
    const double spread = 1 / sqrt((double)s->c * s->r * s->s);

    random_floats(step.x, step.x_grad.count, -1, 1);
    random_floats(step.parameters, step.parameter_count, -spread, spread);
    for (int n = 0; n < s->n; n++) {
        float *row = step.target + (size_t)n * s->classes;
        const double weight = n % 2 ? random_uniform(0.2, 0.8) : 1;

        row[random_int(0, s->classes - 1)] += (float)weight;
        row[random_int(0, s->classes - 1)] += 1 - (float)weight;
    }
    suite_case("n %d, x %d x %d x %d, %d filters %d x %d, pad %d, %d classes",
               s->n, s->c, s->h, s->w, s->k, s->r, s->s, s->pad, s->classes);
    return step;
}

/* Roundings on the longest path to a result, for sums in any order. */
static double rounding_steps(const struct cudnn_layer_shape *s)
{
    const struct network_output_sizes z = network_output_sizes(s);

    return 16 + s->c * s->r * s->s + z.features + s->classes;
}

static void compare_array(const char *name, const float *got,
                          const struct bounded_array *want, double steps)
{
    expect_elements(&(struct expected){
        .name = name, .got = got, .want = want->value, .scale = want->scale,
        .type = FLOAT32, .size = {want->count}, .steps = steps});
}

static void compare_forward(const struct network_step *s,
                            const struct step_result *o)
{
    expect_launches_at_most(0);
    compare_array("scores", o->scores, &s->scores, rounding_steps(&s->shape));
    compare_array("loss", o->loss, &s->loss, rounding_steps(&s->shape) + 8);
}

/* Compares the gradients of each part of the parameters, by name. */
static void compare_backward(const struct network_step *s,
                             const struct step_result *o)
{
    const struct cudnn_layer_shape *z = &s->shape;
    const size_t filter = (size_t)z->k * z->c * z->r * z->s, bias = z->k;
    const size_t dense =
        (size_t)network_output_sizes(z).features * (size_t)z->classes;
    const struct {
        const char *name;
        size_t from, count;
    } parts[] = {{"dense gradient", filter + bias, dense},
                 {"dense bias gradient", filter + bias + dense,
                  (size_t)z->classes},
                 {"bias gradient", filter, bias},
                 {"filter gradient", 0, filter}};
    const double steps = 2 * rounding_steps(z) + z->n;

    for (size_t i = 0; i < COUNT(parts); i++) {
        const struct bounded_array part = {s->gradients.value + parts[i].from,
                                     s->gradients.scale + parts[i].from,
                                     parts[i].count};

        compare_array(parts[i].name, o->gradients + parts[i].from, &part,
                      steps);
    }
    compare_array("x gradient", o->x_grad, &s->x_grad, steps);
}

static void check_shape(const struct cudnn_layer_shape *shape, int rounds)
{
    struct network_step s = random_step(shape);
    const struct step_result o = run_steps(&s, WORKSPACE_LIMIT, rounds);

    expect_success(o.status);
    network_step_reference(&s);
    compare_forward(&s, &o);
    compare_backward(&s, &o);
}

static void check_shapes(const struct cudnn_layer_shape *shapes, size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++)
        check_shape(&shapes[i], 1);
}

static void small(void)
{
    static const struct cudnn_layer_shape shapes[] = {
        {1, 1, 4, 4, 1, 3, 3, 0, 2}, {1, 2, 6, 6, 3, 3, 3, 1, 3},
        {2, 1, 5, 6, 2, 2, 2, 0, 2}, {3, 3, 8, 8, 4, 5, 5, 2, 10}};

    check_shapes(shapes, COUNT(shapes));
}

/* Odd sizes: the pooling drops the last row or column. */
static void odd(void)
{
    static const struct cudnn_layer_shape shapes[] = {
        {2, 2, 7, 9, 3, 3, 3, 0, 4},  {2, 3, 9, 6, 5, 3, 3, 1, 7},
        {1, 1, 11, 5, 2, 4, 2, 1, 3}, {3, 2, 5, 13, 1, 1, 3, 0, 5}};

    check_shapes(shapes, COUNT(shapes));
}

/* Filters that are not square, 1 x 1, and as large as the image. */
static void filters(void)
{
    static const struct cudnn_layer_shape shapes[] = {
        {2, 4, 6, 6, 8, 1, 1, 0, 3}, {2, 2, 8, 8, 3, 1, 5, 0, 3},
        {2, 2, 8, 8, 3, 5, 1, 2, 3}, {1, 2, 5, 5, 4, 5, 5, 2, 2},
        {1, 1, 4, 4, 1, 3, 3, 3, 2}};

    check_shapes(shapes, COUNT(shapes));
}

static void batch(void)
{
    static const struct cudnn_layer_shape shapes[] = {
        {17, 1, 12, 12, 6, 5, 5, 0, 10}, {33, 3, 8, 8, 16, 3, 3, 1, 10},
        {64, 2, 6, 6, 4, 3, 3, 1, 2}};

    check_shapes(shapes, COUNT(shapes));
}

/* Logits of some hundreds: their exponentials overflow in float. */
static void stable(void)
{
    static const struct cudnn_layer_shape shape = {4, 1, 6, 6, 2, 3, 3, 1, 5};
    struct network_step s = random_step(&shape);
    struct step_result o;

    suite_case("logits of some hundreds");
    for (int c = 0; c < shape.classes; c++)
        s.parameters[s.parameter_count - 1 - (size_t)c] =
            (float)(400 * (c % 2 ? -1 : 1) + 7 * c);
    o = run_steps(&s, WORKSPACE_LIMIT, 1);
    expect_success(o.status);
    network_step_reference(&s);
    compare_forward(&s, &o);
    compare_backward(&s, &o);
}

/* Gradient check for some parameters and some elements of x. */
static void gradient(void)
{
    static const struct cudnn_layer_shape shape = {3, 2, 7, 6, 4, 3, 3, 1, 4};
    const double h = 1e-6;
    struct network_step s = random_step(&shape);
    const struct step_result o = run_steps(&s, WORKSPACE_LIMIT, 1);
    double *both = suite_doubles(s.parameter_count + s.x_grad.count);
    const size_t all = s.parameter_count + s.x_grad.count;

    expect_success(o.status);
    for (size_t i = 0; i < all; i++)
        both[i] = i < s.parameter_count
                      ? (double)s.parameters[i]
                      : (double)s.x[i - s.parameter_count];
    for (int t = 0; t < 60 && !suite_failed(); t++) {
        const size_t i = (size_t)random_int(0, (int64_t)all - 1);
        const double original = both[i];
        const double got = i < s.parameter_count
                               ? (double)o.gradients[i]
                               : (double)o.x_grad[i - s.parameter_count];
        double loss[2];

        for (int side = 0; side < 2; side++) {
            both[i] = original + (side ? h : -h);
            loss[side] = network_step_loss(&s, both,
                                           both + s.parameter_count);
        }
        both[i] = original;
        const double want = (loss[1] - loss[0]) / (2 * h);
        expect_that(fabs(got - want) <= 1e-5 * (1 + fabs(want)),
                    "the loss changes by %.6g a unit of %s[%zu], not by the "
                    "gradient %.6g", want,
                    i < s.parameter_count ? "parameters" : "x",
                    i < s.parameter_count ? i : i - s.parameter_count, got);
    }
}

/* Three rounds on one layer: gradients must not accumulate and no state may
 * remain.  On the software GPU also captured: a step may only enqueue work. */
static void repeated(void)
{
    static const struct cudnn_layer_shape shape = {5, 2, 9, 8, 3, 3, 3, 1, 4};
    struct network_step s = random_step(&shape);
    struct step_result first = run_steps(&s, WORKSPACE_LIMIT, 1);
    const struct step_result third = run_steps(&s, WORKSPACE_LIMIT, 3);

    suite_case("three rounds on one layer");
    expect_success(first.status);
    expect_success(third.status);
    network_step_reference(&s);
    compare_forward(&s, &third);
    compare_backward(&s, &third);
    expect_that(!memcmp(first.gradients, third.gradients,
                        s.parameter_count * sizeof *first.gradients),
                "the third round gives other bits than the first");
    first = run_steps(&s, WORKSPACE_LIMIT, (int)suite_size(CAPTURED, 1));
    suite_case("a round captured into a graph");
    expect_success(first.status);
    compare_forward(&s, &first);
}

/* The workspace stays within the limit, and the step works with it. */
static void limits(void)
{
    static const size_t granted[] = {4096, 65536, 1 << 20, 1 << 26};
    static const struct cudnn_layer_shape large = {8, 64, 56, 56, 128,
                                                   3, 3,  1,  10};
    static const struct cudnn_layer_shape shape = {4, 8, 10, 10, 8, 3, 3, 1, 4};

    for (size_t i = 0; i < COUNT(granted) && !suite_failed(); i++) {
        int64_t status, bytes;
        struct step_result o;
        struct network_step s;

        suite_case("a limit of %zu bytes, 8 images of 64 x 56 x 56",
                   granted[i]);
        bytes = query_workspace(&large, granted[i], &status);
        if (status && granted[i] < SUFFICIENT_WORKSPACE)
            continue; /* maybe no algorithm needs so little */
        expect_success(status);
        expect_that(bytes >= 0 && (size_t)bytes <= granted[i],
                    "the workspace has %lld bytes, more than the limit of %zu",
                    (long long)bytes, granted[i]);
        s = random_step(&shape);
        o = run_steps(&s, granted[i], 1);
        expect_success(o.status);
        network_step_reference(&s);
        compare_forward(&s, &o);
        compare_backward(&s, &o);
    }
}

/* Invalid sizes, filters larger than the image, an empty pooling. */
static void rejects_invalid(void)
{
    static const struct cudnn_layer_shape shapes[] = {
        {0, 1, 4, 4, 1, 3, 3, 0, 2}, {1, -1, 4, 4, 1, 3, 3, 0, 2},
        {1, 1, 4, 4, 0, 3, 3, 0, 2}, {1, 1, 4, 4, 1, 3, 3, -1, 2},
        {1, 1, 4, 4, 1, 7, 3, 1, 2}, {1, 1, 3, 8, 1, 3, 3, 0, 2},
        {1, 1, 4, 4, 1, 3, 3, 0, 0}};

    for (size_t i = 0; i < COUNT(shapes) && !suite_failed(); i++) {
        int64_t status, bytes;

        suite_case("n %d, c %d, h %d, k %d, r %d, pad %d, %d classes",
                   shapes[i].n, shapes[i].c, shapes[i].h, shapes[i].k,
                   shapes[i].r, shapes[i].pad, shapes[i].classes);
        bytes = query_workspace(&shapes[i], WORKSPACE_LIMIT, &status);
        expect_error(status);
        expect_that(bytes == -1, "create() fails, but *layer is not NULL");
    }
}

/* The libraries initialize with the first layer, so the second one is
 * checked. */
static void no_leak(void)
{
    static const struct cudnn_layer_shape shape = {2, 2, 8, 8, 4, 3, 3, 1, 3};
    struct network_step s = random_step(&shape);

    expect_success(run_steps(&s, WORKSPACE_LIMIT, 1).status);
    expect_success(run_steps(&s, WORKSPACE_LIMIT, 1).status);
    expect_no_leak();
}

static void step(void)
{
    static const struct cudnn_layer_shape shape = {4, 2, 12, 12, 4, 3, 3, 1,
                                                   10};
    struct network_step s = random_step(&shape);
    const struct step_result o = run_steps(&s, WORKSPACE_LIMIT, 1);

    expect_success(o.status);
    network_step_reference(&s);
    compare_forward(&s, &o);
    compare_backward(&s, &o);
    /* fused calls may save some; convolution and pooling need two each */
    expect_metric(METRIC_LAUNCHES, 4, 1, "calls that do work");
}

static void lenet(void)
{
    static const struct cudnn_layer_shape shape = {128, 1, 28, 28, 16,
                                                   5,   5, 2,  10};
    struct network_step s = random_step(&shape);
    const struct step_result o = run_steps(&s, (size_t)1 << 26, 1);

    expect_success(o.status);
    network_step_reference(&s);
    compare_forward(&s, &o);
}

static const struct suite_test tests[] = {
    {"small", "small shapes, forward and backward", small},
    {"odd", "odd sizes: pooling rounds down", odd},
    {"filters", "filters of other shapes", filters},
    {"batch", "batches", batch},
    {"stable", "large logits", stable},
    {"gradient", "gradient check", gradient},
    {"again", "several steps on one layer", repeated},
    {"limits", "limits of the workspace", limits},
    {"refuses", "invalid shapes", rejects_invalid},
    {"frees", "no memory is leaked", no_leak},
    {NULL, NULL, NULL}};
static const struct suite_test speeds[] = {
    {"lenet", "128 images of 28 x 28, 16 filters 5 x 5", lenet},
    {NULL, NULL, NULL}};
static const struct suite_test watched[] = {
    {"step", "one step, counted", step}, {NULL, NULL, NULL}};

const struct suite suite_13_cudnn_layer = {
    .stem = "13_cudnn_layer", .tests = tests, .speeds = speeds,
    .watched = watched};
