/* SPDX-License-Identifier: MIT */
/* Descriptors of filters and of convolutions. */
#include <stdlib.h>

#include "convolve.h"

/* --- filters ------------------------------------------------------------- */

cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t *desc)
{
    DNN_LEGAL(desc);
    *desc = calloc(1, sizeof **desc);
    DNN_NEED(*desc, CUDNN_STATUS_ALLOC_FAILED, "no memory");
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

    DNN_LEGAL(desc);
    status = cudnnSetTensorNdDescriptorEx(&to, format, type, dims, size);
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

    return cudnnSetFilterNdDescriptor(desc, type, format, 4, size);
}

cudnnStatus_t cudnnGetFilterNdDescriptor(const cudnnFilterDescriptor_t desc,
                                         int wanted, cudnnDataType_t *type,
                                         cudnnTensorFormat_t *format, int *dims,
                                         int size[])
{
    DNN_LEGAL(desc);
    const cudnnStatus_t status = cudnnGetTensorNdDescriptor(
        &desc->tensor, wanted, type, dims, size, NULL);
    if (!status && format)
        *format = desc->format;
    return status;
}

cudnnStatus_t cudnnGetFilter4dDescriptor(const cudnnFilterDescriptor_t desc,
                                         cudnnDataType_t *type,
                                         cudnnTensorFormat_t *format, int *k,
                                         int *c, int *h, int *w)
{
    DNN_LEGAL(desc);
    const cudnnStatus_t status =
        cudnnGetTensor4dDescriptor(&desc->tensor, type, k, c, h, w, NULL, NULL,
                                   NULL, NULL);
    if (!status && format)
        *format = desc->format;
    return status;
}

cudnnStatus_t cudnnGetFilterSizeInBytes(const cudnnFilterDescriptor_t desc,
                                        size_t *bytes)
{
    DNN_LEGAL(desc);
    return cudnnGetTensorSizeInBytes(&desc->tensor, bytes);
}

/* --- convolutions -------------------------------------------------------- */

cudnnStatus_t
cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t *desc)
{
    DNN_LEGAL(desc);
    *desc = calloc(1, sizeof **desc);
    DNN_NEED(*desc, CUDNN_STATUS_ALLOC_FAILED, "no memory");
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
    DNN_LEGAL(desc && (unsigned)math <= CUDNN_FMA_MATH);
    desc->math = math;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionMathType(cudnnConvolutionDescriptor_t desc,
                                          cudnnMathType_t *math)
{
    DNN_LEGAL(desc && math);
    *math = desc->math;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t desc,
                                            int groups)
{
    DNN_LEGAL(desc && groups > 0);
    desc->groups = groups;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionGroupCount(cudnnConvolutionDescriptor_t desc,
                                            int *groups)
{
    DNN_LEGAL(desc && groups);
    *groups = desc->groups;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionReorderType(cudnnConvolutionDescriptor_t desc,
                                             cudnnReorderType_t reorder)
{
    DNN_LEGAL(desc && (unsigned)reorder <= CUDNN_NO_REORDER);
    desc->reorder = reorder;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionReorderType(cudnnConvolutionDescriptor_t desc,
                                             cudnnReorderType_t *reorder)
{
    DNN_LEGAL(desc && reorder);
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
    DNN_LEGAL(desc && pad && stride && dilation && dims >= 1
              && dims <= DNN_SPATIAL);
    DNN_LEGAL((unsigned)mode <= CUDNN_CROSS_CORRELATION);
    for (int d = 0; d < dims; d++)
        DNN_LEGAL(pad[d] >= 0 && stride[d] > 0 && dilation[d] > 0);
    DNN_CAN(compute == CUDNN_DATA_FLOAT || compute == CUDNN_DATA_DOUBLE
            || compute == CUDNN_DATA_HALF || compute == CUDNN_DATA_BFLOAT16);
    dnn_tell(desc->pad, pad, dims);
    dnn_tell(desc->stride, stride, dims);
    dnn_tell(desc->dilation, dilation, dims);
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

    return cudnnSetConvolutionNdDescriptor(desc, 2, pad, stride, dilation, mode,
                                           compute);
}

cudnnStatus_t cudnnGetConvolutionNdDescriptor(
    const cudnnConvolutionDescriptor_t desc, int wanted, int *dims, int pad[],
    int stride[], int dilation[], cudnnConvolutionMode_t *mode,
    cudnnDataType_t *compute)
{
    DNN_LEGAL(desc && desc->dims && wanted >= 0);
    const int n = wanted < desc->dims ? wanted : desc->dims;
    if (dims)
        *dims = desc->dims;
    if (mode)
        *mode = desc->mode;
    if (compute)
        *compute = desc->compute;
    dnn_tell(pad, desc->pad, n);
    dnn_tell(stride, desc->stride, n);
    dnn_tell(dilation, desc->dilation, n);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolution2dDescriptor(
    const cudnnConvolutionDescriptor_t desc, int *pad_h, int *pad_w,
    int *stride_h, int *stride_w, int *dilation_h, int *dilation_w,
    cudnnConvolutionMode_t *mode, cudnnDataType_t *compute)
{
    int *const pad[] = {pad_h, pad_w}, *const stride[] = {stride_h, stride_w};
    int *const dilation[] = {dilation_h, dilation_w};

    DNN_LEGAL(desc && desc->dims == 2);
    for (int d = 0; d < 2; d++) {
        dnn_tell(pad[d], &desc->pad[d], 1);
        dnn_tell(stride[d], &desc->stride[d], 1);
        dnn_tell(dilation[d], &desc->dilation[d], 1);
    }
    return cudnnGetConvolutionNdDescriptor(desc, 0, NULL, NULL, NULL, NULL,
                                           mode, compute);
}

bool dnn_convolved(const struct cudnnConvolutionStruct *desc,
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
        const int reach = (w->size[d + 2] - 1) * desc->dilation[d] + 1;
        const int room = x->size[d + 2] + 2 * desc->pad[d] - reach;

        if (room < 0)
            return false;
        size[d + 2] = 1 + room / desc->stride[d];
    }
    return true;
}

cudnnStatus_t cudnnGetConvolutionNdForwardOutputDim(
    const cudnnConvolutionDescriptor_t desc,
    const cudnnTensorDescriptor_t x_desc, const cudnnFilterDescriptor_t w_desc,
    int dims, int size[])
{
    int made[CUDNN_DIM_MAX];

    DNN_LEGAL(x_desc && w_desc && size && dims == x_desc->dims);
    DNN_LEGAL(dnn_convolved(desc, x_desc, &w_desc->tensor, made));
    dnn_tell(size, made, dims);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(
    const cudnnConvolutionDescriptor_t desc,
    const cudnnTensorDescriptor_t x_desc, const cudnnFilterDescriptor_t w_desc,
    int *n, int *c, int *h, int *w)
{
    int size[4], *const to[] = {n, c, h, w};
    const cudnnStatus_t status =
        cudnnGetConvolutionNdForwardOutputDim(desc, x_desc, w_desc, 4, size);

    for (int d = 0; !status && d < 4; d++)
        dnn_tell(to[d], &size[d], 1);
    return status;
}
