/* SPDX-License-Identifier: MIT */
/* Loop nests; see loop_nest.h. */
#include "loop_nest.h"

struct dnn_loop_nest dnn_loop_nest(
    const struct cudnnTensorStruct *x, const int *outer_size,
    const struct cudnnTensorStruct *const *tensors, int n)
{
    struct dnn_loop_nest f = {.outer_loop.operands = n,
                              .inner_loop.operands = n};

    for (int d = 0; d < x->dims; d++) {
        ptrdiff_t stride[DNN_MAX_OPERANDS];

        for (int k = 0; k < n; k++)
            stride[k] = dnn_stride(tensors[k], d);
        dnn_iterator_add_dim(outer_size[d] != 1 ? &f.outer_loop : &f.inner_loop,
                             (size_t)x->size[d], stride);
    }
    return f;
}
