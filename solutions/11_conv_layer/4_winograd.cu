/* SPDX-License-Identifier: MIT */
/** @file
 *  Convolution layer, step 4: Winograd's algorithm for 3 x 3 filters, with 2.25
 *  times fewer multiplications; all other filters, and backward filter, as in
 *  step 3. */
#include "host.h"
#include "conv_plan.h"
#include "winograd.h"

size_t conv_workspace(const struct conv_shape *shape)
{
    if (!is_valid_shape(shape)) return 0;
    size_t floats = implicit_gemm_floats(shape);

    if (use_winograd(shape)) {
        const size_t there = winograd_floats(winograd_forward(shape));
        const size_t back = winograd_floats(winograd_backward(shape));
        if (there > floats) floats = there;
        if (back > floats) floats = back;
    }
    return floats * sizeof(float);
}

static cudaError_t forward(const struct conv_shape *shape, const float *d_x,
                           const float *d_w, float *d_y, float *d_work)
{
    if (use_winograd(shape))
        return run_winograd(winograd_forward(shape), d_x, d_w, d_y, d_work);
    return run_plan(plan_forward(shape), d_x, d_w, d_y, d_work);
}

static cudaError_t backward_data(const struct conv_shape *shape,
                                 const float *d_w, const float *d_y_grad,
                                 float *d_x_grad, float *d_work)
{
    if (use_winograd(shape))
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
