/* SPDX-License-Identifier: MIT */
/* Pooling descriptors. */
#include <stdlib.h>

#include "dnn.h"

cudnnStatus_t cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t *desc)
{
    DNN_REQUIRE_PARAM(desc);
    *desc = calloc(1, sizeof **desc);
    DNN_REQUIRE(*desc, CUDNN_STATUS_ALLOC_FAILED, "no memory");
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t desc)
{
    free(desc);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetPoolingNdDescriptor(cudnnPoolingDescriptor_t desc,
                                          const cudnnPoolingMode_t mode,
                                          const cudnnNanPropagation_t nan,
                                          int dims, const int window[],
                                          const int pad[], const int stride[])
{
    struct cudnnPoolingStruct to = {.dims = dims, .mode = mode, .nan = nan};

    DNN_REQUIRE_PARAM(desc && window && pad && stride && dims >= 1);
    DNN_REQUIRE_PARAM((unsigned)mode <= CUDNN_POOLING_MAX_DETERMINISTIC
                      && (unsigned)nan <= CUDNN_PROPAGATE_NAN);
    DNN_REQUIRE_SUPPORTED(dims <= 3);
    for (int d = 0; d < dims; d++)
        DNN_REQUIRE_PARAM(window[d] > 0 && pad[d] >= 0 && stride[d] > 0);
    dnn_copy_ints(to.window, window, dims);
    dnn_copy_ints(to.pad, pad, dims);
    dnn_copy_ints(to.stride, stride, dims);
    *desc = to;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t desc,
                                          cudnnPoolingMode_t mode,
                                          cudnnNanPropagation_t nan,
                                          int window_h, int window_w, int pad_h,
                                          int pad_w, int stride_h, int stride_w)
{
    const int window[] = {window_h, window_w}, pad[] = {pad_h, pad_w};
    const int stride[] = {stride_h, stride_w};

    return DNN_AS_OWN(
        cudnnSetPoolingNdDescriptor(desc, mode, nan, 2, window, pad, stride));
}

cudnnStatus_t cudnnGetPoolingNdDescriptor(const cudnnPoolingDescriptor_t desc,
                                          int requested,
                                          cudnnPoolingMode_t *mode,
                                          cudnnNanPropagation_t *nan, int *dims,
                                          int window[], int pad[], int stride[])
{
    DNN_REQUIRE_PARAM(desc && desc->dims && requested >= 0);
    const int n = requested < desc->dims ? requested : desc->dims;
    if (mode)
        *mode = desc->mode;
    if (nan)
        *nan = desc->nan;
    if (dims)
        *dims = desc->dims;
    dnn_copy_ints(window, desc->window, n);
    dnn_copy_ints(pad, desc->pad, n);
    dnn_copy_ints(stride, desc->stride, n);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetPooling2dDescriptor(const cudnnPoolingDescriptor_t desc,
                                          cudnnPoolingMode_t *mode,
                                          cudnnNanPropagation_t *nan,
                                          int *window_h, int *window_w,
                                          int *pad_h, int *pad_w,
                                          int *stride_h, int *stride_w)
{
    int *const window[] = {window_h, window_w}, *const pad[] = {pad_h, pad_w};
    int *const stride[] = {stride_h, stride_w};

    DNN_REQUIRE_PARAM(desc && desc->dims == 2);
    for (int d = 0; d < 2; d++) {
        dnn_copy_ints(window[d], &desc->window[d], 1);
        dnn_copy_ints(pad[d], &desc->pad[d], 1);
        dnn_copy_ints(stride[d], &desc->stride[d], 1);
    }
    return DNN_AS_OWN(cudnnGetPoolingNdDescriptor(desc, 0, mode, nan, NULL,
                                                  NULL, NULL, NULL));
}

cudnnStatus_t
cudnnGetPoolingNdForwardOutputDim(const cudnnPoolingDescriptor_t desc,
                                  const cudnnTensorDescriptor_t x_desc,
                                  int dims, int size[])
{
    DNN_REQUIRE_PARAM(desc && desc->dims && dnn_is_set(x_desc) && size);
    DNN_REQUIRE_PARAM(dims == x_desc->dims && dims == desc->dims + 2);
    dnn_copy_ints(size, x_desc->size, 2);
    for (int d = 0; d < desc->dims; d++) {
        const int span = x_desc->size[d + 2] + 2 * desc->pad[d]
                         - desc->window[d];

        DNN_REQUIRE_PARAM(span >= 0);
        size[d + 2] = 1 + span / desc->stride[d];
    }
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnGetPooling2dForwardOutputDim(const cudnnPoolingDescriptor_t desc,
                                  const cudnnTensorDescriptor_t x_desc, int *n,
                                  int *c, int *h, int *w)
{
    int size[4], *const to[] = {n, c, h, w};
    const cudnnStatus_t status =
        DNN_AS_OWN(cudnnGetPoolingNdForwardOutputDim(desc, x_desc, 4, size));

    for (int d = 0; !status && d < 4; d++)
        dnn_copy_ints(to[d], &size[d], 1);
    return status;
}
