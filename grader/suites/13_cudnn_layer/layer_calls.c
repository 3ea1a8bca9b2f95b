/* SPDX-License-Identifier: MIT */
/* Calls of lab 13, and their comparison with the reference. */
#include "layer_calls.h"
#include "parameter_mistakes.h"
#include "mistakes.h"

#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The arguments of a layer of a step; a forward pass has no gradients. */
static struct step_result add_arguments(const struct network_step *s,
                                        size_t limit, int rounds,
                                        bool is_forward)
{
    const struct step_result o = {.scores = suite_floats(s->scores.count),
                                  .loss = suite_floats(1),
                                  .gradients = suite_floats(s->parameter_count),
                                  .x_grad = suite_floats(s->x_grad.count)};

    call_in(ON_HOST, &s->shape, sizeof s->shape);
    call_integer((int64_t)limit);
    call_integer(rounds);
    call_in(ON_DEVICE, s->x, s->x_grad.count * sizeof *s->x);
    call_in(ON_DEVICE, s->target, s->scores.count * sizeof *s->target);
    call_in(ON_DEVICE, s->parameters,
            s->parameter_count * sizeof *s->parameters);
    call_out(ON_DEVICE, o.scores, s->scores.count * sizeof *o.scores);
    call_out(ON_DEVICE, o.loss, sizeof *o.loss);
    if (is_forward)
        return o;
    call_out(ON_DEVICE, o.gradients, s->parameter_count * sizeof *o.gradients);
    call_out(ON_DEVICE, o.x_grad, s->x_grad.count * sizeof *o.x_grad);
    return o;
}

struct step_result run_layer(enum cudnn_layer_call function,
                             const struct network_step *s, size_t limit,
                             int rounds)
{
    struct step_result o;

    call_begin(function);
    call_parameters("(shape, limit, rounds, d_x, d_target, d_parameters, "
                    "d_scores, d_loss, d_gradients, d_x_grad)");
    o = add_arguments(s, limit, rounds, function == CUDNN_LAYER_FORWARD);
    o.status = call_end();
    return o;
}

struct step_result run_steps(const struct network_step *s, size_t limit,
                             int rounds)
{
    return run_layer(CUDNN_LAYER_STEPS, s, limit, rounds);
}

int64_t query_workspace(const struct cudnn_layer_shape *s, size_t limit,
                        int64_t *status)
{
    int64_t bytes = 0;

    call_begin(CUDNN_LAYER_WORKSPACE);
    call_parameters("(shape, limit, bytes)");
    call_in(ON_HOST, s, sizeof *s);
    call_integer((int64_t)limit);
    call_out(ON_HOST, &bytes, sizeof bytes);
    *status = call_end();
    return bytes;
}

int64_t run_pair(const struct network_step s[2], struct step_result o[2])
{
    call_begin(CUDNN_LAYER_PAIR);
    call_parameters("(shape, limit, rounds, d_x, d_target, d_parameters, "
                    "d_scores, d_loss, d_gradients, d_x_grad, shape, limit, "
                    "rounds, d_x, d_target, d_parameters, d_scores, d_loss, "
                    "d_gradients, d_x_grad)");
    for (int i = 0; i < 2; i++)
        o[i] = add_arguments(&s[i], WORKSPACE_LIMIT, 1, false);
    return call_end();
}

/* The least status of cuDNN that is an error of its own. */
enum { CUDNN_STATUS_FIRST = 1000, CUDNN_STATUS_NOT_SUPPORTED = 3000 };
enum { CUBLAS_STATUS_INVALID_VALUE = 7 };

/* Was the last step late?  Then that is why outputs are wrong. */
static bool is_late;

static void late_mistake(struct hypotheses *h, const void *context)
{
    double *values = hypothesis_values(h);

    (void)context;
    for (size_t i = 0; i < hypothesis_count(h); i++)
        values[i] = evidence_got(h->evidence, i);
    hypothesis_try(h, "On which stream do cuDNN and cuBLAS enqueue their work? "
                   "Each handle has one, at first the default stream, then "
                   "that of the last call that set it.",
                   "from work that was enqueued on another stream than "
                   "create() got: it was late, or out of order");
}

void expect_step(int64_t status)
{
    is_late = status == LAYER_IS_LATE;
    expect_success(status == LAYER_IS_LATE || status == LAYER_ALLOCATES
                       ? 0 : status);
    /* NOT_SUPPORTED alone is what the handout returns before a TODO is done */
    if (suite_failed() && status == CUBLAS_STATUS_INVALID_VALUE)
        suite_hint("A product refused its arguments. The printed lines name "
                   "it and say which one. cuBLAS's matrices have columns: a "
                   "leading dimension is at least the number of rows.");
    else if (suite_failed() && status >= CUDNN_STATUS_FIRST
             && status != CUDNN_STATUS_NOT_SUPPORTED)
        suite_hint("A call refused its arguments. The printed lines name it "
                   "and say why: on a card cudnnGetLastErrorString() does. A "
                   "workspace that all calls share has the bytes that the "
                   "largest of the three algorithms needs.");
}

struct network_step random_step(const struct cudnn_layer_shape *s)
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
    suite_case("n %d, x %d x %d x %d, %d filter%s %d x %d, pad %d, %d "
               "classes",
               s->n, s->c, s->h, s->w, s->k, s->k == 1 ? "" : "s", s->r,
               s->s, s->pad, s->classes);
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
    if (is_late)
        suite_mistakes(late_mistake, NULL);
    expect_elements(&(struct expected){
        .name = name, .got = got, .want = want->value, .scale = want->scale,
        .type = FLOAT32, .size = {want->count}, .steps = steps});
}

void compare_forward(const struct network_step *s, const struct step_result *o)
{
    expect_launches_at_most(0);
    suite_mistakes(layer_score_mistakes, s);
    compare_array("scores", o->scores, &s->scores, rounding_steps(&s->shape));
    suite_mistakes(layer_loss_mistakes, s);
    compare_array("loss", o->loss, &s->loss, rounding_steps(&s->shape) + 8);
    if (suite_says(": loss["))
        suite_hint("All scores are right: the loss is -sum(target * score) / n "
                   "of d_target and d_scores, over all n * classes elements.");
    suite_mistakes(NULL, NULL);
    layer_keep_loss(s);
}

/* A hint about a part of the gradients that was never written: all right values
 * of a part, of the dense weights or their biases, may be at another place. */
static const char *other_place_hint(const float *gradients,
                                    const struct network_step *s, size_t part)
{
    static char hint[200];
    const struct layer_offsets at = layer_offsets(&s->shape);
    const size_t from[] = {at.dense, at.dense_bias, at.bias, 0};
    const size_t end[] = {at.dense_bias, s->parameter_count, at.dense, at.bias};
    const size_t n = end[part] - from[part];

    for (size_t place = 0; place + n <= s->parameter_count; place++) {
        size_t right = 0;

        for (size_t i = 0; i < n; i++)
            right += fabs((double)gradients[place + i]
                          - s->gradients.value[from[part] + i])
                     <= 1e-4 * s->gradients.scale[from[part] + i];
        if (n < 4 || right < n - n / 4 || place == from[part])
            continue; /* another part may have been written over some */
        snprintf(hint, sizeof hint, "Its right values are in d_gradients, from "
                 "parameter %zu on; they belong from %zu on.", place,
                 from[part]);
        return hint;
    }
    return "No call writes this part: does each call get its own offset in "
           "d_gradients? The parts are filters, biases, dense weights, dense "
           "biases.";
}

void compare_backward(const struct network_step *s,
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

        const struct layer_part context = {s, parts[i].from};

        suite_mistakes(layer_gradient_mistakes, &context);
        compare_array(parts[i].name, o->gradients + parts[i].from, &part,
                      steps);
        if (suite_says("; never written"))
            suite_hint(other_place_hint(o->gradients, s, i));
    }
    suite_mistakes(layer_x_gradient_mistakes, s);
    compare_array("x gradient", o->x_grad, &s->x_grad, steps);
    suite_mistakes(NULL, NULL);
}

void layer_check_step(const struct cudnn_layer_shape *shape, size_t limit)
{
    struct network_step s = random_step(shape);
    const struct step_result o = run_steps(&s, limit, 1);

    expect_step(o.status);
    network_step_reference(&s);
    compare_forward(&s, &o);
    compare_backward(&s, &o);
}
