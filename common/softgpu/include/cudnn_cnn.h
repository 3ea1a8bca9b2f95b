/* SPDX-License-Identifier: MIT */
/** @file
 *  Convolutions; see cudnn.h.
 */
#ifndef CUDNN_CNN_H_
#define CUDNN_CNN_H_

#include "cudnn_ops.h"
#include "softgpu/push_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Padding, strides, dilation and groups of a convolution. */
typedef struct cudnnConvolutionStruct *cudnnConvolutionDescriptor_t;

/** Create a descriptor; its attributes are not set. */
cudnnStatus_t cudnnCreateConvolutionDescriptor(
    cudnnConvolutionDescriptor_t *desc);

/** Destroy a descriptor, or NULL. */
cudnnStatus_t cudnnDestroyConvolutionDescriptor(
    cudnnConvolutionDescriptor_t desc);

/** Set the math type; stored, no effect. */
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t desc,
                                          cudnnMathType_t math);

/** Get it. */
cudnnStatus_t cudnnGetConvolutionMathType(cudnnConvolutionDescriptor_t desc,
                                          cudnnMathType_t *math);

/** Set the number of groups; the default is 1. */
cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t desc,
                                            int groups);

/** Get it. */
cudnnStatus_t cudnnGetConvolutionGroupCount(cudnnConvolutionDescriptor_t desc,
                                            int *groups);

/** Set the reorder type; stored, no effect. */
cudnnStatus_t cudnnSetConvolutionReorderType(cudnnConvolutionDescriptor_t desc,
                                             cudnnReorderType_t reorder);

/** Get it. */
cudnnStatus_t cudnnGetConvolutionReorderType(cudnnConvolutionDescriptor_t desc,
                                             cudnnReorderType_t *reorder);

/** Set the attributes; dilation 1 means none. */
cudnnStatus_t cudnnSetConvolution2dDescriptor(
    cudnnConvolutionDescriptor_t desc, int pad_h, int pad_w, int stride_h,
    int stride_w, int dilation_h, int dilation_w, cudnnConvolutionMode_t mode,
    cudnnDataType_t compute);

/** Get the attributes; each pointer can be NULL. */
cudnnStatus_t cudnnGetConvolution2dDescriptor(
    const cudnnConvolutionDescriptor_t desc, int *pad_h, int *pad_w,
    int *stride_h, int *stride_w, int *dilation_h, int *dilation_w,
    cudnnConvolutionMode_t *mode, cudnnDataType_t *compute);

/** The same with `dims` spatial dimensions, 1 to 6. */
cudnnStatus_t cudnnSetConvolutionNdDescriptor(
    cudnnConvolutionDescriptor_t desc, int dims, const int pad[],
    const int stride[], const int dilation[], cudnnConvolutionMode_t mode,
    cudnnDataType_t compute);

/** Get the attributes; each pointer can be NULL. */
cudnnStatus_t cudnnGetConvolutionNdDescriptor(
    const cudnnConvolutionDescriptor_t desc, int requested, int *dims,
    int pad[], int stride[], int dilation[], cudnnConvolutionMode_t *mode,
    cudnnDataType_t *compute);

/** Dimensions of y: 1 + (x + 2 pad - ((filter - 1) dilation + 1)) / stride. */
cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(
    const cudnnConvolutionDescriptor_t desc,
    const cudnnTensorDescriptor_t x_desc, const cudnnFilterDescriptor_t w_desc,
    int *n, int *c, int *h, int *w);

/** The same for any number of dimensions. */
cudnnStatus_t cudnnGetConvolutionNdForwardOutputDim(
    const cudnnConvolutionDescriptor_t desc,
    const cudnnTensorDescriptor_t x_desc, const cudnnFilterDescriptor_t w_desc,
    int dims, int size[]);

/** Performance of a forward algorithm. */
typedef struct cudnnConvolutionFwdAlgoPerfStruct {
    cudnnConvolutionFwdAlgo_t algo; /**< the algorithm */
    cudnnStatus_t status; /**< NOT_SUPPORTED for this shape */
    float time;           /**< milliseconds, modeled for the card, or -1 */
    size_t memory;        /**< bytes of workspace */
    cudnnDeterminism_t determinism; /**< of the results' last bits */
    cudnnMathType_t mathType;       /**< math type to set for it */
    int reserved[3];                /**< unused */
} cudnnConvolutionFwdAlgoPerf_t;

/** Number of algorithms. */
cudnnStatus_t cudnnGetConvolutionForwardAlgorithmMaxCount(cudnnHandle_t handle,
                                                          int *count);

/** The algorithms, by a heuristic: best first, unsupported ones last. */
cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x_desc,
    const cudnnFilterDescriptor_t w_desc,
    const cudnnConvolutionDescriptor_t conv_desc,
    const cudnnTensorDescriptor_t y_desc, const int requested, int *returned,
    cudnnConvolutionFwdAlgoPerf_t *perf);

/** The algorithms, by the time modeled for the card: best first. */
cudnnStatus_t cudnnFindConvolutionForwardAlgorithm(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x_desc,
    const cudnnFilterDescriptor_t w_desc,
    const cudnnConvolutionDescriptor_t conv_desc,
    const cudnnTensorDescriptor_t y_desc, const int requested, int *returned,
    cudnnConvolutionFwdAlgoPerf_t *perf);

/** The same for algorithms that the workspace is large enough for; y is not
 *  written. */
cudnnStatus_t cudnnFindConvolutionForwardAlgorithmEx(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x_desc, const void *x,
    const cudnnFilterDescriptor_t w_desc, const void *w,
    const cudnnConvolutionDescriptor_t conv_desc,
    const cudnnTensorDescriptor_t y_desc, void *y, const int requested,
    int *returned, cudnnConvolutionFwdAlgoPerf_t *perf, void *workspace,
    size_t workspace_bytes);

/** Bytes of device memory that an algorithm needs. */
cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x_desc,
    const cudnnFilterDescriptor_t w_desc,
    const cudnnConvolutionDescriptor_t conv_desc,
    const cudnnTensorDescriptor_t y_desc, cudnnConvolutionFwdAlgo_t algo,
    size_t *bytes);

/** y = alpha conv(x, w) + beta y. */
cudnnStatus_t cudnnConvolutionForward(
    cudnnHandle_t handle, const void *alpha,
    const cudnnTensorDescriptor_t x_desc, const void *x,
    const cudnnFilterDescriptor_t w_desc, const void *w,
    const cudnnConvolutionDescriptor_t conv_desc,
    cudnnConvolutionFwdAlgo_t algo, void *workspace, size_t workspace_bytes,
    const void *beta, const cudnnTensorDescriptor_t y_desc, void *y);

/** y = act(alpha1 conv(x, w) + alpha2 z + bias), with RELU, or with IDENTITY
 *  and IMPLICIT_PRECOMP_GEMM; z can be y. */
cudnnStatus_t cudnnConvolutionBiasActivationForward(
    cudnnHandle_t handle, const void *alpha1,
    const cudnnTensorDescriptor_t x_desc, const void *x,
    const cudnnFilterDescriptor_t w_desc, const void *w,
    const cudnnConvolutionDescriptor_t conv_desc,
    cudnnConvolutionFwdAlgo_t algo, void *workspace, size_t workspace_bytes,
    const void *alpha2, const cudnnTensorDescriptor_t z_desc, const void *z,
    const cudnnTensorDescriptor_t bias_desc, const void *bias,
    const cudnnActivationDescriptor_t activation_desc,
    const cudnnTensorDescriptor_t y_desc, void *y);

/** Performance of an algorithm for the gradient of the data. */
typedef struct cudnnConvolutionBwdDataAlgoPerfStruct {
    cudnnConvolutionBwdDataAlgo_t algo; /**< the algorithm */
    cudnnStatus_t status; /**< NOT_SUPPORTED for this shape */
    float time;           /**< milliseconds, modeled for the card, or -1 */
    size_t memory;        /**< bytes of workspace */
    cudnnDeterminism_t determinism; /**< of the results' last bits */
    cudnnMathType_t mathType;       /**< math type to set for it */
    int reserved[3];                /**< unused */
} cudnnConvolutionBwdDataAlgoPerf_t;

/** Number of algorithms. */
cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithmMaxCount(
    cudnnHandle_t handle, int *count);

/** The algorithms, by a heuristic: best first, unsupported ones last. */
cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t w_desc,
    const cudnnTensorDescriptor_t dy_desc,
    const cudnnConvolutionDescriptor_t conv_desc,
    const cudnnTensorDescriptor_t dx_desc, const int requested, int *returned,
    cudnnConvolutionBwdDataAlgoPerf_t *perf);

/** The algorithms, by the time modeled for the card: best first. */
cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithm(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t w_desc,
    const cudnnTensorDescriptor_t dy_desc,
    const cudnnConvolutionDescriptor_t conv_desc,
    const cudnnTensorDescriptor_t dx_desc, const int requested, int *returned,
    cudnnConvolutionBwdDataAlgoPerf_t *perf);

/** The same for algorithms that the workspace is large enough for; y is not
 *  written. */
cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithmEx(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t w_desc, const void *w,
    const cudnnTensorDescriptor_t dy_desc, const void *dy,
    const cudnnConvolutionDescriptor_t conv_desc,
    const cudnnTensorDescriptor_t dx_desc, void *dx, const int requested,
    int *returned, cudnnConvolutionBwdDataAlgoPerf_t *perf, void *workspace,
    size_t workspace_bytes);

/** Bytes of device memory that an algorithm needs. */
cudnnStatus_t cudnnGetConvolutionBackwardDataWorkspaceSize(
    cudnnHandle_t handle, const cudnnFilterDescriptor_t w_desc,
    const cudnnTensorDescriptor_t dy_desc,
    const cudnnConvolutionDescriptor_t conv_desc,
    const cudnnTensorDescriptor_t dx_desc, cudnnConvolutionBwdDataAlgo_t algo,
    size_t *bytes);

/** dx = alpha (gradient of the loss with respect to x) + beta dx. */
cudnnStatus_t cudnnConvolutionBackwardData(
    cudnnHandle_t handle, const void *alpha,
    const cudnnFilterDescriptor_t w_desc, const void *w,
    const cudnnTensorDescriptor_t dy_desc, const void *dy,
    const cudnnConvolutionDescriptor_t conv_desc,
    cudnnConvolutionBwdDataAlgo_t algo, void *workspace, size_t workspace_bytes,
    const void *beta, const cudnnTensorDescriptor_t dx_desc, void *dx);

/** Performance of an algorithm for the gradient of the filter. */
typedef struct cudnnConvolutionBwdFilterAlgoPerfStruct {
    cudnnConvolutionBwdFilterAlgo_t algo; /**< the algorithm */
    cudnnStatus_t status; /**< NOT_SUPPORTED for this shape */
    float time;           /**< milliseconds, modeled for the card, or -1 */
    size_t memory;        /**< bytes of workspace */
    cudnnDeterminism_t determinism; /**< of the results' last bits */
    cudnnMathType_t mathType;       /**< math type to set for it */
    int reserved[3];                /**< unused */
} cudnnConvolutionBwdFilterAlgoPerf_t;

/** Number of algorithms. */
cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(
    cudnnHandle_t handle, int *count);

/** The algorithms, by a heuristic: best first, unsupported ones last. */
cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x_desc,
    const cudnnTensorDescriptor_t dy_desc,
    const cudnnConvolutionDescriptor_t conv_desc,
    const cudnnFilterDescriptor_t dw_desc, const int requested, int *returned,
    cudnnConvolutionBwdFilterAlgoPerf_t *perf);

/** The algorithms, by the time modeled for the card: best first. */
cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithm(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x_desc,
    const cudnnTensorDescriptor_t dy_desc,
    const cudnnConvolutionDescriptor_t conv_desc,
    const cudnnFilterDescriptor_t dw_desc, const int requested, int *returned,
    cudnnConvolutionBwdFilterAlgoPerf_t *perf);

/** The same for algorithms that the workspace is large enough for; y is not
 *  written. */
cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithmEx(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x_desc, const void *x,
    const cudnnTensorDescriptor_t dy_desc, const void *dy,
    const cudnnConvolutionDescriptor_t conv_desc,
    const cudnnFilterDescriptor_t dw_desc, void *dw, const int requested,
    int *returned, cudnnConvolutionBwdFilterAlgoPerf_t *perf, void *workspace,
    size_t workspace_bytes);

/** Bytes of device memory that an algorithm needs. */
cudnnStatus_t cudnnGetConvolutionBackwardFilterWorkspaceSize(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x_desc,
    const cudnnTensorDescriptor_t dy_desc,
    const cudnnConvolutionDescriptor_t conv_desc,
    const cudnnFilterDescriptor_t dw_desc, cudnnConvolutionBwdFilterAlgo_t algo,
    size_t *bytes);

/** dw = alpha (gradient of the loss with respect to w) + beta dw. */
cudnnStatus_t cudnnConvolutionBackwardFilter(
    cudnnHandle_t handle, const void *alpha,
    const cudnnTensorDescriptor_t x_desc, const void *x,
    const cudnnTensorDescriptor_t dy_desc, const void *dy,
    const cudnnConvolutionDescriptor_t conv_desc,
    cudnnConvolutionBwdFilterAlgo_t algo, void *workspace,
    size_t workspace_bytes, const void *beta,
    const cudnnFilterDescriptor_t dw_desc, void *dw);

/** db = alpha (sum of dy over all dimensions but the channels) + beta db. */
cudnnStatus_t cudnnConvolutionBackwardBias(
    cudnnHandle_t handle, const void *alpha,
    const cudnnTensorDescriptor_t dy_desc, const void *dy, const void *beta,
    const cudnnTensorDescriptor_t db_desc, void *db);

/** Check that the parts of the library have the same version. */
cudnnStatus_t cudnnCnnVersionCheck(void);

#ifdef __cplusplus
}
#endif

#include "softgpu/pop_macros.h"

#endif
