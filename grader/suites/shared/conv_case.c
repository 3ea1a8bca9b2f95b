/* SPDX-License-Identifier: MIT */
/* One call of lab 11, compared with the sums in double. */
#include "conv_case.h"

#include <math.h>

#include "conv_mistakes.h"
#include "conv_response.h"
#include "grader/suite/suite.h"

static const char *const names[CONV_ARRAYS] = {"x_grad", "w_grad", "y"};
static const char *const directions[CONV_ARRAYS] = {
    "backward data", "backward filter", "forward"};

struct conv_layer conv_layer_create(const struct conv_shape *shape)
{
    struct conv_layer layer = {.shape = *shape};

    for (int i = 0; i < CONV_ARRAYS; i++)
        layer.array[i] =
            suite_floats(conv_array_size(shape, (enum conv_array)i));
    return layer;
}

void conv_name_case(const struct conv_layer *layer, enum conv_array result)
{
    const struct conv_shape *s = &layer->shape;

    suite_case("%s, n %d, c %d, %d x %d, k %d, %d x %d, stride %d, pad %d",
               directions[result], s->n, s->c, s->h, s->w, s->k, s->r, s->s,
               s->stride, s->pad);
}

/* Number of products in the sum of one element of the result. */
double conv_terms_per_element(const struct conv_shape *s,
                              enum conv_array result)
{
    const double window = (double)s->r * s->s;

    if (result == CONV_W)
        return (double)s->n * (double)conv_plane_size(s, CONV_Y);
    return window * (result == CONV_X ? s->k : s->c);
}

/* Absolute values of an array.  Where the contract allows Winograd's
 * algorithm, each is the maximum of its plane. */
static float *magnitudes(const struct conv_layer *layer, enum conv_array array,
                         enum conv_array result)
{
    const struct conv_shape *s = &layer->shape;
    const bool uses_winograd = s->r == 3 && s->s == 3 && s->stride == 1
                         && array != CONV_W && result != CONV_W;
    const size_t plane = uses_winograd ? conv_plane_size(s, array) : 1;
    float *all = suite_floats(conv_array_size(s, array));

    for (size_t i = 0; i < conv_array_size(s, array); i += plane) {
        for (size_t j = 0; j < plane; j++)
            all[i] = fmaxf(all[i], fabsf(layer->array[array][i + j]));
        for (size_t j = 1; j < plane; j++)
            all[i + j] = all[i];
    }
    return all;
}

void conv_array_dims(const struct conv_shape *s, enum conv_array array,
                     size_t size[EXPECTED_DIMS])
{
    const int sizes[CONV_ARRAYS][EXPECTED_DIMS] = {
        [CONV_X] = {s->n, s->c, s->h, s->w},
        [CONV_W] = {s->k, s->c, s->r, s->s},
        [CONV_Y] = {s->n, s->k, conv_output_rows(s), conv_output_columns(s)}};

    for (int i = 0; i < EXPECTED_DIMS; i++)
        size[i] = (size_t)sizes[array][i];
}

/* Compares the output of a call with its reference. */
void conv_compare(const struct conv_layer *layer, enum conv_array result,
                  const float *got, const double *want)
{
    const struct conv_shape *s = &layer->shape;
    double *scale = suite_doubles(conv_array_size(s, result));
    const float *size[CONV_ARRAYS];
    const struct conv_call call = {s, result,
                                   (const float *const *)layer->array};
    const struct response response = conv_response(&call);
    struct expected expected = {
        .name = names[result],
        .got = got,
        .want = want,
        .type = FLOAT32,
        .steps = 16 + 2 * sqrt(conv_terms_per_element(s, result)),
        .scale = scale,
        .mistakes = conv_mistakes,
        .context = &call};

    for (int i = 0; i < CONV_ARRAYS; i++)
        size[i] = magnitudes(layer, (enum conv_array)i, result);
    conv_reference(s, result, size, scale);
    conv_array_dims(s, result, expected.size);
    expected.response = &response;
    expect_elements(&expected);
}

/* 4 r s times the bytes of x, w and y together. */
static size_t work_bytes_by_shape(const struct conv_shape *s)
{
    size_t bytes = 0;

    for (int i = 0; i < CONV_ARRAYS; i++)
        bytes += conv_array_size(s, (enum conv_array)i) * sizeof(float);
    return bytes * 4 * (size_t)s->r * (size_t)s->s;
}

/* The limit where this is less. */
static const size_t most_for_any_shape = (size_t)64 << 20;

/* Bytes that conv_workspace() may return. */
static size_t most_work_bytes(const struct conv_shape *s)
{
    const size_t bytes = work_bytes_by_shape(s);

    return bytes > most_for_any_shape ? bytes : most_for_any_shape;
}

void conv_check_workspace(const struct conv_shape *shape)
{
    const struct conv_layer layer = {.shape = *shape};
    const size_t most = most_work_bytes(shape), bytes = conv_workspace(shape);

    conv_name_case(&layer, CONV_Y);
    expect_that(bytes <= most, "conv_workspace returns %zu bytes; at most %zu "
                "are allowed here: 64 MiB, or 4 r s times those of x, w and y",
                bytes, most);
    if (suite_failed())
        suite_hint("A buffer for one image, or for some, can serve all images, "
                   "one after another.  conv_workspace returns bytes.");
}

/* The size of the workspace that a call gets.  One over the limit fails
 * conv_check_workspace(); here it is cut to what a call may need, so that other
 * tests fail only if more is used. */
static size_t work_bytes_of(const struct conv_shape *s)
{
    const size_t least = (size_t)4 << 20, bytes = conv_workspace(s);
    const size_t needed = work_bytes_by_shape(s);

    if (bytes <= most_work_bytes(s))
        return bytes;
    if (needed < least)
        return least;
    return needed < most_for_any_shape ? needed : most_for_any_shape;
}

int64_t conv_call_status(const struct conv_layer *layer,
                         enum conv_array result, float *out)
{
    const struct conv_shape *s = &layer->shape;
    float *const *a = layer->array;
    void *work;

    out = out ? out : suite_floats(conv_array_size(s, result));
    work = suite_bytes(work_bytes_of(s));
    if (result == CONV_Y)
        return conv_forward(s, a[CONV_X], a[CONV_W], out, work);
    if (result == CONV_X)
        return conv_backward_data(s, a[CONV_W], a[CONV_Y], out, work);
    return conv_backward_filter(s, a[CONV_X], a[CONV_Y], out, work);
}

float *conv_call_lab(const struct conv_layer *layer, enum conv_array result)
{
    float *out = suite_floats(conv_array_size(&layer->shape, result));

    conv_name_case(layer, result);
    if (result != CONV_W)
        conv_keep_filters(&layer->shape, layer->array[CONV_W]);
    expect_success(conv_call_status(layer, result, out));
    return out;
}

void conv_check(const struct conv_layer *layer, enum conv_array result)
{
    double *want = suite_doubles(conv_array_size(&layer->shape, result));
    const float *got = conv_call_lab(layer, result);

    conv_reference(&layer->shape, result,
                   (const float *const *)layer->array, want);
    conv_compare(layer, result, got, want);
}

void conv_fill_random(const struct conv_layer *layer, double lo, double hi)
{
    for (int i = 0; i < CONV_ARRAYS; i++)
        random_floats(layer->array[i],
                      conv_array_size(&layer->shape, (enum conv_array)i), lo,
                      hi);
}

void conv_check_one(const struct conv_shape *shape, enum conv_array result)
{
    struct conv_layer layer = conv_layer_create(shape);

    conv_fill_random(&layer, -1, 1);
    conv_check(&layer, result);
}

void conv_check_all(const struct conv_shape *shapes, size_t count,
                    enum conv_array result)
{
    for (size_t i = 0; i < count && !suite_failed(); i++)
        conv_check_one(&shapes[i], result);
}

/* Forward and both backward passes. */
void conv_check_directions(const struct conv_shape *shapes, size_t count)
{
    conv_check_all(shapes, count, CONV_Y);
    conv_check_all(shapes, count, CONV_X);
    conv_check_all(shapes, count, CONV_W);
}
