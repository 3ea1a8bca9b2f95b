/* SPDX-License-Identifier: MIT */
/** @file
 *  Lab 11: the convolution layer, forward and backward.  The contract is in
 *  conv_layer.h. */
#include "conv_layer.h"
#include "grid.h"

enum { THREADS = 256 }; /* a block of kernels without tiles */

/** A shape as kernels get it: with the rows and columns of y. */
struct layer : conv_shape {
    int p; /**< rows of y */
    int q; /**< columns of y */
};

inline struct layer layer_with_outputs(const struct conv_shape *s)
{
    return {*s, conv_output_rows(s), conv_output_columns(s)};
}

/* Each for a valid shape with at least one image. */
static cudaError_t forward(const struct conv_shape *shape, const float *d_x,
                           const float *d_w, float *d_y, float *d_work);
/* The gradient of the loss with respect to x. */
static cudaError_t backward_data(const struct conv_shape *shape,
                                 const float *d_w, const float *d_y_grad,
                                 float *d_x_grad, float *d_work);
/* The gradient of the loss with respect to w. */
static cudaError_t backward_filter(const struct conv_shape *shape,
                                   const float *d_x, const float *d_y_grad,
                                   float *d_w_grad, float *d_work);

static inline bool is_valid_shape(const struct conv_shape *s)
{
    const bool positive = s->c > 0 && s->h > 0 && s->w > 0 && s->k > 0
                          && s->r > 0 && s->s > 0 && s->stride > 0;

    return positive && s->n >= 0 && s->pad >= 0
           && s->r <= CONV_MAX_FILTER_SIDE && s->s <= CONV_MAX_FILTER_SIDE
           && (s->pad <= s->r || s->pad <= s->s)
           && s->r <= s->h + 2 * s->pad && s->s <= s->w + 2 * s->pad;
}

/** Floats of w. */
static inline size_t filter_floats(const struct conv_shape *s)
{
    return (size_t)s->k * s->c * s->r * s->s;
}

/** Pixels of a plane of y. */
inline int output_plane_size(const struct conv_shape *s)
{
    return conv_output_rows(s) * conv_output_columns(s);
}

int conv_forward(const struct conv_shape *shape, const float *d_x,
                 const float *d_w, float *d_y, void *d_work)
{
    if (!is_valid_shape(shape)) return cudaErrorInvalidValue;
    if (shape->n == 0) return cudaSuccess;
    return forward(shape, d_x, d_w, d_y, (float *)d_work);
}

int conv_backward_data(const struct conv_shape *shape, const float *d_w,
                       const float *d_y_grad, float *d_x_grad, void *d_work)
{
    if (!is_valid_shape(shape)) return cudaErrorInvalidValue;
    if (shape->n == 0) return cudaSuccess;
    return backward_data(shape, d_w, d_y_grad, d_x_grad, (float *)d_work);
}

int conv_backward_filter(const struct conv_shape *shape, const float *d_x,
                         const float *d_y_grad, float *d_w_grad, void *d_work)
{
    const size_t bytes = filter_floats(shape) * sizeof *d_w_grad;

    if (!is_valid_shape(shape)) return cudaErrorInvalidValue;
    if (shape->n == 0) return CUDA_CHECK(cudaMemsetAsync(d_w_grad, 0, bytes));
    return backward_filter(shape, d_x, d_y_grad, d_w_grad, (float *)d_work);
}

size_t conv_workspace(const struct conv_shape *shape)
{
    return 0; /* bytes of d_work that your kernels use; at first none */
}

/** One element of y per thread.  Device pointers; the shape by value. */
__global__ void sum_forward(const float *__restrict__ x,
                            const float *__restrict__ w,
                            float *__restrict__ y, struct conv_shape g)
{
    /* TODO 1: n, k, p, q of this thread's element; check the bound */
    /* TODO 2: the sum over c, r, s; x is 0 outside its planes */
}

static cudaError_t forward(const struct conv_shape *shape, const float *d_x,
                           const float *d_w, float *d_y, float *d_work)
{
    /* TODO 3: enough blocks; launch; check cudaGetLastError() */
    return cudaErrorNotSupported;
}

static cudaError_t backward_data(const struct conv_shape *shape,
                                 const float *d_w, const float *d_y_grad,
                                 float *d_x_grad, float *d_work)
{
    /* TODO 4: one element of x_grad per thread: which windows contain it? */
    return cudaErrorNotSupported;
}

static cudaError_t backward_filter(const struct conv_shape *shape,
                                   const float *d_x, const float *d_y_grad,
                                   float *d_w_grad, float *d_work)
{
    /* TODO 5: one element of w_grad per thread: for which x, y is it used? */
    return cudaErrorNotSupported;
}
