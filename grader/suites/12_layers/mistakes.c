/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 12: bias, pooling, cross-entropy. */
#include "mistakes.h"

/* --- bias ----------------------------------------------------------------- */

static size_t plane_size(const struct layer_shape *s)
{
    return (size_t)s->h * (size_t)s->w;
}

static double relu(double x)
{
    return x < 0 ? 0 : x;
}

/* Biases that other elements have: the channel in other layouts. */
static void try_other_channels(struct hypotheses *h,
                               const struct bias_inputs *in)
{
    static const char *const texts[] = {
        "x plus bias[i % c]: as if the channels were the last dimension",
        "x plus bias[i / h % c]: a channel has h * w elements",
        "x plus bias[i / w % c]: a channel has h * w elements",
        "x plus the bias with the image's number",
        ("x plus the bias of the first of each four elements: a float4 may "
         "belong to two channels")};
    const size_t c = (size_t)in->shape->c, plane = plane_size(in->shape);
    const size_t divisors[] = {1, (size_t)in->shape->h, (size_t)in->shape->w};

    for (size_t k = 0; k < COUNT(texts); k++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < hypothesis_count(h); i++) {
            const size_t channel = k < 3    ? i / divisors[k] % c
                                   : k == 3 ? i / plane / c
                                            : i / 4 * 4 / plane % c;
            const double y =
                channel < c ? (double)in->x[i] + in->bias[channel] : NAN;

            values[i] = isnan(y) ? HYPOTHESIS_ANY : in->relu ? relu(y) : y;
        }
        hypothesis_try(h, "Element i of x[n][c][h][w] belongs to channel i / "
                       "(h * w) % c.", "%s", texts[k]);
    }
}

void layers_bias_mistakes(struct hypotheses *h, const void *context)
{
    const struct bias_inputs *in = context;
    static const char *const texts[] = {
        "x: no bias was added", "x + bias, without the ReLU",
        "ReLU(x) + bias: the bias was added after the ReLU"};

    for (int k = 0; k < (in->relu ? 3 : 1); k++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < hypothesis_count(h); i++) {
            const double bias =
                in->bias[layers_channel_index(in->shape, i)];

            values[i] = k == 0   ? in->relu ? relu(in->x[i]) : in->x[i]
                        : k == 1 ? in->x[i] + bias
                                 : relu(in->x[i]) + bias;
        }
        hypothesis_try(h, "y = ReLU(x + bias): the bias first.", "%s",
                       texts[k]);
    }
    try_other_channels(h, in);
}

void layers_relu_grad_mistakes(struct hypotheses *h, const void *context)
{
    static const char *const texts[] = {
        "y_grad where y is 0, should be 0 there, too",
        "y_grad without the mask: 0 where y is not above 0",
        "y_grad where y is 0 or less, should be where it is above 0",
        "y_grad masked by its own sign, should be by that of y"};
    const struct relu_grad_inputs *in = context;

    for (size_t k = 0; k < COUNT(texts); k++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < hypothesis_count(h); i++) {
            const bool passes = k == 0   ? in->y[i] >= 0
                                : k == 1 ? true
                                : k == 2 ? in->y[i] <= 0 : in->y_grad[i] > 0;

            values[i] = passes ? in->y_grad[i] : 0;
        }
        if (k == 1 && h->fits)
            continue; /* the same: y is never negative */
        h->is_whole = k > 1; /* half of the elements fit either */
        hypothesis_try(h, "The gradient of a ReLU is y_grad where y > 0, else "
                       "0.", "%s", texts[k]);
    }
    h->is_whole = false;
}

/* The elements of a channel, with n channels in an image. */
static void try_images_as_channels(struct hypotheses *h,
                                   const struct bias_grad_inputs *in)
{
    const size_t all = layers_element_count(in->shape);
    const size_t n = (size_t)in->shape->n, plane = plane_size(in->shape);
    double *values = hypothesis_values(h);

    for (size_t c = 0; c < (size_t)in->shape->c; c++) {
        values[c] = 0;
        for (size_t i = 0; i < n * plane; i++) {
            const size_t at = (i / plane * n + c) * plane + i % plane;

            if (at >= all || values[c] == HYPOTHESIS_ANY)
                values[c] = HYPOTHESIS_ANY; /* past the end */
            else
                values[c] += in->x_grad[at];
        }
    }
    hypothesis_try(h, "Channel k of image i begins at (i * c + k) * h * w, "
                   "with c channels in each image.",
                   "the sum of the elements of other channels: an image begins "
                   "after n * h * w elements, should be after c * h * w");
}

void layers_bias_grad_mistakes(struct hypotheses *h, const void *context)
{
    static const char hint[] =
        "The gradient of a bias is the sum of x_grad, after the ReLU mask, "
        "over all images, rows and columns: not a mean.";
    static const char *const texts[] = {
        "the sum of y_grad, without the ReLU mask",
        "the sum over the first image only",
        "the sum over the first pixel of each image only",
        "the mean, not the sum", "the sum divided by the number of images"};
    const struct bias_grad_inputs *in = context;
    const size_t all = layers_element_count(in->shape);
    const size_t c = (size_t)in->shape->c, plane = plane_size(in->shape);

    for (size_t k = 0; k < COUNT(texts) && all; k++) {
        double *values = hypothesis_values(h);

        if (k == 4 && plane == 1)
            continue; /* the mean */
        for (size_t i = 0; i < c && k < 3; i++)
            values[i] = 0;
        for (size_t i = 0; i < all && k < 3; i++)
            if (k == 0 || (k == 1 && i < c * plane)
                || (k == 2 && i % plane == 0))
                values[layers_channel_index(in->shape, i)] +=
                    k ? in->x_grad[i] : in->y_grad[i];
        for (size_t i = 0; i < c && k >= 3; i++)
            values[i] /= k == 3 ? (double)(all / c) : in->shape->n;
        hypothesis_try(h, hint, "%s", texts[k]);
    }
    if (!h->fits && in->shape->n > 1 && in->shape->n != in->shape->c)
        try_images_as_channels(h, in);
}

/* --- pooling -------------------------------------------------------------- */

/* Elements of the window of output i, in different readings. */
struct window {
    double sum, maximum; /* of the elements inside the plane */
    int inside, all;     /* elements */
    int last;            /* the last of the equal maxima */
    int top, left;       /* position in the plane */
};

static struct window window_of(const struct pool_inputs *in, size_t i,
                               const struct pool_shape *s)
{
    const size_t windows = in->rows * in->columns;
    const float *plane = in->x + i / windows * (size_t)(s->h * s->w);
    struct window w = {.maximum = -INFINITY, .all = s->size * s->size};

    w.top = (int)(i / in->columns % in->rows) * s->stride - s->pad;
    w.left = (int)(i % in->columns) * s->stride - s->pad;
    for (int k = 0; k < w.all; k++) {
        const int row = w.top + k / s->size, column = w.left + k % s->size;

        if (row < 0 || row >= s->h || column < 0 || column >= s->w)
            continue;
        w.sum += plane[row * s->w + column];
        w.inside++;
        if (plane[row * s->w + column] >= w.maximum)
            w.last = k;
        w.maximum = fmax(w.maximum, plane[row * s->w + column]);
    }
    return w;
}

/* Maxima of windows that lie elsewhere. */
static void try_other_windows(struct hypotheses *h,
                              const struct pool_inputs *in)
{
    static const char *const texts[] = {
        "the maximum of a window that starts at p * size, q * size",
        "the maximum of a window that starts at p, q: with stride 1",
        "the maximum of a window that is not moved by the padding",
        "the maximum of a window that is moved by + pad, not - pad"};
    const struct pool_shape *s = in->shape;

    for (size_t k = 0; k < COUNT(texts); k++) {
        double *values = hypothesis_values(h);
        struct pool_shape other = *s;

        other.stride = k == 0 ? s->size : k == 1 ? 1 : s->stride;
        other.pad = k == 2 ? 0 : k == 3 ? -s->pad : s->pad;
        if (other.stride == s->stride && other.pad == s->pad)
            continue;
        for (size_t i = 0; i < hypothesis_count(h); i++) {
            const struct window w = window_of(in, i, &other);

            values[i] = w.inside ? w.maximum : HYPOTHESIS_ANY;
        }
        hypothesis_try(h, "Window (p, q) starts at row p * stride - pad and "
                       "column q * stride - pad.", "%s", texts[k]);
    }
}

void layers_pool_mistakes(struct hypotheses *h, const void *context)
{
    static const char *const texts[] = {
        ("the maximum of the numbers only: NaN is ignored, should be larger "
         "than all numbers"),
        "the mean of the window, not its maximum",
        "the mean of the window and its padding",
        "the larger one of the maximum and 0: the padding counts as 0",
        "the larger one of the maximum and 0: the maximum starts at 0"};
    const struct pool_inputs *in = context;

    for (size_t k = 0; k < COUNT(texts); k++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < hypothesis_count(h); i++) {
            const struct window w = window_of(in, i, in->shape);
            const bool padded = w.inside < w.all;

            values[i] = k == 0   ? w.maximum
                        : k == 1 ? w.sum / w.inside
                        : k == 2 ? w.sum / w.all
                        : k == 3 ? padded ? fmax(w.maximum, 0) : w.maximum
                                 : fmax(w.maximum, 0);
        }
        if ((k == 2 || k == 3) && in->shape->pad == 0)
            continue;
        hypothesis_try(h, "Only elements inside the plane count; start with "
                       "the first of them, not with 0.", "%s", texts[k]);
    }
    try_other_windows(h, in);
}

/* A maximum that starts at -infinity, with position 0: nothing is larger. */
static void try_position_of_none(struct hypotheses *h,
                                 const struct pool_inputs *in)
{
    double *values = hypothesis_values(h);
    bool is_other = false;

    for (size_t i = 0; i < hypothesis_count(h); i++) {
        const struct window w = window_of(in, i, in->shape);

        if (w.inside && w.sum == -INFINITY && w.maximum == -INFINITY) {
            is_other |= values[i] != 0;
            values[i] = 0;
        }
    }
    if (is_other)
        hypothesis_try(h, "No element is larger than -infinity: start with the "
                       "first element inside the plane, and its position.",
                       "0 where all elements of the window are -infinity, and "
                       "position 0 is padding");
}

void layers_argmax_mistakes(struct hypotheses *h, const void *context)
{
    static const char *const texts[] = {
        "the last one of equal elements, should be the first one",
        "the position in the plane, should be the one in the window",
        "counted without the padding, which is part of the window"};
    const struct pool_inputs *in = context;
    const int side = in->shape->size;

    for (size_t k = 0; k < COUNT(texts); k++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < hypothesis_count(h); i++) {
            const struct window w = window_of(in, i, in->shape);
            const int at = (int)values[i];

            values[i] = k == 0   ? w.last
                        : k == 1 ? (uint8_t)((w.top + at / side) * in->shape->w
                                             + w.left + at % side)
                                 : at + (w.top < 0 ? w.top : 0) * side
                                       + (w.left < 0 ? w.left : 0);
        }
        hypothesis_try(h, k ? "argmax = row * size + column, within the window."
                            : "Only a larger element replaces the maximum.",
                       "%s", texts[k]);
    }
    try_position_of_none(h, in);
}

/* --- cross-entropy -------------------------------------------------------- */

/* Each element with the 1 or without it, whatever fits: but not at the row's
 * own label. */
static void try_other_labels(struct hypotheses *h, const struct loss_inputs *in)
{
    double *values = hypothesis_values(h);
    const double one = 1.0 / (double)in->rows;

    for (size_t i = 0; i < hypothesis_count(h); i++) {
        const bool is_label = in->labels[i / in->classes] == i % in->classes;

        if (h->evidence->comparison->wrong_mask[i])
            values[i] += is_label ? one : -one;
    }
    hypothesis_try(h, "Row i has label i: the 1 is subtracted at element "
                   "i * classes + labels[i].",
                   "softmax / n with the 1 subtracted elsewhere than at the "
                   "row's own label");
}

void layers_loss_grad_mistakes(struct hypotheses *h, const void *context)
{
    static const char *const texts[] = {
        "softmax minus 1 at the label, not divided by the number of rows",
        ("softmax minus 1 at the label, divided by the number of classes, not "
         "of rows"),
        "softmax / n, without minus 1 at the label",
        "softmax, without minus 1 at the label",
        "softmax / n, minus 1 at the label that is not divided by n"};
    const struct loss_inputs *in = context;

    for (size_t k = 0; k < COUNT(texts); k++) {
        double *values = hypothesis_values(h);

        for (size_t i = 0; i < hypothesis_count(h); i++) {
            const bool is_label =
                in->labels[i / in->classes] == i % in->classes;

            if (k > 1 && is_label)
                values[i] += 1.0 / (double)in->rows;
            if (k == 4)
                values[i] -= is_label;
            if (k != 2 && k != 4)
                values[i] *= (double)in->rows;
            if (k == 1)
                values[i] /= (double)in->classes;
        }
        hypothesis_try(h, "x_grad = (softmax - 1 at the label) / n, with n "
                       "rows.", "%s", texts[k]);
    }
    if (!h->fits)
        try_other_labels(h, in);
}
