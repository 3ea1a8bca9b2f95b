/* SPDX-License-Identifier: MIT */
/** @file
 *  Two nested loops: the outer one over the elements that remain, the inner
 *  one over the elements that are reduced to one of them.  Used by softmax,
 *  batch normalization and reductions. */
#ifndef SOFTGPU_DNN_FOLD_H
#define SOFTGPU_DNN_FOLD_H

#include "tensor_iterator.h"

/** The two loops, over the same operands. */
struct dnn_loop_nest {
    struct dnn_iterator outer_loop, inner_loop; /**< of the same operands */
};

/** Split the dimensions of x into outer and inner ones.
 *
 *  @param[in] outer_size  a dimension whose size here is not 1 is an outer one
 *  @param[in] tensors     the operands, x among them; along dimensions of size
 *                         1 an operand does not advance
 *  @param     n           number of operands */
struct dnn_loop_nest dnn_loop_nest(
    const struct cudnnTensorStruct *x, const int *outer_size,
    const struct cudnnTensorStruct *const *tensors, int n);

#endif
