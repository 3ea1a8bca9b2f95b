/* SPDX-License-Identifier: MIT */
/** @file
 *  Tensors, filters, and operations on tensors; see cudnn.h.
 */
#ifndef SOFTGPU_CUDNN_TENSOR_H
#define SOFTGPU_CUDNN_TENSOR_H

#include "../cudnn_graph.h"
#include "softgpu/push_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- tensors -------------------------------------------------------------- */

/** Dimensions, strides and type of a tensor. */
typedef struct cudnnTensorStruct *cudnnTensorDescriptor_t;

/** Window, padding, strides and mode of a pooling. */
typedef struct cudnnPoolingStruct *cudnnPoolingDescriptor_t;

/** Dimensions, order and type of filters. */
typedef struct cudnnFilterStruct *cudnnFilterDescriptor_t;

/** Local response normalization. */
typedef struct cudnnLRNStruct *cudnnLRNDescriptor_t;

/** An activation. */
typedef struct cudnnActivationStruct *cudnnActivationDescriptor_t;

/** An operation on two tensors. */
typedef struct cudnnOpTensorStruct *cudnnOpTensorDescriptor_t;

/** A reduction. */
typedef struct cudnnReduceTensorStruct *cudnnReduceTensorDescriptor_t;

/** A dropout and the address of its state. */
typedef struct cudnnDropoutStruct *cudnnDropoutDescriptor_t;

/** Create a descriptor; its attributes are not set. */
cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *desc);

/** Destroy a descriptor, or NULL. */
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t desc);

/** A packed tensor, NCHW or NHWC. */
cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t desc,
                                         cudnnTensorFormat_t format,
                                         cudnnDataType_t type, int n, int c,
                                         int h, int w);

/** A tensor with strides, in elements. */
cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t desc,
                                           cudnnDataType_t type, int n, int c,
                                           int h, int w, int n_stride,
                                           int c_stride, int h_stride,
                                           int w_stride);

/** Get the attributes; each pointer can be NULL. */
cudnnStatus_t cudnnGetTensor4dDescriptor(const cudnnTensorDescriptor_t desc,
                                         cudnnDataType_t *type, int *n, int *c,
                                         int *h, int *w, int *n_stride,
                                         int *c_stride, int *h_stride,
                                         int *w_stride);

/** A tensor of 3 to CUDNN_DIM_MAX dimensions. */
cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t desc,
                                         cudnnDataType_t type, int dims,
                                         const int size[], const int stride[]);

/** The same, packed; size is in the order N, C, ... in both formats. */
cudnnStatus_t cudnnSetTensorNdDescriptorEx(cudnnTensorDescriptor_t desc,
                                           cudnnTensorFormat_t format,
                                           cudnnDataType_t type, int dims,
                                           const int size[]);

/** Get at most `requested` dimensions; each pointer can be NULL. */
cudnnStatus_t cudnnGetTensorNdDescriptor(const cudnnTensorDescriptor_t desc,
                                         int requested, cudnnDataType_t *type,
                                         int *dims, int size[], int stride[]);

/** Bytes from the first element to the end of the last. */
cudnnStatus_t cudnnGetTensorSizeInBytes(const cudnnTensorDescriptor_t desc,
                                        size_t *bytes);

/** y = alpha x + beta y, of the same dimensions; strides and types may
 *  differ. */
cudnnStatus_t cudnnTransformTensor(cudnnHandle_t handle, const void *alpha,
                                   const cudnnTensorDescriptor_t x_desc,
                                   const void *x, const void *beta,
                                   const cudnnTensorDescriptor_t y_desc,
                                   void *y);

/** c = alpha a + beta c; dimensions of a that are 1 are repeated. */
cudnnStatus_t cudnnAddTensor(cudnnHandle_t handle, const void *alpha,
                             const cudnnTensorDescriptor_t a_desc,
                             const void *a, const void *beta,
                             const cudnnTensorDescriptor_t c_desc, void *c);

/** Set all elements to *value, a host value of their type. */
cudnnStatus_t cudnnSetTensor(cudnnHandle_t handle,
                             const cudnnTensorDescriptor_t y_desc, void *y,
                             const void *value);

/** y = alpha y. */
cudnnStatus_t cudnnScaleTensor(cudnnHandle_t handle,
                               const cudnnTensorDescriptor_t y_desc, void *y,
                               const void *alpha);

/* --- operations on two tensors, reductions -------------------------------- */

/** SQRT and NOT use only the first tensor; NOT is 1 - x. */
typedef enum {
    CUDNN_OP_TENSOR_ADD = 0,
    CUDNN_OP_TENSOR_MUL = 1,
    CUDNN_OP_TENSOR_MIN = 2,
    CUDNN_OP_TENSOR_MAX = 3,
    CUDNN_OP_TENSOR_SQRT = 4,
    CUDNN_OP_TENSOR_NOT = 5
} cudnnOpTensorOp_t;

/** Create a descriptor; its attributes are not set. */
cudnnStatus_t cudnnCreateOpTensorDescriptor(cudnnOpTensorDescriptor_t *desc);

/** Destroy a descriptor, or NULL. */
cudnnStatus_t cudnnDestroyOpTensorDescriptor(cudnnOpTensorDescriptor_t desc);

/** Set the attributes; `compute` is float, or double for tensors of double. */
cudnnStatus_t cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t desc,
                                         cudnnOpTensorOp_t op,
                                         cudnnDataType_t compute,
                                         cudnnNanPropagation_t nan);

/** Get the attributes; each pointer can be NULL. */
cudnnStatus_t cudnnGetOpTensorDescriptor(const cudnnOpTensorDescriptor_t desc,
                                         cudnnOpTensorOp_t *op,
                                         cudnnDataType_t *compute,
                                         cudnnNanPropagation_t *nan);

/** c = op(alpha1 a, alpha2 b) + beta c; a has the dimensions of c, those of
 *  b that are 1 are repeated. */
cudnnStatus_t cudnnOpTensor(cudnnHandle_t handle,
                            const cudnnOpTensorDescriptor_t desc,
                            const void *alpha1,
                            const cudnnTensorDescriptor_t a_desc, const void *a,
                            const void *alpha2,
                            const cudnnTensorDescriptor_t b_desc, const void *b,
                            const void *beta,
                            const cudnnTensorDescriptor_t c_desc, void *c);

/** Whether the indices of minima and maxima are written. */
typedef enum {
    CUDNN_REDUCE_TENSOR_NO_INDICES = 0,
    CUDNN_REDUCE_TENSOR_FLATTENED_INDICES = 1
} cudnnReduceTensorIndices_t;

/** Type of the indices; 32 bits here. */
typedef enum {
    CUDNN_32BIT_INDICES = 0,
    CUDNN_64BIT_INDICES = 1,
    CUDNN_16BIT_INDICES = 2,
    CUDNN_8BIT_INDICES = 3
} cudnnIndicesType_t;

/** Create a descriptor; its attributes are not set. */
cudnnStatus_t cudnnCreateReduceTensorDescriptor(
    cudnnReduceTensorDescriptor_t *desc);

/** Destroy a descriptor, or NULL. */
cudnnStatus_t cudnnDestroyReduceTensorDescriptor(
    cudnnReduceTensorDescriptor_t desc);

/** Set the attributes; indices are for MIN, MAX and AMAX. */
cudnnStatus_t cudnnSetReduceTensorDescriptor(
    cudnnReduceTensorDescriptor_t desc, cudnnReduceTensorOp_t op,
    cudnnDataType_t compute, cudnnNanPropagation_t nan,
    cudnnReduceTensorIndices_t indices, cudnnIndicesType_t indices_type);

/** Get the attributes; each pointer can be NULL. */
cudnnStatus_t cudnnGetReduceTensorDescriptor(
    const cudnnReduceTensorDescriptor_t desc, cudnnReduceTensorOp_t *op,
    cudnnDataType_t *compute, cudnnNanPropagation_t *nan,
    cudnnReduceTensorIndices_t *indices, cudnnIndicesType_t *indices_type);

/** Bytes of device memory for the indices; 0 without. */
cudnnStatus_t cudnnGetReductionIndicesSize(
    cudnnHandle_t handle, const cudnnReduceTensorDescriptor_t desc,
    const cudnnTensorDescriptor_t a_desc, const cudnnTensorDescriptor_t c_desc,
    size_t *bytes);

/** Bytes of device memory that the reduction needs: 0. */
cudnnStatus_t cudnnGetReductionWorkspaceSize(
    cudnnHandle_t handle, const cudnnReduceTensorDescriptor_t desc,
    const cudnnTensorDescriptor_t a_desc, const cudnnTensorDescriptor_t c_desc,
    size_t *bytes);

/** c = alpha reduce(a) + beta c over the dimensions of c that are 1; an
 *  index is that of the first minimum or maximum of the reduced elements. */
cudnnStatus_t cudnnReduceTensor(cudnnHandle_t handle,
                                const cudnnReduceTensorDescriptor_t desc,
                                void *indices, size_t indices_bytes,
                                void *workspace, size_t workspace_bytes,
                                const void *alpha,
                                const cudnnTensorDescriptor_t a_desc,
                                const void *a, const void *beta,
                                const cudnnTensorDescriptor_t c_desc, void *c);

/* --- filters -------------------------------------------------------------- */
/** Create a descriptor; its attributes are not set. */
cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t *desc);

/** Destroy a descriptor, or NULL. */
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t desc);

/** k filters of c channels (of one group); NCHW is KCRS, NHWC is KRSC. */
cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t desc,
                                         cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int k,
                                         int c, int h, int w);

/** Get the attributes; each pointer can be NULL. */
cudnnStatus_t cudnnGetFilter4dDescriptor(const cudnnFilterDescriptor_t desc,
                                         cudnnDataType_t *type,
                                         cudnnTensorFormat_t *format, int *k,
                                         int *c, int *h, int *w);

/** The same with 3 to CUDNN_DIM_MAX dimensions. */
cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t desc,
                                         cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int dims,
                                         const int size[]);

/** Get the attributes; each pointer can be NULL. */
cudnnStatus_t cudnnGetFilterNdDescriptor(const cudnnFilterDescriptor_t desc,
                                         int requested, cudnnDataType_t *type,
                                         cudnnTensorFormat_t *format, int *dims,
                                         int size[]);

/** Bytes of all filters. */
cudnnStatus_t cudnnGetFilterSizeInBytes(const cudnnFilterDescriptor_t desc,
                                        size_t *bytes);

#ifdef __cplusplus
}
#endif

#include "softgpu/pop_macros.h"

#endif
