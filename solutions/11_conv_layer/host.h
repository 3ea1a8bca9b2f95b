/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  The host's half of every step of lab 11: what is refused, and what needs no
 *  kernel.  Each step defines the three functions declared here, and
 *  conv_workspace.
 */
#ifndef CONV_LAYER_HOST_H
#define CONV_LAYER_HOST_H

// END SOLUTION
#include "conv_layer.h"
#include "grid.h"

enum { THREADS = 256 }; /* a block of kernels that know no tiles */

/** A shape as kernels see it: with the rows and columns of y. */
struct layer : conv_shape {
    int p; /**< rows */
    int q; /**< columns */
};

inline struct layer layer_of(const struct conv_shape *s)
{
    return {*s, conv_rows(s), conv_columns(s)};
}

/* Each for a shape that is allowed, with at least one image. */
static cudaError_t forward(const struct conv_shape *shape, const float *d_x,
                           const float *d_w, float *d_y, float *d_work);
static cudaError_t backward_data(const struct conv_shape *shape,
                                 const float *d_w, const float *d_y_grad,
                                 float *d_x_grad, float *d_work);
static cudaError_t backward_filter(const struct conv_shape *shape,
                                   const float *d_x, const float *d_y_grad,
                                   float *d_w_grad, float *d_work);

static inline bool is_allowed(const struct conv_shape *s)
{
    const bool positive = s->c > 0 && s->h > 0 && s->w > 0 && s->k > 0
                          && s->r > 0 && s->s > 0 && s->stride > 0;

    return positive && s->n >= 0 && s->pad >= 0
           && s->r <= CONV_SIDE_MAX && s->s <= CONV_SIDE_MAX
           && (s->pad <= s->r || s->pad <= s->s)
           && s->r <= s->h + 2 * s->pad && s->s <= s->w + 2 * s->pad;
}

/** Floats of w. */
static inline size_t filter_size(const struct conv_shape *s)
{
    return (size_t)s->k * s->c * s->r * s->s;
}

/** Pixels of a plane of y. */
inline int plane_size(const struct conv_shape *s)
{
    return conv_rows(s) * conv_columns(s);
}

int conv_forward(const struct conv_shape *shape, const float *d_x,
                 const float *d_w, float *d_y, void *d_work)
{
    if (!is_allowed(shape)) return cudaErrorInvalidValue;
    if (shape->n == 0) return cudaSuccess;
    return forward(shape, d_x, d_w, d_y, (float *)d_work);
}

int conv_backward_data(const struct conv_shape *shape, const float *d_w,
                       const float *d_y_grad, float *d_x_grad, void *d_work)
{
    if (!is_allowed(shape)) return cudaErrorInvalidValue;
    if (shape->n == 0) return cudaSuccess;
    return backward_data(shape, d_w, d_y_grad, d_x_grad, (float *)d_work);
}

int conv_backward_filter(const struct conv_shape *shape, const float *d_x,
                         const float *d_y_grad, float *d_w_grad, void *d_work)
{
    const size_t bytes = filter_size(shape) * sizeof *d_w_grad;

    if (!is_allowed(shape)) return cudaErrorInvalidValue;
    if (shape->n == 0) return CUDA_CHECK(cudaMemsetAsync(d_w_grad, 0, bytes));
    return backward_filter(shape, d_x, d_y_grad, d_w_grad, (float *)d_work);
}
// BEGIN SOLUTION

#endif
// END SOLUTION
