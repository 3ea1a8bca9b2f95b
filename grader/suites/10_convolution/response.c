/* SPDX-License-Identifier: MIT */
/* The terms of lab 10's sums. */
#include "response.h"

static size_t clamp_index(int i, int count)
{
    return (size_t)(i < 0 ? 0 : i < count ? i : count - 1);
}

/* The taps of the window of a pixel. */
static size_t window_terms(const void *context, size_t out,
                           struct response_term *term)
{
    const struct convolution_shape *s =
        &((const struct convolution_case *)context)->shape;
    const int x = (int)(out % (size_t)s->width);
    const int y = (int)(out / (size_t)s->width);

    for (int i = 0; i < s->rows * s->columns; i++) {
        const size_t row =
            clamp_index(y + i / s->columns - s->rows / 2, s->height);
        const size_t column = clamp_index(
            x + i % s->columns - s->columns / 2, s->width);

        term[i] = (struct response_term){
            .in = row * (size_t)s->width + column, .by = (size_t)i,
            .at = {(size_t)(i / s->columns), (size_t)(i % s->columns)}};
    }
    return (size_t)(s->rows * s->columns);
}

struct response convolution_response(const struct convolution_case *c)
{
    const struct convolution_shape *s = &c->shape;
    const size_t rows = s->rows > 0 ? (size_t)s->rows : 1;
    const size_t columns = s->columns > 0 ? (size_t)s->columns : 1;

    return (struct response){
        .in = {.name = "in", .values = c->in, .argument = c->in,
               .size = {(size_t)s->height, (size_t)s->width}},
        .by = {.name = "filter", .values = c->filter,
               .argument = c->factors ? NULL : c->filter,
               .size = {rows, columns}},
        .index = {"filter row", "filter column"}, .length = {rows, columns},
        .terms = window_terms, .context = c};
}
