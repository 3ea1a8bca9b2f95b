/* SPDX-License-Identifier: MIT */
/** @file
 *  Convolution layer, step 3: implicit GEMM. The same matrix multiplications,
 *  but the im2col matrix is not stored: only the addresses of its elements are
 *  computed.  Tiles of both factors in shared memory, 16 or 32 sums per thread.
 */
#include "conv_plan.h"

size_t conv_workspace(const struct conv_shape *shape)
{
    return is_valid_shape(shape) ? implicit_gemm_floats(shape) * sizeof(float)
                                 : 0;
}

static cudaError_t forward(const struct conv_shape *shape, const float *d_x,
                           const float *d_w, float *d_y, float *d_work)
{
    return run_plan(plan_forward(shape), d_x, d_w, d_y, d_work);
}

static cudaError_t backward_data(const struct conv_shape *shape,
                                 const float *d_w, const float *d_y_grad,
                                 float *d_x_grad, float *d_work)
{
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
