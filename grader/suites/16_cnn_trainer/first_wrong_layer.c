/* SPDX-License-Identifier: MIT */
/* Lab 16's suite: where the wrong output or gradient of a network
 * begins. */
#include <stdio.h>

#include "suite_16.h"

enum { TRAINER_TESTS = 32, HINT_SIZE = 300 }; /* at most */

/* Are n elements of a layer's array what the reference has for some layer? */
static bool are_outputs_of(const struct fixture *fixture, int array, int layer,
                           size_t at, size_t n)
{
    const size_t all = (size_t)fixture->step.count
                       * shape_elements(&fixture->net.layers[layer].out);
    const double *want = fixture->x->out[layer];
    const double tolerance =
        TRAINER_TOLERANCE * trainer_max_magnitude(want, all);

    for (size_t i = at; i < at + n; i++)
        if (!(fabs((double)fixture->step.d_out[array][i] - want[i])
              <= tolerance))
            return false;
    return true;
}

static bool is_output_of(const struct fixture *fixture, int array, int layer)
{
    const size_t n = shape_elements(&fixture->net.layers[layer].out);

    return shape_elements(&fixture->net.layers[array].out) == n
           && are_outputs_of(fixture, array, layer, 0,
                             (size_t)fixture->step.count * n);
}

/* Has a layer's array numbers of the size of its outputs?  An array that no
 * later kernel needs may be left as it was. */
static bool is_written(const struct fixture *fixture, int layer)
{
    const struct layer *made = &fixture->net.layers[layer];
    const size_t n = (size_t)fixture->step.count * shape_elements(&made->out);
    const double most = trainer_max_magnitude(fixture->x->out[layer], n);

    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)fixture->step.d_out[layer][i]) <= 1e4 * most))
            return false;
    return true;
}

static const char *setting_of(enum layer_kind kind)
{
    switch (kind) {
    case LAYER_MAXPOOL:
    case LAYER_AVGPOOL:
        return " Windows of rows x columns, each `stride` further than the one "
               "before.";
    case LAYER_CONV:
        return " Its rows x columns, stride and pad are those of the layer, "
               "its filters begin at weight_offset, its biases at bias_offset.";
    case LAYER_DENSE:
        return " Its weights begin at weight_offset, its biases at "
               "bias_offset. If the product has tiles: past the end of "
               "the rows of X, and past the last row of W, they hold 0.";
    default:
        return "";
    }
}

/* Of which images the output of a layer is wrong: words behind "wrong". */
static void name_images(const struct fixture *fixture, int layer, char *text,
                        size_t size)
{
    const size_t n = shape_elements(&fixture->net.layers[layer].out);
    const int count = fixture->step.count;
    int first = count, last = 0;

    for (int i = 0; i < count; i++)
        if (!are_outputs_of(fixture, layer, layer, (size_t)i * n, n)) {
            first = i < first ? i : first;
            last = i;
        }
    text[0] = 0;
    if (first > 0 && first <= last)
        snprintf(text, size, ", from image %d of %d on", first, count);
    else if (last + 1 < count && first == 0)
        snprintf(text, size, ", in the first %d of %d images alone", last + 1,
                 count);
}

/* A copy that stays until other tests have had theirs. */
static const char *keep(const char *hint)
{
    static char kept[TRAINER_TESTS][HINT_SIZE];
    static size_t next;

    next = (next + 1) % TRAINER_TESTS;
    return strcpy(kept[next], hint);
}

const char *trainer_first_wrong_layer(const struct fixture *fixture)
{
    char hint[HINT_SIZE], images[64];
    const int last = fixture->net.count - 1;
    int i = 0;

    while (i < last && is_output_of(fixture, i, i))
        i++;
    if (!is_written(fixture, i)
        || (i < last && is_output_of(fixture, i, i + 1)))
        return NULL;
    name_images(fixture, i, images, sizeof images);
    snprintf(hint, sizeof hint, "d_out[%d], the output of %s, is the first "
             "that is wrong%s%s.%s", i, fixture->net.layers[i].name, images,
             i ? "; those of all layers before it are right" : "",
             setting_of(fixture->net.layers[i].kind));
    return keep(hint);
}

/* What a layer's backward pass makes of the gradient of its output. */
static const char *backward_of(enum layer_kind kind)
{
    switch (kind) {
    case LAYER_MAXPOOL:
        return "the gradient of each window, added where d_argmax of this "
               "layer has its maximum, and 0 elsewhere";
    case LAYER_RELU:
        return "the gradient where this layer's output is above 0, 0 elsewhere";
    case LAYER_CONV:
        return "conv_backward_data() with this layer's weights, loaded again, "
               "and its gradient";
    case LAYER_DENSE:
        return "dX [count][in] = dY [count][units] times W^T, with this "
               "layer's own weights";
    case LAYER_BATCHNORM:
        return "from this layer's input, its scales, and the mean and 1 / "
               "deviation of this batch, saved in the forward pass";
    case LAYER_DROPOUT:
        return "the same elements dropped as in the forward pass";
    default:
        return "the backward pass of this layer";
    }
}

/* Is the array of a layer's gradient that of `other`'s output? */
static bool is_gradient_of(const struct fixture *f, int layer, int other)
{
    const size_t n =
        (size_t)f->step.count * shape_elements(&f->net.layers[other].out);
    const double *want = f->x->out_grad[other];
    const double tolerance = TRAINER_TOLERANCE * trainer_max_magnitude(want, n);

    if (shape_elements(&f->net.layers[layer].out)
        != shape_elements(&f->net.layers[other].out))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)f->step.d_out_grad[layer][i] - want[i])
              <= tolerance))
            return false;
    return true;
}

/* Is the gradient of a layer's output right?  The layer's backward pass may
 * have replaced it by that of its input. */
static bool is_right(const struct fixture *f, int layer)
{
    return is_gradient_of(f, layer, layer)
           || (layer > 0 && is_gradient_of(f, layer, layer - 1));
}

/* Where layers are fused, the array between them is left as it was. */
static bool is_untouched(const struct fixture *f, int layer)
{
    const float *got = f->step.d_out_grad[layer];

    return !memcmp(got, f->before + ((unsigned char *)got - f->memory),
                   (size_t)f->step.count
                       * shape_elements(&f->net.layers[layer].out)
                       * sizeof *got);
}

/* Where to look if layers are fused.  The gradients of all later layers are
 * right. */
static const char *gradient_hint(const struct layer *layer, bool biases)
{
    if (biases)
        return "The gradients of the biases are bias_backward() of "
               "d_out_grad[i], copied to the flat array.";
    if (layer->kind == LAYER_DENSE)
        return "All later gradients are right.  dW = X^T dY overwrites its "
               "buffer (beta = 0); dY is dX = dY W^T of the next dense layer, "
               "after the layers between.";
    if (layer->kind == LAYER_CONV)
        return "All later gradients are right.  conv_backward_filter() gets "
               "the layer's input and d_out_grad[i], which the layers after "
               "it have written: is the gradient of each of them right, "
               "from its own parameters, loaded again?";
    return "All later gradients are right.  d_out_grad[i] is written by the "
           "layers after this one: in the backward pass, too, each of them "
           "loads its own parameters first.";
}

/* Where the gradients of the first layer with weights were never written. */
static const char *unwritten_hint(const struct fixture *fixture, int layer)
{
    const struct layer *first = fixture->net.layers;

    while (!first->weights) /* the last layer is a dense one */
        first++;
    return &fixture->net.layers[layer] == first
                   && suite_says("never written")
               ? "The gradients of the later layers are right. The first layer "
                 "needs no gradient of its input, but its parameters need "
                 "theirs: is it left out of the backward pass, or are they "
                 "not stored in the flat array?"
               : NULL;
}

/* Which statistics did a batch normalization save wrong: 1, the means, or 2,
 * the inverse deviations; 0: none, or it saved nothing. */
static int wrong_saved(const struct fixture *f, int i)
{
    const struct layer *layer = &f->net.layers[i];
    const size_t c = layer->weights, n = (size_t)f->step.count;
    const size_t plane = shape_elements(&layer->in) / (c ? c : 1);
    const double *in = i ? f->x->out[i - 1] : f->images;
    const float *saved = f->step.d_saved[i];
    bool deviations = false;

    if (layer->kind != LAYER_BATCHNORM
        || !memcmp(saved, f->before + ((unsigned char *)saved - f->memory),
                   2 * c * sizeof *saved))
        return 0;
    for (size_t k = 0; k < c; k++) {
        double sum = 0, squares = 0;

        for (size_t j = 0; j < n * plane; j++)
            sum += in[(j / plane * c + k) * plane + j % plane];
        sum /= (double)(n * plane);
        for (size_t j = 0; j < n * plane; j++)
            squares += pow(in[(j / plane * c + k) * plane + j % plane] - sum,
                           2);
        const double want = 1 / sqrt(squares / (double)(n * plane) + 1e-5);

        if (!(fabs((double)saved[k] - sum) <= 1e-3 * (fabs(sum) + 1 / want)))
            return 1;
        deviations |= !(fabs((double)saved[c + k] - want) <= 1e-3 * want);
    }
    return deviations ? 2 : 0;
}

const char *trainer_gradient_hint(const struct fixture *fixture, int layer,
                                  bool biases)
{
    const struct layer *layers = fixture->net.layers;
    char hint[HINT_SIZE];
    int k = fixture->net.count - 1;

    if (unwritten_hint(fixture, layer))
        return unwritten_hint(fixture, layer);
    while (k > layer && is_right(fixture, k))
        k--;
    if (is_untouched(fixture, k) || layers[k].is_source)
        return gradient_hint(&layers[layer], biases);
    if (is_right(fixture, k) && wrong_saved(fixture, k))
        snprintf(hint, sizeof hint, "d_out_grad[%d], the gradient of %s's "
                 "output, is right, but %s of the batch in d_saved[%d] are "
                 "not: the means of all channels, then 1 / sqrt(variance + "
                 "1e-5), the variance divided by m.", k, layers[k].name,
                 wrong_saved(fixture, k) == 1 ? "the means"
                                              : "the inverse deviations", k);
    else if (is_right(fixture, k))
        snprintf(hint, sizeof hint, "d_out_grad[%d], the gradient of %s's "
                 "output, is right: what this layer computes from it%s, or "
                 "where it is stored, is wrong.", layer, layers[layer].name,
                 biases ? "" : " and its input");
    else if (k == fixture->net.count - 1)
        snprintf(hint, sizeof hint, "d_out_grad[%d], the gradient of the loss "
                 "with respect to the last output, is wrong: softmax minus 1 "
                 "at the label, divided by step->count.", k);
    else
        snprintf(hint, sizeof hint, "d_out_grad[%d] is the first that is "
                 "wrong on the way back: the backward pass of %s computes it "
                 "from d_out_grad[%d], which is right. It is %s.", k,
                 layers[k + 1].name, k + 1, backward_of(layers[k + 1].kind));
    return keep(hint);
}

/* Are n gradients right, relative to the largest of their layer? */
static bool gradients_are_right(const struct fixture *f, int layer, size_t at,
                                size_t n)
{
    const struct layer *of = &f->net.layers[layer];
    const double *want = f->x->gradients;
    const double most =
        fmax(trainer_max_magnitude(want + of->weight_offset, of->weights),
             trainer_max_magnitude(want + of->bias_offset, of->biases));

    for (size_t i = at; i < at + n; i++)
        if (!(fabs((double)f->step.d_gradients[i] - want[i])
              <= TRAINER_TOLERANCE * most))
            return false;
    return true;
}

bool trainer_weight_gradients_are_right(const struct fixture *fixture,
                                        int layer)
{
    const struct layer *of = &fixture->net.layers[layer];

    return gradients_are_right(fixture, layer, of->weight_offset, of->weights);
}

bool trainer_bias_gradients_are_right(const struct fixture *fixture, int layer)
{
    const struct layer *of = &fixture->net.layers[layer];

    return gradients_are_right(fixture, layer, of->bias_offset, of->biases);
}
