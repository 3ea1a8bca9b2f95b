/* SPDX-License-Identifier: MIT */
/* Lab 16's suite: where the wrong output of a network begins. */
#include <stdio.h>

#include "suite_16.h"

enum { TRAINER_TESTS = 32, HINT_SIZE = 300 }; /* at most */

/* Is a layer's array what the reference has for some layer? */
static bool is_output_of(const struct fixture *fixture, int array, int layer)
{
    const struct layer *made = &fixture->net.layers[layer];
    const size_t n = (size_t)fixture->step.count * shape_elements(&made->out);
    const double *want = fixture->x->out[layer];
    const double tolerance = TRAINER_TOLERANCE * trainer_max_magnitude(want, n);

    if (shape_elements(&fixture->net.layers[array].out)
        != shape_elements(&made->out))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)fixture->step.d_out[array][i] - want[i])
              <= tolerance))
            return false;
    return true;
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
        return " Its stride and pad are those of the layer, its filters begin "
               "at weight_offset, its biases at bias_offset.";
    case LAYER_DENSE:
        return " Its weights begin at weight_offset, its biases at "
               "bias_offset. If the product has tiles: past the end of "
               "the rows of X, and past the last row of W, they hold 0.";
    default:
        return "";
    }
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
    char hint[HINT_SIZE];
    const int last = fixture->net.count - 1;
    int i = 0;

    while (i < last && is_output_of(fixture, i, i))
        i++;
    if (!is_written(fixture, i)
        || (i < last && is_output_of(fixture, i, i + 1)))
        return NULL;
    snprintf(hint, sizeof hint, "d_out[%d], the output of %s, is the first "
             "that is wrong%s.%s", i, fixture->net.layers[i].name,
             i ? "; those of all layers before it are right" : "",
             setting_of(fixture->net.layers[i].kind));
    return keep(hint);
}
