/* SPDX-License-Identifier: MIT */
/* Suite of lab 13: a step of a network against the same in double, with a
 * bound for each number, and against differences of the loss. */
#include <math.h>
#include <string.h>

#include "network_step.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum {
    ROOM = 1 << 22,    /* bytes of workspace that most calls grant */
    GENEROUS = 1 << 20, /* with that many, some algorithm always fits */
    CAPTURED = 0        /* rounds: one, into a graph */
};

static void shape_integers(const struct cudnn_layer_shape *s, size_t limit)
{
    const int all[] = {s->n, s->c, s->h, s->w, s->k, s->r, s->s, s->pad,
                       s->classes};

    for (size_t i = 0; i < COUNT(all); i++)
        call_integer(all[i]);
    call_integer((int64_t)limit);
}

/** What came of a step. */
struct outcome {
    float *scores, *loss, *gradients, *x_grad;
    int64_t status;
};

/* A layer is made, does some rounds of the same step and is destroyed. */
static struct outcome run(const struct network_step *s, size_t limit,
                          int rounds)
{
    struct outcome o = {.scores = suite_floats(s->scores.count),
                        .loss = suite_floats(1),
                        .gradients = suite_floats(s->parameter_count),
                        .x_grad = suite_floats(s->x_grad.count)};

    call_begin(0);
    call_in(ON_DEVICE, s->x, s->x_grad.count * sizeof *s->x);
    call_in(ON_DEVICE, s->target, s->scores.count * sizeof *s->target);
    call_in(ON_DEVICE, s->parameters,
            s->parameter_count * sizeof *s->parameters);
    call_out(ON_DEVICE, o.scores, s->scores.count * sizeof *o.scores);
    call_out(ON_DEVICE, o.loss, sizeof *o.loss);
    call_out(ON_DEVICE, o.gradients, s->parameter_count * sizeof *o.gradients);
    call_out(ON_DEVICE, o.x_grad, s->x_grad.count * sizeof *o.x_grad);
    shape_integers(&s->shape, limit);
    call_integer(rounds);
    o.status = call_end();
    return o;
}

/* A layer is made and tells its workspace; -1 when it was not made. */
static int64_t plan(const struct cudnn_layer_shape *s, size_t limit,
                    int64_t *status)
{
    int64_t bytes = 0;

    call_begin(1);
    call_out(ON_HOST, &bytes, sizeof bytes);
    shape_integers(s, limit);
    *status = call_end();
    return bytes;
}

/* --- inputs and comparisons ---------------------------------------------- */

/* Random inputs; a row of the target is one class, or shared by two. */
static struct network_step random_step(const struct cudnn_layer_shape *s)
{
    struct network_step step = network_step_new(s);
    const double spread = 1 / sqrt((double)s->c * s->r * s->s);

    random_floats(step.x, step.x_grad.count, -1, 1);
    random_floats(step.parameters, step.parameter_count, -spread, spread);
    for (int n = 0; n < s->n; n++) {
        float *row = step.target + (size_t)n * s->classes;
        const double share = n % 2 ? random_real(0.2, 0.8) : 1;

        row[random_between(0, s->classes - 1)] += (float)share;
        row[random_between(0, s->classes - 1)] += 1 - (float)share;
    }
    suite_case("n %d, x %d x %d x %d, %d filters %d x %d, pad %d, %d classes",
               s->n, s->c, s->h, s->w, s->k, s->r, s->s, s->pad, s->classes);
    return step;
}

/* Roundings on the way to a number: the longest sums, each order of them. */
static double roundings(const struct cudnn_layer_shape *s)
{
    const struct network_sizes z = network_sizes(s);

    return 16 + s->c * s->r * s->s + z.features + s->classes;
}

static void same(const char *name, const float *got,
                 const struct bounded *want, double steps)
{
    expect_elements(&(struct expected){
        .name = name, .got = got, .want = want->value, .scale = want->scale,
        .type = FLOAT32, .size = {want->count}, .steps = steps});
}

static void same_forward(const struct network_step *s, const struct outcome *o)
{
    expect_launches_at_most(0);
    same("scores", o->scores, &s->scores, roundings(&s->shape));
    same("loss", o->loss, &s->loss, roundings(&s->shape) + 8);
}

/* Gradients of the parts of the parameters, each by its own name. */
static void same_backward(const struct network_step *s,
                          const struct outcome *o)
{
    const struct cudnn_layer_shape *z = &s->shape;
    const size_t filter = (size_t)z->k * z->c * z->r * z->s, bias = z->k;
    const size_t dense =
        (size_t)network_sizes(z).features * (size_t)z->classes;
    const struct {
        const char *name;
        size_t from, count;
    } parts[] = {{"dense gradient", filter + bias, dense},
                 {"dense bias gradient", filter + bias + dense,
                  (size_t)z->classes},
                 {"bias gradient", filter, bias},
                 {"filter gradient", 0, filter}};
    const double steps = 2 * roundings(z) + z->n;

    for (size_t i = 0; i < COUNT(parts); i++) {
        const struct bounded part = {s->gradients.value + parts[i].from,
                                     s->gradients.scale + parts[i].from,
                                     parts[i].count};

        same(parts[i].name, o->gradients + parts[i].from, &part, steps);
    }
    same("x gradient", o->x_grad, &s->x_grad, steps);
}

static void try_shape(const struct cudnn_layer_shape *shape, int rounds)
{
    struct network_step s = random_step(shape);
    const struct outcome o = run(&s, ROOM, rounds);

    expect_success(o.status);
    network_step_reference(&s);
    same_forward(&s, &o);
    same_backward(&s, &o);
}

static void try_shapes(const struct cudnn_layer_shape *shapes, size_t count)
{
    for (size_t i = 0; i < count && !suite_failed(); i++)
        try_shape(&shapes[i], 1);
}

/* --- tests --------------------------------------------------------------- */

static void small(void)
{
    static const struct cudnn_layer_shape shapes[] = {
        {1, 1, 4, 4, 1, 3, 3, 0, 2}, {1, 2, 6, 6, 3, 3, 3, 1, 3},
        {2, 1, 5, 6, 2, 2, 2, 0, 2}, {3, 3, 8, 8, 4, 5, 5, 2, 10}};

    try_shapes(shapes, COUNT(shapes));
}

/* Odd sizes: pooling leaves a row or a column out. */
static void odd(void)
{
    static const struct cudnn_layer_shape shapes[] = {
        {2, 2, 7, 9, 3, 3, 3, 0, 4},  {2, 3, 9, 6, 5, 3, 3, 1, 7},
        {1, 1, 11, 5, 2, 4, 2, 1, 3}, {3, 2, 5, 13, 1, 1, 3, 0, 5}};

    try_shapes(shapes, COUNT(shapes));
}

/* Filters that are not square, of one place, as large as the image. */
static void filters(void)
{
    static const struct cudnn_layer_shape shapes[] = {
        {2, 4, 6, 6, 8, 1, 1, 0, 3}, {2, 2, 8, 8, 3, 1, 5, 0, 3},
        {2, 2, 8, 8, 3, 5, 1, 2, 3}, {1, 2, 5, 5, 4, 5, 5, 2, 2},
        {1, 1, 4, 4, 1, 3, 3, 3, 2}};

    try_shapes(shapes, COUNT(shapes));
}

static void batch(void)
{
    static const struct cudnn_layer_shape shapes[] = {
        {17, 1, 12, 12, 6, 5, 5, 0, 10}, {33, 3, 8, 8, 16, 3, 3, 1, 10},
        {64, 2, 6, 6, 4, 3, 3, 1, 2}};

    try_shapes(shapes, COUNT(shapes));
}

/* Logits of hundreds: exp() of them is infinite in float. */
static void stable(void)
{
    static const struct cudnn_layer_shape shape = {4, 1, 6, 6, 2, 3, 3, 1, 5};
    struct network_step s = random_step(&shape);
    struct outcome o;

    suite_case("logits of some hundreds");
    for (int c = 0; c < shape.classes; c++)
        s.parameters[s.parameter_count - 1 - (size_t)c] =
            (float)(400 * (c % 2 ? -1 : 1) + 7 * c);
    o = run(&s, ROOM, 1);
    expect_success(o.status);
    network_step_reference(&s);
    same_forward(&s, &o);
    same_backward(&s, &o);
}

/* Differences of the loss in double, for some parameters and some of x. */
static void gradient(void)
{
    static const struct cudnn_layer_shape shape = {3, 2, 7, 6, 4, 3, 3, 1, 4};
    const double h = 1e-6;
    struct network_step s = random_step(&shape);
    const struct outcome o = run(&s, ROOM, 1);
    double *both = suite_doubles(s.parameter_count + s.x_grad.count);
    const size_t all = s.parameter_count + s.x_grad.count;

    expect_success(o.status);
    for (size_t i = 0; i < all; i++)
        both[i] = i < s.parameter_count
                      ? (double)s.parameters[i]
                      : (double)s.x[i - s.parameter_count];
    for (int t = 0; t < 60 && !suite_failed(); t++) {
        const size_t i = (size_t)random_between(0, (int64_t)all - 1);
        const double was = both[i];
        const double got = i < s.parameter_count
                               ? (double)o.gradients[i]
                               : (double)o.x_grad[i - s.parameter_count];
        double loss[2];

        for (int side = 0; side < 2; side++) {
            both[i] = was + (side ? h : -h);
            loss[side] = network_step_loss(&s, both,
                                           both + s.parameter_count);
        }
        both[i] = was;
        const double want = (loss[1] - loss[0]) / (2 * h);
        expect_that(fabs(got - want) <= 1e-5 * (1 + fabs(want)),
                    "the loss changes by %.6g a unit of %s[%zu], not by the "
                    "gradient %.6g", want,
                    i < s.parameter_count ? "parameters" : "x",
                    i < s.parameter_count ? i : i - s.parameter_count, got);
    }
}

/* The same step twice on one layer: nothing adds up, nothing is left over; and
 * on the soft device, that a step only queues work. */
static void again(void)
{
    static const struct cudnn_layer_shape shape = {5, 2, 9, 8, 3, 3, 3, 1, 4};
    struct network_step s = random_step(&shape);
    struct outcome once = run(&s, ROOM, 1);
    const struct outcome twice = run(&s, ROOM, 3);

    suite_case("three rounds on one layer");
    expect_success(once.status);
    expect_success(twice.status);
    network_step_reference(&s);
    same_forward(&s, &twice);
    same_backward(&s, &twice);
    expect_that(!memcmp(once.gradients, twice.gradients,
                        s.parameter_count * sizeof *once.gradients),
                "the third round gives other bits than the first");
    once = run(&s, ROOM, (int)suite_size(CAPTURED, 1));
    suite_case("a round captured into a graph");
    expect_success(once.status);
    same_forward(&s, &once);
}

/* The workspace stays within what is granted, and is enough. */
static void limits(void)
{
    static const size_t granted[] = {4096, 65536, 1 << 20, 1 << 26};
    static const struct cudnn_layer_shape large = {8, 64, 56, 56, 128,
                                                   3, 3,  1,  10};
    static const struct cudnn_layer_shape shape = {4, 8, 10, 10, 8, 3, 3, 1, 4};

    for (size_t i = 0; i < COUNT(granted) && !suite_failed(); i++) {
        int64_t status, bytes;
        struct outcome o;
        struct network_step s;

        suite_case("a limit of %zu bytes, 8 images of 64 x 56 x 56",
                   granted[i]);
        bytes = plan(&large, granted[i], &status);
        if (status && granted[i] < GENEROUS)
            continue; /* there may be no algorithm that needs so little */
        expect_success(status);
        expect_that(bytes >= 0 && (size_t)bytes <= granted[i],
                    "the workspace has %lld bytes, more than the limit of %zu",
                    (long long)bytes, granted[i]);
        s = random_step(&shape);
        o = run(&s, granted[i], 1);
        expect_success(o.status);
        network_step_reference(&s);
        same_forward(&s, &o);
        same_backward(&s, &o);
    }
}

/* Sizes that are none, filters larger than the image, nothing to pool. */
static void refuses(void)
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
        bytes = plan(&shapes[i], ROOM, &status);
        expect_refusal(status);
        expect_that(bytes == -1, "create() fails, but *layer is not NULL");
    }
}

/* The libraries load what they need with the first layer: the second counts. */
static void frees(void)
{
    static const struct cudnn_layer_shape shape = {2, 2, 8, 8, 4, 3, 3, 1, 3};
    struct network_step s = random_step(&shape);

    expect_success(run(&s, ROOM, 1).status);
    expect_success(run(&s, ROOM, 1).status);
    expect_no_leak();
}

/* --- watched: counted ---------------------------------------------------- */

static void step(void)
{
    static const struct cudnn_layer_shape shape = {4, 2, 12, 12, 4, 3, 3, 1,
                                                   10};
    struct network_step s = random_step(&shape);
    const struct outcome o = run(&s, ROOM, 1);

    expect_success(o.status);
    network_step_reference(&s);
    same_forward(&s, &o);
    same_backward(&s, &o);
    /* fused calls may save some; two convolutions and pools there must be */
    expect_cost(COST_LAUNCHES, 4, 1, "calls that do work");
}

/* --- timed --------------------------------------------------------------- */

static void lenet(void)
{
    static const struct cudnn_layer_shape shape = {128, 1, 28, 28, 16,
                                                   5,   5, 2,  10};
    struct network_step s = random_step(&shape);
    const struct outcome o = run(&s, (size_t)1 << 26, 1);

    expect_success(o.status);
    network_step_reference(&s);
    same_forward(&s, &o);
}

static const struct suite_test tests[] = {
    {"small", "small shapes, forward and backward", small},
    {"odd", "odd sizes: pooling rounds down", odd},
    {"filters", "filters of other shapes", filters},
    {"batch", "batches", batch},
    {"stable", "large logits", stable},
    {"gradient", "gradients against differences of the loss", gradient},
    {"again", "several steps on one layer", again},
    {"limits", "limits of the workspace", limits},
    {"refuses", "shapes that are none", refuses},
    {"frees", "frees what it took", frees},
    {NULL, NULL, NULL}};
static const struct suite_test speeds[] = {
    {"lenet", "128 images of 28 x 28, 16 filters 5 x 5", lenet},
    {NULL, NULL, NULL}};
static const struct suite_test watched[] = {
    {"step", "one step, counted", step}, {NULL, NULL, NULL}};

const struct suite suite_13_cudnn_layer = {
    .stem = "13_cudnn_layer", .tests = tests, .speeds = speeds,
    .watched = watched};
