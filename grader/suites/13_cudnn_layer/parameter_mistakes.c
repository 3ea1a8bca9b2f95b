/* SPDX-License-Identifier: MIT */
/* Usual mistakes of lab 13: parameters that are read from another place. */
#include "parameter_mistakes.h"

#include <string.h>

struct layer_offsets layer_offsets(const struct cudnn_layer_shape *s)
{
    struct layer_offsets at;

    at.features = (size_t)network_output_sizes(s).features;
    at.bias = (size_t)s->k * s->c * s->r * s->s;
    at.dense = at.bias + (size_t)s->k;
    at.dense_bias = at.dense + at.features * (size_t)s->classes;
    return at;
}

struct network_step layer_copy_inputs(const struct network_step *s)
{
    struct network_step other = network_step_create(&s->shape);

    memcpy(other.x, s->x, s->x_grad.count * sizeof *other.x);
    memcpy(other.target, s->target, s->scores.count * sizeof *other.target);
    memcpy(other.parameters, s->parameters,
           s->parameter_count * sizeof *other.parameters);
    return other;
}

/* The gradients of a part, already written, in place of the part itself. */
static void back_from_gradients(struct network_step *s, size_t from, size_t to)
{
    float *back = suite_floats(s->parameter_count);
    struct network_step right = layer_copy_inputs(s);

    network_step_reference(&right);
    for (size_t i = 0; i < s->parameter_count; i++)
        back[i] = i >= from && i < to ? (float)right.gradients.value[i]
                                      : s->parameters[i];
    s->back = back;
}

void layer_dense_gradients_back(struct network_step *s)
{
    const struct layer_offsets at = layer_offsets(&s->shape);

    back_from_gradients(s, at.dense, at.dense_bias);
}

void layer_filter_gradients_back(struct network_step *s)
{
    back_from_gradients(s, 0, layer_offsets(&s->shape).bias);
}

/* One part of the parameters is read from another place among them. */
void layer_try_offsets(struct hypotheses *h, const struct network_step *s)
{
    enum { MOST_PARAMETERS = 64 }; /* of which all places are tried */
    const struct layer_offsets at = layer_offsets(&s->shape);
    const size_t end[] = {at.bias, at.dense, at.dense_bias, s->parameter_count};
    static const char *const name[] = {"filters", "biases of the convolution",
                                       "dense weights", "dense biases"};

    for (size_t part = 0; part < 4 && s->parameter_count <= MOST_PARAMETERS;
         part++) {
        const size_t first = part ? end[part - 1] : 0, n = end[part] - first;

        for (size_t from = 0; from + n <= s->parameter_count; from++) {
            struct network_step other;

            if (from == first)
                continue;
            other = layer_copy_inputs(s);
            memcpy(other.parameters + first, s->parameters + from,
                   n * sizeof *other.parameters);
            network_step_reference(&other);
            memcpy(hypothesis_values(h), other.scores.value,
                   hypothesis_count(h) * sizeof *other.scores.value);
            hypothesis_try(h, "The parameters are the filters, k biases, "
                           "[features][classes] dense weights and `classes` "
                           "dense biases, in this order.",
                           "computed with the %s from parameter %zu on, should "
                           "be from %zu", name[part], from, first);
        }
    }
}
