/* SPDX-License-Identifier: MIT */
/* Suite of lab 13: a step of a network compared with the reference in double,
 * with an error bound for each value, and with finite differences of the
 * loss. */
#include <math.h>
#include <string.h>

#include "13_cudnn_layer/layer_calls.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum {
    CAPTURED = 0 /* rounds: one, captured into a graph */
};

static void check_forward(const struct cudnn_layer_shape *shape)
{
    struct network_step s = random_step(shape);
    const struct step_result o =
        run_layer(CUDNN_LAYER_FORWARD, &s, WORKSPACE_LIMIT, 1);

    expect_step(o.status);
    network_step_reference(&s);
    compare_forward(&s, &o);
}

static void check_step(const struct cudnn_layer_shape *shape)
{
    layer_check_step(shape, WORKSPACE_LIMIT);
}

static void check_shapes(void (*check)(const struct cudnn_layer_shape *shape),
                         const struct cudnn_layer_shape *shapes, size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++)
        check(&shapes[i]);
}

static const struct cudnn_layer_shape small_shapes[] = {
    {1, 1, 4, 4, 1, 3, 3, 0, 2}, {1, 2, 6, 6, 3, 3, 3, 1, 3},
    {2, 1, 5, 6, 2, 2, 2, 0, 2}, {3, 3, 8, 8, 4, 5, 5, 2, 10}};
/* odd sizes: the pooling drops the last row or column */
static const struct cudnn_layer_shape odd_shapes[] = {
    {2, 2, 7, 9, 3, 3, 3, 0, 4},  {2, 3, 9, 6, 5, 3, 3, 1, 7},
    {1, 1, 11, 5, 2, 4, 2, 1, 3}, {3, 2, 5, 13, 1, 1, 3, 0, 5}};
/* filters that are not square, 1 x 1, and as large as the image */
static const struct cudnn_layer_shape filter_shapes[] = {
    {2, 4, 6, 6, 8, 1, 1, 0, 3}, {2, 2, 8, 8, 3, 1, 5, 0, 3},
    {2, 2, 8, 8, 3, 5, 1, 2, 3}, {1, 2, 5, 5, 4, 5, 5, 2, 2},
    {1, 1, 4, 4, 1, 3, 3, 3, 2}};

/* Layers are created within their limits, and destroyed. */
static void create(void)
{
    for (size_t i = 0; i < COUNT(odd_shapes) && !suite_failed(); i++) {
        int64_t status, bytes;

        suite_case("create and destroy, %d images of %d x %d x %d",
                   odd_shapes[i].n, odd_shapes[i].c, odd_shapes[i].h,
                   odd_shapes[i].w);
        bytes = query_workspace(&odd_shapes[i], WORKSPACE_LIMIT, &status);
        expect_success(status);
        expect_that(bytes >= 0 && bytes <= WORKSPACE_LIMIT,
                    "the workspace has %lld bytes, the limit is %d",
                    (long long)bytes, WORKSPACE_LIMIT);
    }
}

/* A ReLU has no upper limit: sums of some hundreds. */
static void large_x(void)
{
    static const struct cudnn_layer_shape shape = {2, 3, 6, 6, 2, 3, 3, 1, 3};
    struct network_step s = random_step(&shape);
    struct step_result o;

    suite_case("x up to some hundreds");
    for (size_t i = 0; i < s.x_grad.count; i++)
        s.x[i] *= 256;
    o = run_layer(CUDNN_LAYER_FORWARD, &s, WORKSPACE_LIMIT, 1);
    expect_step(o.status);
    network_step_reference(&s);
    compare_forward(&s, &o);
    suite_hint("With small x all shapes are right: what limits large values? "
               "CUDNN_ACTIVATION_RELU has no upper limit, and "
               "CUDNN_SOFTMAX_LOG subtracts the row's maximum.");
}

static void forward(void)
{
    check_shapes(check_forward, small_shapes, COUNT(small_shapes));
    large_x();
}

static void odd(void)
{
    check_shapes(check_forward, odd_shapes, COUNT(odd_shapes));
}

static void filters(void)
{
    check_shapes(check_forward, filter_shapes, COUNT(filter_shapes));
}

/* Logits of some hundreds: their exponentials overflow in float. */
static void add_large_biases(struct network_step *s)
{
    suite_case("logits of some hundreds");
    for (int c = 0; c < s->shape.classes; c++)
        s->parameters[s->parameter_count - 1 - (size_t)c] =
            (float)(400 * (c % 2 ? -1 : 1) + 7 * c);
}

static void stable(void)
{
    static const struct cudnn_layer_shape shape = {4, 1, 6, 6, 2, 3, 3, 1, 5};
    struct network_step s = random_step(&shape);
    struct step_result o;

    add_large_biases(&s);
    o = run_layer(CUDNN_LAYER_FORWARD, &s, WORKSPACE_LIMIT, 1);
    expect_step(o.status);
    network_step_reference(&s);
    compare_forward(&s, &o);
}

/* Every shape of the forward tests, and large logits. */
static void backward(void)
{
    static const struct cudnn_layer_shape shape = {4, 1, 6, 6, 2, 3, 3, 1, 5};
    struct network_step s;
    struct step_result o;

    check_shapes(check_step, small_shapes, COUNT(small_shapes));
    check_shapes(check_step, odd_shapes, COUNT(odd_shapes));
    check_shapes(check_step, filter_shapes, COUNT(filter_shapes));
    s = random_step(&shape);
    add_large_biases(&s);
    o = run_steps(&s, WORKSPACE_LIMIT, 1);
    expect_step(o.status);
    network_step_reference(&s);
    compare_backward(&s, &o);
}

static void batch(void)
{
    static const struct cudnn_layer_shape shapes[] = {
        {17, 1, 12, 12, 6, 5, 5, 0, 10}, {33, 3, 8, 8, 16, 3, 3, 1, 10},
        {64, 2, 6, 6, 4, 3, 3, 1, 2}};

    check_shapes(check_step, shapes, COUNT(shapes));
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

    expect_step(o.status);
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

/* The software GPU, too, adds in another order each time where an algorithm is
 * not deterministic. */
static void expect_same_bits(const char *name, const float *first,
                             const float *third, size_t n)
{
    for (size_t i = 0; i < n; i++)
        expect_that(!memcmp(&first[i], &third[i], sizeof *first),
                    "%s[%zu] is %.9g in the first round, %.9g in the third: is "
                    "each algorithm deterministic (CUDNN_DETERMINISTIC)?",
                    name, i, (double)first[i], (double)third[i]);
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
    expect_that(third.status != LAYER_ALLOCATES,
                "forward() or backward() allocated device memory: create() "
                "does that, once");
    expect_step(first.status);
    expect_step(third.status);
    expect_no_leak();
    network_step_reference(&s);
    compare_forward(&s, &third);
    compare_backward(&s, &third);
    expect_same_bits("gradients", first.gradients, third.gradients,
                     s.parameter_count);
    expect_same_bits("x_grad", first.x_grad, third.x_grad, s.x_grad.count);
    first = run_steps(&s, WORKSPACE_LIMIT, (int)suite_size(CAPTURED, 1));
    suite_case("a round captured into a graph");
    expect_step(first.status);
    compare_forward(&s, &first);
}

/* The layer's stream synchronizes with no other stream, so the outputs are
 * complete when it is only if all work was enqueued on it. */
static void stream(void)
{
    for (int i = 0; i < 2; i++) {
        struct network_step s = random_step(&small_shapes[1]);
        const struct step_result o =
            run_layer(i ? CUDNN_LAYER_STEPS : CUDNN_LAYER_FORWARD, &s,
                      WORKSPACE_LIMIT, 1);

        expect_that(o.status != LAYER_IS_LATE,
                    "the outputs were not complete when the stream was: cuDNN "
                    "and cuBLAS must both enqueue their work on the stream "
                    "that create() got");
        expect_step(o.status);
    }
}

/* Two layers of different shapes are alive, each on a stream of its own. */
static void pair(void)
{
    static const struct cudnn_layer_shape shapes[] = {
        {3, 2, 8, 6, 4, 3, 3, 1, 5}, {2, 3, 5, 9, 2, 2, 3, 0, 3}};
    const struct network_step first = random_step(&shapes[0]);
    struct network_step s[] = {first, random_step(&shapes[1])};
    struct step_result o[2];

    suite_case("two layers alive at once");
    expect_step(run_pair(s, o));
    for (int i = 0; i < 2; i++) {
        suite_case("two layers alive at once, the %s",
                   i ? "second" : "first");
        network_step_reference(&s[i]);
        compare_forward(&s[i], &o[i]);
        compare_backward(&s[i], &o[i]);
    }
}

static int64_t create_small(void)
{
    int64_t status;

    query_workspace(&small_shapes[1], WORKSPACE_LIMIT, &status);
    return status;
}

/* Invalid sizes, filters larger than the image, an empty pooling; a valid
 * shape is not refused. */
static void rejects_invalid(void)
{
    static const struct cudnn_layer_shape shapes[] = {
        {0, 1, 4, 4, 1, 3, 3, 0, 2}, {1, -1, 4, 4, 1, 3, 3, 0, 2},
        {1, 1, 4, 4, 0, 3, 3, 0, 2}, {1, 1, 4, 4, 1, 3, 3, -1, 2},
        {1, 1, 4, 4, 1, 7, 3, 1, 2}, {1, 1, 3, 8, 1, 3, 3, 0, 2},
        {1, 1, 4, 4, 1, 3, 3, 0, 0}};

    suite_case("a valid shape");
    expect_success(create_small());
    for (size_t i = 0; i < COUNT(shapes) && !suite_failed(); i++) {
        int64_t status, bytes;

        suite_case("n %d, c %d, h %d, k %d, r %d, pad %d, %d classes",
                   shapes[i].n, shapes[i].c, shapes[i].h, shapes[i].k,
                   shapes[i].r, shapes[i].pad, shapes[i].classes);
        bytes = query_workspace(&shapes[i], WORKSPACE_LIMIT, &status);
        expect_error(status);
        if (shapes[i].h == shapes[i].r)
            suite_hint("One row makes no row of the pooling's output, which is "
                       "rounded down: ask the library for its size.");
        expect_that(bytes == -1, "create() fails, but *layer is not NULL");
        expect_no_leak();
    }
}

/* Each handle, descriptor and allocation fails in turn. */
static void failures(void)
{
    suite_check_failures(create_small);
}

static int64_t step_small(void)
{
    static const struct cudnn_layer_shape shape = {2, 1, 5, 6, 2, 2, 2, 0, 2};
    struct network_step s = random_step(&shape);

    return run_steps(&s, WORKSPACE_LIMIT, 1).status;
}

/* Each call that enqueues work fails in turn. */
static void statuses(void)
{
    suite_check_failures(step_small);
}

/* The libraries initialize with the first layer, so the second one is
 * checked. */
static void no_leak(void)
{
    suite_case("create and destroy");
    expect_success(create_small());
    expect_success(create_small());
    expect_no_leak();
}

static void step(void)
{
    static const struct cudnn_layer_shape shape = {4, 2, 12, 12, 4, 3, 3, 1,
                                                   10};
    struct network_step s = random_step(&shape);
    const struct step_result o = run_steps(&s, WORKSPACE_LIMIT, 1);

    expect_step(o.status);
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

    expect_step(o.status);
    network_step_reference(&s);
    compare_forward(&s, &o);
}

static const struct suite_test tests[] = {
    {"create", "layers are created and destroyed", create},
    {"refuses", "invalid shapes", rejects_invalid},
    {"failures", "a call in create() fails", failures},
    {"frees", "nothing is leaked", no_leak},
    {"forward", "small shapes, forward", forward},
    {"odd", "odd sizes: pooling rounds down", odd},
    {"filters", "filters of other shapes", filters},
    {"stable", "large logits", stable},
    {"backward", "all shapes, backward", backward},
    {"batch", "batches", batch},
    {"gradient", "gradient check", gradient},
    {"again", "several steps on one layer", repeated},
    {"statuses", "a call in a step fails", statuses},
    {"limits", "sizes of the workspace", layer_test_limits},
    {"pair", "two layers alive at once", pair},
    {"stream", "all work on the layer's stream", stream},
    {NULL, NULL, NULL}};
static const struct suite_test speeds[] = {
    {"lenet", "128 images of 28 x 28, 16 filters 5 x 5", lenet},
    {NULL, NULL, NULL}};
static const struct suite_test watched[] = {
    {"step", "one step, forward and backward", step}, {NULL, NULL, NULL}};

const struct suite suite_13_cudnn_layer = {
    .stem = "13_cudnn_layer", .tests = tests, .speeds = speeds,
    .watched = watched};
