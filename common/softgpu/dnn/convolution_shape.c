/* SPDX-License-Identifier: MIT */
/* Shapes of convolutions; see convolution_shape.h. */
#include "convolution_shape.h"

bool dnn_conv_output_size(const struct cudnnConvolutionStruct *desc,
                          const struct cudnnTensorStruct *x,
                          const struct cudnnTensorStruct *w, int *size)
{
    if (!desc || !desc->dims || !dnn_is_set(x) || !dnn_is_set(w)
        || x->dims != w->dims || x->dims != desc->dims + 2
        || x->size[1] != w->size[1] * desc->groups
        || w->size[0] % desc->groups)
        return false;
    size[0] = x->size[0];
    size[1] = w->size[0];
    for (int d = 0; d < desc->dims; d++) {
        const int extent = (w->size[d + 2] - 1) * desc->dilation[d] + 1;
        const int span = x->size[d + 2] + 2 * desc->pad[d] - extent;

        if (span < 0)
            return false;
        size[d + 2] = 1 + span / desc->stride[d];
    }
    return true;
}

cudnnStatus_t dnn_conv_shape(struct dnn_conv_shape *shape,
                             enum dnn_direction direction,
                             const cudnnTensorDescriptor_t x,
                             const cudnnFilterDescriptor_t w,
                             const cudnnConvolutionDescriptor_t desc,
                             const cudnnTensorDescriptor_t y)
{
    struct cudnnTensorStruct output;

    DNN_REQUIRE_PARAM(x && w && desc && dnn_is_set(y));
    DNN_REQUIRE_PARAM(
        dnn_conv_output_size(desc, x, &w->tensor, output.size));
    output.dims = x->dims;
    DNN_REQUIRE_PARAM(dnn_same_size(&output, y));
    DNN_REQUIRE_PARAM(x->type == w->tensor.type && x->type == y->type);
    DNN_REQUIRE_SUPPORTED(x->dims == 4 || x->dims == 5);
    DNN_REQUIRE_SUPPORTED((desc->compute == CUDNN_DATA_DOUBLE)
                          == (x->type == CUDNN_DATA_DOUBLE));
    DNN_REQUIRE_SUPPORTED(desc->compute != CUDNN_DATA_HALF
                          || x->type == CUDNN_DATA_HALF);
    *shape = (struct dnn_conv_shape){direction, *desc, *x, w->tensor, *y};
    return CUDNN_STATUS_SUCCESS;
}

double dnn_macs(const struct dnn_conv_shape *s)
{
    return (double)dnn_count(&s->y) * (double)dnn_count(&s->w)
           / (double)s->w.size[0];
}
