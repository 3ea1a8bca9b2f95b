/* SPDX-License-Identifier: MIT */
/* The sums of lab 11 by their definition. */
#include "conv_reference.h"

#include <stdbool.h>
#include <string.h>

size_t conv_plane_size(const struct conv_shape *shape, enum conv_array array)
{
    const size_t sizes[CONV_ARRAYS] = {[CONV_X] = (size_t)shape->h * shape->w,
                                       [CONV_W] = (size_t)shape->r * shape->s,
                                       [CONV_Y] =
                                           (size_t)conv_output_rows(shape)
                                           * conv_output_columns(shape)};

    return sizes[array];
}

size_t conv_array_size(const struct conv_shape *shape, enum conv_array array)
{
    const size_t planes[CONV_ARRAYS] = {
        [CONV_X] = (size_t)shape->n * shape->c,
        [CONV_W] = (size_t)shape->k * shape->c,
        [CONV_Y] = (size_t)shape->n * shape->k};

    return planes[array] * conv_plane_size(shape, array);
}

/* The arrays of one sum. */
struct conv_sum {
    const struct conv_shape *shape;
    enum conv_array result;
    const float *a, *b; /* the other two arrays, in the order of the enum */
    double *sum;
};

/* Adds the product of two elements; `offset` has the index in each array. */
static void accumulate_product(const struct conv_sum *conv_sum,
                               const size_t offset[CONV_ARRAYS])
{
    const enum conv_array first = conv_sum->result == CONV_X ? CONV_W : CONV_X;
    const enum conv_array second = conv_sum->result == CONV_Y ? CONV_W : CONV_Y;

    conv_sum->sum[offset[conv_sum->result]] +=
        (double)conv_sum->a[offset[first]] * conv_sum->b[offset[second]];
}

/* Adds all products of one plane of x, one of the filters, and one of y, which
 * begin at `offset`. */
static void accumulate_planes(const struct conv_sum *conv_sum,
                              const size_t offset[CONV_ARRAYS])
{
    const struct conv_shape *g = conv_sum->shape;
    const int columns = conv_output_columns(g);

    for (int i = 0; i < conv_output_rows(g) * columns; i++)
        for (int j = 0; j < g->r * g->s; j++) {
            int u = i / columns * g->stride + j / g->s - g->pad;
            int v = i % columns * g->stride + j % g->s - g->pad;

            if (u >= 0 && u < g->h && v >= 0 && v < g->w)
                accumulate_product(
                    conv_sum, (size_t[]){[CONV_X] = offset[CONV_X]
                                                    + (size_t)u * g->w + v,
                                         [CONV_W] = offset[CONV_W] + j,
                                         [CONV_Y] = offset[CONV_Y] + i});
        }
}

void conv_reference(const struct conv_shape *shape, enum conv_array result,
                    const float *const operands[CONV_ARRAYS], double *sum)
{
    const struct conv_sum conv_sum = {
        shape, result, operands[result == CONV_X ? CONV_W : CONV_X],
        operands[result == CONV_Y ? CONV_W : CONV_Y], sum};
    const size_t c = shape->c, k = shape->k, n = shape->n;

    memset(sum, 0, conv_array_size(shape, result) * sizeof *sum);
    for (size_t i = 0; i < n * k * c; i++) {
        const size_t channel = i % c, filter = i / c % k, image = i / c / k;
        accumulate_planes(&conv_sum, (size_t[]){
            [CONV_X] = (image * c + channel) * conv_plane_size(shape, CONV_X),
            [CONV_W] = (filter * c + channel) * conv_plane_size(shape, CONV_W),
            [CONV_Y] = (image * k + filter) * conv_plane_size(shape, CONV_Y)});
    }
}
