/* SPDX-License-Identifier: MIT */
/* The terms of lab 12's gradients. */
#include "response.h"

/* The elements of a channel, but those that a ReLU masks. */
static size_t channel_terms(const void *context, size_t out,
                            struct response_term *term)
{
    const struct bias_grad_inputs *inputs = context;
    const size_t c = (size_t)inputs->shape->c, w = (size_t)inputs->shape->w;
    const size_t plane = (size_t)inputs->shape->h * w;
    size_t count = 0;

    for (size_t k = 0; k < (size_t)inputs->shape->n * plane; k++) {
        const size_t i = (k / plane * c + out) * plane + k % plane;

        if (inputs->x_grad[i] == inputs->y_grad[i])
            term[count++] = (struct response_term){
                .in = i, .by = RESPONSE_NONE,
                .at = {k / plane, k % plane / w, k % w}};
    }
    return count;
}

struct response layers_bias_grad_response(
    const struct bias_grad_inputs *inputs)
{
    const struct layer_shape *s = inputs->shape;
    const size_t n = (size_t)s->n, h = (size_t)s->h, w = (size_t)s->w;

    return (struct response){
        .in = {.name = "y_grad", .values = inputs->y_grad,
               .argument = inputs->y_grad, .size = {n, (size_t)s->c, h, w}},
        .index = {"n", "h", "w"}, .length = {n, h, w},
        .terms = channel_terms, .context = inputs};
}

/* The windows whose maximum the element is. */
static size_t window_terms(const void *context, size_t out,
                           struct response_term *term)
{
    const struct pool_grad_inputs *inputs = context;
    const size_t plane = inputs->rows * inputs->columns;
    const size_t area =
        (size_t)inputs->shape->h * (size_t)inputs->shape->w;
    const size_t first = out / area * plane;
    size_t count = 0;

    for (size_t i = 0; i < plane && first + i < inputs->windows; i++)
        if (inputs->at[first + i] == out)
            term[count++] = (struct response_term){
                .in = first + i, .by = RESPONSE_NONE,
                .at = {i / inputs->columns, i % inputs->columns}};
    return count;
}

struct response layers_pool_grad_response(
    const struct pool_grad_inputs *inputs)
{
    const size_t n = (size_t)inputs->shape->n, c = (size_t)inputs->shape->c;

    return (struct response){
        .in = {.name = "y_grad", .values = inputs->y_grad,
               .argument = inputs->y_grad,
               .size = {n, c, inputs->rows, inputs->columns}},
        .index = {"p", "q"}, .length = {inputs->rows, inputs->columns},
        .terms = window_terms, .context = inputs};
}
