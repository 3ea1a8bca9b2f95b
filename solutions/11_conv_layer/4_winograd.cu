/* SPDX-License-Identifier: MIT */
// BEGIN SOLUTION
/** @file
 *  Convolution layer, step 4: filters of 3 x 3 by Winograd's algorithm, with
 *  2.25 times fewer products; all others, and the filter's gradient, as in
 *  step 3. */
// HANDOUT
// /** @file
//  *  Lab 11: the convolution layer, forward and backward.  The contract is in
//  *  conv_layer.h. */
// END SOLUTION
#include "host.h"
// BEGIN SOLUTION
#include "implicit.h"
#include "winograd.h"

size_t conv_workspace(const struct conv_shape *shape)
{
    if (!is_allowed(shape)) return 0;
    size_t floats = implicit_size(shape);

    if (suits_winograd(shape)) {
        const size_t there = winograd_size(winograd_forward(shape));
        const size_t back = winograd_size(winograd_backward(shape));
        if (there > floats) floats = there;
        if (back > floats) floats = back;
    }
    return floats * sizeof(float);
}

static cudaError_t forward(const struct conv_shape *shape, const float *d_x,
                           const float *d_w, float *d_y, float *d_work)
{
    if (suits_winograd(shape))
        return run_winograd(winograd_forward(shape), d_x, d_w, d_y, d_work);
    return run_plan(plan_forward(shape), d_x, d_w, d_y, d_work);
}

static cudaError_t backward_data(const struct conv_shape *shape,
                                 const float *d_w, const float *d_y_grad,
                                 float *d_x_grad, float *d_work)
{
    if (suits_winograd(shape))
        return run_winograd(winograd_backward(shape), d_y_grad, d_w, d_x_grad,
                            d_work);
    return run_plan(plan_backward_data(shape), d_y_grad, d_w, d_x_grad,
                    d_work);
}

static cudaError_t backward_filter(const struct conv_shape *shape,
                                   const float *d_x, const float *d_y_grad,
                                   float *d_w_grad, float *d_work)
{
    return run_plan(plan_backward_filter(shape), d_x, d_y_grad, d_w_grad,
                    d_work);
}
// HANDOUT
//
// size_t conv_workspace(const struct conv_shape *shape)
// {
//     return 0; /* what your kernels want of d_work; at first nothing */
// }
//
// /** One thread, one element of y.  Device pointers; the shape comes by value.
//  */
// __global__ void sum_forward(const float *__restrict__ x,
//                             const float *__restrict__ w,
//                             float *__restrict__ y, struct conv_shape g)
// {
//     /* TODO 1: n, k, p, q of this thread's element; nothing past the end */
//     /* TODO 2: the sum over c, r, s; x is 0 outside of its planes */
// }
//
// static cudaError_t forward(const struct conv_shape *shape, const float *d_x,
//                            const float *d_w, float *d_y, float *d_work)
// {
//     /* TODO 3: enough blocks; launch; ask cudaGetLastError() */
//     return cudaErrorNotSupported;
// }
//
// static cudaError_t backward_data(const struct conv_shape *shape,
//                                  const float *d_w, const float *d_y_grad,
//                                  float *d_x_grad, float *d_work)
// {
//     /* TODO 4: a thread an element of x_grad: in which windows was it? */
//     return cudaErrorNotSupported;
// }
//
// static cudaError_t backward_filter(const struct conv_shape *shape,
//                                    const float *d_x, const float *d_y_grad,
//                                    float *d_w_grad, float *d_work)
// {
//     /* TODO 5: a thread an element of w_grad: which x did it meet which y? */
//     return cudaErrorNotSupported;
// }
// END SOLUTION
