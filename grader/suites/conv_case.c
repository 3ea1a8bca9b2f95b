/* SPDX-License-Identifier: MIT */
/* The stubs of lab 11, and one call of it against the sums in double. */
#include "conv_case.h"

#include <math.h>

#include "suite.h"

static size_t work_bytes; /* of d_work, in the stubs' next calls */

/* The stubs: same signatures, run in the runner. */
size_t conv_workspace(const struct conv_shape *shape)
{
    int64_t bytes;

    call_begin(CONV_WORKSPACE);
    call_in(ON_HOST, shape, sizeof *shape);
    bytes = call_end();
    return bytes > 0 ? (size_t)bytes : 0;
}

/* The call that all three are; out is the array that is summed up. */
static int call(uint32_t function, const struct conv_shape *shape,
                const float *const in[2], float *out, void *work)
{
    static const enum conv_array arrays[][3] = {
        [CONV_FORWARD] = {CONV_X, CONV_W, CONV_Y},
        [CONV_BACKWARD_DATA] = {CONV_W, CONV_Y, CONV_X},
        [CONV_BACKWARD_FILTER] = {CONV_X, CONV_Y, CONV_W}};
    static const char *const parameters[] = {
        [CONV_FORWARD] = "(shape, d_x, d_w, d_y, d_work)",
        [CONV_BACKWARD_DATA] = "(shape, d_w, d_y_grad, d_x_grad, d_work)",
        [CONV_BACKWARD_FILTER] = "(shape, d_x, d_y_grad, d_w_grad, d_work)"};
    const enum conv_array *array = arrays[function];

    call_begin(function);
    call_parameters(parameters[function]);
    call_in(ON_HOST, shape, sizeof *shape);
    for (int i = 0; i < 2; i++)
        call_in(ON_DEVICE, in[i], conv_size(shape, array[i]) * sizeof *out);
    call_out(ON_DEVICE, out, conv_size(shape, array[2]) * sizeof *out);
    call_out(ON_DEVICE, work, work_bytes);
    return (int)call_end();
}

int conv_forward(const struct conv_shape *shape, const float *d_x,
                 const float *d_w, float *d_y, void *d_work)
{
    return call(CONV_FORWARD, shape, (const float *[]){d_x, d_w}, d_y, d_work);
}

int conv_backward_data(const struct conv_shape *shape, const float *d_w,
                       const float *d_y_grad, float *d_x_grad, void *d_work)
{
    return call(CONV_BACKWARD_DATA, shape, (const float *[]){d_w, d_y_grad},
                d_x_grad, d_work);
}

int conv_backward_filter(const struct conv_shape *shape, const float *d_x,
                         const float *d_y_grad, float *d_w_grad, void *d_work)
{
    return call(CONV_BACKWARD_FILTER, shape, (const float *[]){d_x, d_y_grad},
                d_w_grad, d_work);
}

static const char *const names[CONV_ARRAYS] = {"x_grad", "w_grad", "y"};
static const char *const directions[CONV_ARRAYS] = {
    "backward data", "backward filter", "forward"};

struct conv_layer conv_layer_of(const struct conv_shape *shape)
{
    struct conv_layer layer = {.shape = *shape};

    for (int i = 0; i < CONV_ARRAYS; i++)
        layer.array[i] = suite_floats(conv_size(shape, (enum conv_array)i));
    return layer;
}

void conv_say(const struct conv_layer *layer, enum conv_array result)
{
    const struct conv_shape *s = &layer->shape;

    suite_case("%s, n %d, c %d, %d x %d, k %d, %d x %d, stride %d, pad %d",
               directions[result], s->n, s->c, s->h, s->w, s->k, s->r, s->s,
               s->stride, s->pad);
}

/* Products in an element of the result. */
double conv_products(const struct conv_shape *s, enum conv_array result)
{
    const double window = (double)s->r * s->s;

    if (result == CONV_W)
        return (double)s->n * (double)conv_plane(s, CONV_Y);
    return window * (result == CONV_X ? s->k : s->c);
}

/* Magnitudes of an array; those of a plane all as large as its largest, where
 * the contract grants Winograd's algorithm. */
static float *magnitudes(const struct conv_layer *layer, enum conv_array array,
                         enum conv_array result)
{
    const struct conv_shape *s = &layer->shape;
    const bool granted = s->r == 3 && s->s == 3 && s->stride == 1
                         && array != CONV_W && result != CONV_W;
    const size_t plane = granted ? conv_plane(s, array) : 1;
    float *all = suite_floats(conv_size(s, array));

    for (size_t i = 0; i < conv_size(s, array); i += plane) {
        for (size_t j = 0; j < plane; j++)
            all[i] = fmaxf(all[i], fabsf(layer->array[array][i + j]));
        for (size_t j = 1; j < plane; j++)
            all[i + j] = all[i];
    }
    return all;
}

static void size_of(const struct conv_shape *s, enum conv_array array,
                    size_t size[EXPECTED_DIMS])
{
    const int of[CONV_ARRAYS][EXPECTED_DIMS] = {
        [CONV_X] = {s->n, s->c, s->h, s->w},
        [CONV_W] = {s->k, s->c, s->r, s->s},
        [CONV_Y] = {s->n, s->k, conv_rows(s), conv_columns(s)}};

    for (int i = 0; i < EXPECTED_DIMS; i++)
        size[i] = (size_t)of[array][i];
}

/* What came back against what should have. */
void conv_expect(const struct conv_layer *layer, enum conv_array result,
                   const float *got, const double *want)
{
    const struct conv_shape *s = &layer->shape;
    double *scale = suite_doubles(conv_size(s, result));
    const float *size[CONV_ARRAYS];
    struct expected expected = {
        .name = names[result], .got = got, .want = want, .type = FLOAT32,
        .steps = 16 + 2 * sqrt(conv_products(s, result)), .scale = scale};

    for (int i = 0; i < CONV_ARRAYS; i++)
        size[i] = magnitudes(layer, (enum conv_array)i, result);
    conv_reference(s, result, size, scale);
    size_of(s, result, expected.size);
    expect_elements(&expected);
}

/* One call of the lab.  @return its output */
float *conv_run(const struct conv_layer *layer, enum conv_array result)
{
    const struct conv_shape *s = &layer->shape;
    float *const *a = layer->array, *out = suite_floats(conv_size(s, result));
    void *work;
    int status;

    conv_say(layer, result);
    work_bytes = conv_workspace(s);
    expect_that(work_bytes <= (size_t)256 << 20,
                "conv_workspace says %zu bytes", work_bytes);
    if (suite_failed())
        return out;
    work = suite_bytes(work_bytes);
    if (result == CONV_Y)
        status = conv_forward(s, a[CONV_X], a[CONV_W], out, work);
    else if (result == CONV_X)
        status = conv_backward_data(s, a[CONV_W], a[CONV_Y], out, work);
    else
        status = conv_backward_filter(s, a[CONV_X], a[CONV_Y], out, work);
    expect_success(status);
    return out;
}

void conv_check(const struct conv_layer *layer, enum conv_array result)
{
    double *want = suite_doubles(conv_size(&layer->shape, result));
    const float *got = conv_run(layer, result);

    conv_reference(&layer->shape, result,
                   (const float *const *)layer->array, want);
    conv_expect(layer, result, got, want);
}

void conv_fill(const struct conv_layer *layer, double lo, double hi)
{
    for (int i = 0; i < CONV_ARRAYS; i++)
        random_floats(layer->array[i],
                      conv_size(&layer->shape, (enum conv_array)i), lo, hi);
}

void conv_check_one(const struct conv_shape *shape, enum conv_array result)
{
    struct conv_layer layer = conv_layer_of(shape);

    conv_fill(&layer, -1, 1);
    conv_check(&layer, result);
}

void conv_check_all(const struct conv_shape *shapes, size_t count,
                      enum conv_array result)
{
    for (size_t i = 0; i < count && !suite_failed(); i++)
        conv_check_one(&shapes[i], result);
}

/* Forward, and both ways back. */
void conv_check_ways(const struct conv_shape *shapes, size_t count)
{
    conv_check_all(shapes, count, CONV_Y);
    conv_check_all(shapes, count, CONV_X);
    conv_check_all(shapes, count, CONV_W);
}
