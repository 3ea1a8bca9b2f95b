/* SPDX-License-Identifier: MIT */
/* Folds; see fold.h. */
#include "fold.h"

struct dnn_fold dnn_fold(const struct cudnnTensorStruct *x, const int *keep,
                         const struct cudnnTensorStruct *const *tensors, int n)
{
    struct dnn_fold f = {.kept.operands = n, .gone.operands = n};

    for (int d = 0; d < x->dims; d++) {
        ptrdiff_t stride[DNN_OPERANDS];

        for (int k = 0; k < n; k++)
            stride[k] = dnn_stride(tensors[k], d);
        dnn_walk_add(keep[d] != 1 ? &f.kept : &f.gone, (size_t)x->size[d],
                     stride);
    }
    return f;
}
