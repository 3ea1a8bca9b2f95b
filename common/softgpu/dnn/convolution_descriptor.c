/* SPDX-License-Identifier: MIT */
/* Filter and convolution descriptors. */
#include <stdlib.h>

#include "convolution_shape.h"

/* --- filters ------------------------------------------------------------- */

cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t *desc)
{
    DNN_REQUIRE_PARAM(desc);
    *desc = calloc(1, sizeof **desc);
    DNN_REQUIRE(*desc, CUDNN_STATUS_ALLOC_FAILED, "no memory");
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t desc)
{
    free(desc);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t desc,
                                         cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int dims,
                                         const int size[])
{
    struct cudnnTensorStruct to;
    cudnnStatus_t status;

    DNN_REQUIRE_PARAM(desc);
    status =
        DNN_AS_OWN(cudnnSetTensorNdDescriptorEx(&to, format, type, dims, size));
    if (!status)
        *desc = (struct cudnnFilterStruct){to, format};
    return status;
}

cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t desc,
                                         cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int k,
                                         int c, int h, int w)
{
    const int size[] = {k, c, h, w};

    return DNN_AS_OWN(cudnnSetFilterNdDescriptor(desc, type, format, 4, size));
}

cudnnStatus_t cudnnGetFilterNdDescriptor(const cudnnFilterDescriptor_t desc,
                                         int requested, cudnnDataType_t *type,
                                         cudnnTensorFormat_t *format, int *dims,
                                         int size[])
{
    DNN_REQUIRE_PARAM(desc);
    const cudnnStatus_t status = DNN_AS_OWN(cudnnGetTensorNdDescriptor(
        &desc->tensor, requested, type, dims, size, NULL));
    if (!status && format)
        *format = desc->format;
    return status;
}

cudnnStatus_t cudnnGetFilter4dDescriptor(const cudnnFilterDescriptor_t desc,
                                         cudnnDataType_t *type,
                                         cudnnTensorFormat_t *format, int *k,
                                         int *c, int *h, int *w)
{
    DNN_REQUIRE_PARAM(desc);
    const cudnnStatus_t status = DNN_AS_OWN(cudnnGetTensor4dDescriptor(
        &desc->tensor, type, k, c, h, w, NULL, NULL, NULL, NULL));
    if (!status && format)
        *format = desc->format;
    return status;
}

cudnnStatus_t cudnnGetFilterSizeInBytes(const cudnnFilterDescriptor_t desc,
                                        size_t *bytes)
{
    DNN_REQUIRE_PARAM(desc);
    return DNN_AS_OWN(cudnnGetTensorSizeInBytes(&desc->tensor, bytes));
}

/* --- convolutions -------------------------------------------------------- */

cudnnStatus_t
cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t *desc)
{
    DNN_REQUIRE_PARAM(desc);
    *desc = calloc(1, sizeof **desc);
    DNN_REQUIRE(*desc, CUDNN_STATUS_ALLOC_FAILED, "no memory");
    (*desc)->groups = 1;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t desc)
{
    free(desc);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t desc,
                                          cudnnMathType_t math)
{
    DNN_REQUIRE_PARAM(desc && (unsigned)math <= CUDNN_FMA_MATH);
    desc->math = math;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionMathType(cudnnConvolutionDescriptor_t desc,
                                          cudnnMathType_t *math)
{
    DNN_REQUIRE_PARAM(desc && math);
    *math = desc->math;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t desc,
                                            int groups)
{
    DNN_REQUIRE_PARAM(desc && groups > 0);
    desc->groups = groups;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionGroupCount(cudnnConvolutionDescriptor_t desc,
                                            int *groups)
{
    DNN_REQUIRE_PARAM(desc && groups);
    *groups = desc->groups;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionReorderType(cudnnConvolutionDescriptor_t desc,
                                             cudnnReorderType_t reorder)
{
    DNN_REQUIRE_PARAM(desc && (unsigned)reorder <= CUDNN_NO_REORDER);
    desc->reorder = reorder;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionReorderType(cudnnConvolutionDescriptor_t desc,
                                             cudnnReorderType_t *reorder)
{
    DNN_REQUIRE_PARAM(desc && reorder);
    *reorder = desc->reorder;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t desc,
                                              int dims, const int pad[],
                                              const int stride[],
                                              const int dilation[],
                                              cudnnConvolutionMode_t mode,
                                              cudnnDataType_t compute)
{
    DNN_REQUIRE_PARAM(desc && pad && stride && dilation && dims >= 1
                      && dims <= DNN_MAX_SPATIAL);
    DNN_REQUIRE_PARAM((unsigned)mode <= CUDNN_CROSS_CORRELATION);
    for (int d = 0; d < dims; d++)
        DNN_REQUIRE_PARAM(pad[d] >= 0 && stride[d] > 0 && dilation[d] > 0);
    DNN_REQUIRE_SUPPORTED(
        compute == CUDNN_DATA_FLOAT || compute == CUDNN_DATA_DOUBLE
        || compute == CUDNN_DATA_HALF || compute == CUDNN_DATA_BFLOAT16);
    dnn_copy_ints(desc->pad, pad, dims);
    dnn_copy_ints(desc->stride, stride, dims);
    dnn_copy_ints(desc->dilation, dilation, dims);
    desc->dims = dims;
    desc->mode = mode;
    desc->compute = compute;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t desc,
                                              int pad_h, int pad_w,
                                              int stride_h, int stride_w,
                                              int dilation_h, int dilation_w,
                                              cudnnConvolutionMode_t mode,
                                              cudnnDataType_t compute)
{
    const int pad[] = {pad_h, pad_w}, stride[] = {stride_h, stride_w};
    const int dilation[] = {dilation_h, dilation_w};

    return DNN_AS_OWN(cudnnSetConvolutionNdDescriptor(desc, 2, pad, stride,
                                                      dilation, mode, compute));
}

cudnnStatus_t cudnnGetConvolutionNdDescriptor(
    const cudnnConvolutionDescriptor_t desc, int requested, int *dims,
    int pad[], int stride[], int dilation[], cudnnConvolutionMode_t *mode,
    cudnnDataType_t *compute)
{
    DNN_REQUIRE_PARAM(desc && desc->dims && requested >= 0);
    const int n = requested < desc->dims ? requested : desc->dims;
    if (dims)
        *dims = desc->dims;
    if (mode)
        *mode = desc->mode;
    if (compute)
        *compute = desc->compute;
    dnn_copy_ints(pad, desc->pad, n);
    dnn_copy_ints(stride, desc->stride, n);
    dnn_copy_ints(dilation, desc->dilation, n);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolution2dDescriptor(
    const cudnnConvolutionDescriptor_t desc, int *pad_h, int *pad_w,
    int *stride_h, int *stride_w, int *dilation_h, int *dilation_w,
    cudnnConvolutionMode_t *mode, cudnnDataType_t *compute)
{
    int *const pad[] = {pad_h, pad_w}, *const stride[] = {stride_h, stride_w};
    int *const dilation[] = {dilation_h, dilation_w};

    DNN_REQUIRE_PARAM(desc && desc->dims == 2);
    for (int d = 0; d < 2; d++) {
        dnn_copy_ints(pad[d], &desc->pad[d], 1);
        dnn_copy_ints(stride[d], &desc->stride[d], 1);
        dnn_copy_ints(dilation[d], &desc->dilation[d], 1);
    }
    return DNN_AS_OWN(cudnnGetConvolutionNdDescriptor(desc, 0, NULL, NULL, NULL,
                                                      NULL, mode, compute));
}

cudnnStatus_t cudnnGetConvolutionNdForwardOutputDim(
    const cudnnConvolutionDescriptor_t desc,
    const cudnnTensorDescriptor_t x_desc, const cudnnFilterDescriptor_t w_desc,
    int dims, int size[])
{
    int output[CUDNN_DIM_MAX];

    DNN_REQUIRE_PARAM(x_desc && w_desc && size && dims == x_desc->dims);
    DNN_REQUIRE_PARAM(
        dnn_conv_output_size(desc, x_desc, &w_desc->tensor, output));
    dnn_copy_ints(size, output, dims);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(
    const cudnnConvolutionDescriptor_t desc,
    const cudnnTensorDescriptor_t x_desc, const cudnnFilterDescriptor_t w_desc,
    int *n, int *c, int *h, int *w)
{
    int size[4], *const to[] = {n, c, h, w};
    const cudnnStatus_t status = DNN_AS_OWN(
        cudnnGetConvolutionNdForwardOutputDim(desc, x_desc, w_desc, 4, size));

    for (int d = 0; !status && d < 4; d++)
        dnn_copy_ints(to[d], &size[d], 1);
    return status;
}
