/* SPDX-License-Identifier: MIT */
/** @file
 *  Two walks, one inside the other: for each element that is kept, over those
 *  that fall together in it.  What softmax, batch normalisation and reductions
 *  have in common.
 */
#ifndef SOFTGPU_DNN_FOLD_H
#define SOFTGPU_DNN_FOLD_H

#include "walk.h"

/** The two walks, of the same operands. */
struct dnn_fold {
    struct dnn_walk kept, gone;
};

/** Cut the dimensions of x.
 *
 *  @param[in] keep     of these sizes, a dimension that is not 1 is kept
 *  @param[in] tensors  that are walked, x among them; one with dimensions of 1
 *                      does not move along these
 *  @param     n        how many */
struct dnn_fold dnn_fold(const struct cudnnTensorStruct *x, const int *keep,
                         const struct cudnnTensorStruct *const *tensors,
                         int n);

#endif
