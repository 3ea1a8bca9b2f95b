/* SPDX-License-Identifier: MIT */
/* The sums of lab 11 by their definition: every product in turn. */
#include "conv_reference.h"

#include <stdbool.h>
#include <string.h>

size_t conv_plane(const struct conv_shape *shape, enum conv_array array)
{
    const size_t of[CONV_ARRAYS] = {
        [CONV_X] = (size_t)shape->h * shape->w,
        [CONV_W] = (size_t)shape->r * shape->s,
        [CONV_Y] = (size_t)conv_rows(shape) * conv_columns(shape)};

    return of[array];
}

size_t conv_size(const struct conv_shape *shape, enum conv_array array)
{
    const size_t planes[CONV_ARRAYS] = {
        [CONV_X] = (size_t)shape->n * shape->c,
        [CONV_W] = (size_t)shape->k * shape->c,
        [CONV_Y] = (size_t)shape->n * shape->k};

    return planes[array] * conv_plane(shape, array);
}

/* One sum in the making. */
struct walk {
    const struct conv_shape *shape;
    enum conv_array result;
    const float *a, *b; /* the other two arrays, in their order */
    double *sum;
};

/* The product whose elements are at these places. */
static void add(const struct walk *walk, const size_t at[CONV_ARRAYS])
{
    const enum conv_array first = walk->result == CONV_X ? CONV_W : CONV_X;
    const enum conv_array second = walk->result == CONV_Y ? CONV_W : CONV_Y;

    walk->sum[at[walk->result]] +=
        (double)walk->a[at[first]] * walk->b[at[second]];
}

/* All products of an image's plane, a filter's plane, and the plane of y that
 * they go to; `at` is where these begin. */
static void walk_planes(const struct walk *walk, const size_t at[CONV_ARRAYS])
{
    const struct conv_shape *g = walk->shape;
    const int columns = conv_columns(g);

    for (int i = 0; i < conv_rows(g) * columns; i++)
        for (int j = 0; j < g->r * g->s; j++) {
            int u = i / columns * g->stride + j / g->s - g->pad;
            int v = i % columns * g->stride + j % g->s - g->pad;

            if (u >= 0 && u < g->h && v >= 0 && v < g->w)
                add(walk, (size_t[]){
                    [CONV_X] = at[CONV_X] + (size_t)u * g->w + v,
                    [CONV_W] = at[CONV_W] + j, [CONV_Y] = at[CONV_Y] + i});
        }
}

void conv_reference(const struct conv_shape *shape, enum conv_array result,
                    const float *const from[CONV_ARRAYS], double *sum)
{
    const struct walk walk = {
        shape, result, from[result == CONV_X ? CONV_W : CONV_X],
        from[result == CONV_Y ? CONV_W : CONV_Y], sum};
    const size_t c = shape->c, k = shape->k, n = shape->n;

    memset(sum, 0, conv_size(shape, result) * sizeof *sum);
    for (size_t i = 0; i < n * k * c; i++) {
        const size_t channel = i % c, filter = i / c % k, image = i / c / k;
        walk_planes(&walk, (size_t[]){
            [CONV_X] = (image * c + channel) * conv_plane(shape, CONV_X),
            [CONV_W] = (filter * c + channel) * conv_plane(shape, CONV_W),
            [CONV_Y] = (image * k + filter) * conv_plane(shape, CONV_Y)});
    }
}
