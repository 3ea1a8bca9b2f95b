/* SPDX-License-Identifier: MIT */
/** @file
 *  Layers without filters: softmax, pooling, activations, normalization,
 *  dropout; see cudnn.h.
 */
#ifndef CUDNN_OPS_H_
#define CUDNN_OPS_H_

#include "softgpu/cudnn_tensor.h"
#include "softgpu/push_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- softmax -------------------------------------------------------------- */

/** Softmax: ACCURATE subtracts the maximum first, LOG is log-softmax. */
typedef enum {
    CUDNN_SOFTMAX_FAST = 0,
    CUDNN_SOFTMAX_ACCURATE = 1,
    CUDNN_SOFTMAX_LOG = 2
} cudnnSoftmaxAlgorithm_t;

/** Softmax over C, H, W of an image, or over C at each pixel. */
typedef enum {
    CUDNN_SOFTMAX_MODE_INSTANCE = 0,
    CUDNN_SOFTMAX_MODE_CHANNEL = 1
} cudnnSoftmaxMode_t;

/** y = alpha softmax(x) + beta y. */
cudnnStatus_t cudnnSoftmaxForward(cudnnHandle_t handle,
                                  cudnnSoftmaxAlgorithm_t algo,
                                  cudnnSoftmaxMode_t mode, const void *alpha,
                                  const cudnnTensorDescriptor_t x_desc,
                                  const void *x, const void *beta,
                                  const cudnnTensorDescriptor_t y_desc,
                                  void *y);

/** The gradient of the loss with respect to x, from y and its gradient. */
cudnnStatus_t cudnnSoftmaxBackward(cudnnHandle_t handle,
                                   cudnnSoftmaxAlgorithm_t algo,
                                   cudnnSoftmaxMode_t mode, const void *alpha,
                                   const cudnnTensorDescriptor_t y_desc,
                                   const void *y,
                                   const cudnnTensorDescriptor_t dy_desc,
                                   const void *dy, const void *beta,
                                   const cudnnTensorDescriptor_t dx_desc,
                                   void *dx);

/* --- pooling -------------------------------------------------------------- */

/** Pooling.  In both MAX modes the gradient is that of the first maximum in the
 *  window. */
typedef enum {
    CUDNN_POOLING_MAX = 0,
    CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING = 1,
    CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING = 2,
    CUDNN_POOLING_MAX_DETERMINISTIC = 3
} cudnnPoolingMode_t;

/** Create a descriptor; its attributes are not set. */
cudnnStatus_t cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t *desc);

/** Destroy a descriptor, or NULL. */
cudnnStatus_t cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t desc);

/** Set the attributes. */
cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t desc,
                                          cudnnPoolingMode_t mode,
                                          cudnnNanPropagation_t nan,
                                          int window_h, int window_w, int pad_h,
                                          int pad_w, int stride_h,
                                          int stride_w);

/** Get the attributes; each pointer can be NULL. */
cudnnStatus_t cudnnGetPooling2dDescriptor(const cudnnPoolingDescriptor_t desc,
                                          cudnnPoolingMode_t *mode,
                                          cudnnNanPropagation_t *nan,
                                          int *window_h, int *window_w,
                                          int *pad_h, int *pad_w, int *stride_h,
                                          int *stride_w);

/** The same with `dims` spatial dimensions, 1 to 3. */
cudnnStatus_t cudnnSetPoolingNdDescriptor(cudnnPoolingDescriptor_t desc,
                                          const cudnnPoolingMode_t mode,
                                          const cudnnNanPropagation_t nan,
                                          int dims, const int window[],
                                          const int pad[], const int stride[]);

/** Get the attributes; each pointer can be NULL. */
cudnnStatus_t cudnnGetPoolingNdDescriptor(const cudnnPoolingDescriptor_t desc,
                                          int requested,
                                          cudnnPoolingMode_t *mode,
                                          cudnnNanPropagation_t *nan, int *dims,
                                          int window[], int pad[],
                                          int stride[]);

/** Dimensions of y: 1 + (x + 2 pad - window) / stride. */
cudnnStatus_t cudnnGetPooling2dForwardOutputDim(
    const cudnnPoolingDescriptor_t desc, const cudnnTensorDescriptor_t x_desc,
    int *n, int *c, int *h, int *w);

/** The same for any number of dimensions. */
cudnnStatus_t cudnnGetPoolingNdForwardOutputDim(
    const cudnnPoolingDescriptor_t desc, const cudnnTensorDescriptor_t x_desc,
    int dims, int size[]);

/** y = alpha pool(x) + beta y. */
cudnnStatus_t cudnnPoolingForward(cudnnHandle_t handle,
                                  const cudnnPoolingDescriptor_t desc,
                                  const void *alpha,
                                  const cudnnTensorDescriptor_t x_desc,
                                  const void *x, const void *beta,
                                  const cudnnTensorDescriptor_t y_desc,
                                  void *y);

/** dx = alpha (gradient of the loss with respect to x) + beta dx. */
cudnnStatus_t cudnnPoolingBackward(cudnnHandle_t handle,
                                   const cudnnPoolingDescriptor_t desc,
                                   const void *alpha,
                                   const cudnnTensorDescriptor_t y_desc,
                                   const void *y,
                                   const cudnnTensorDescriptor_t dy_desc,
                                   const void *dy,
                                   const cudnnTensorDescriptor_t x_desc,
                                   const void *x, const void *beta,
                                   const cudnnTensorDescriptor_t dx_desc,
                                   void *dx);

/* --- activation ----------------------------------------------------------- */
/** Create a descriptor; its attributes are not set. */
cudnnStatus_t cudnnCreateActivationDescriptor(
    cudnnActivationDescriptor_t *desc);

/** Destroy a descriptor, or NULL. */
cudnnStatus_t cudnnDestroyActivationDescriptor(
    cudnnActivationDescriptor_t desc);

/** Set the attributes; coef is the upper bound of CLIPPED_RELU or the alpha of
 *  ELU. */
cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t desc,
                                           cudnnActivationMode_t mode,
                                           cudnnNanPropagation_t nan,
                                           double coef);

/** Get the attributes; each pointer can be NULL. */
cudnnStatus_t cudnnGetActivationDescriptor(
    const cudnnActivationDescriptor_t desc, cudnnActivationMode_t *mode,
    cudnnNanPropagation_t *nan, double *coef);

/** Set beta of x sigmoid(beta x); the default is 1. */
cudnnStatus_t cudnnSetActivationDescriptorSwishBeta(
    cudnnActivationDescriptor_t desc, double beta);

/** Get it. */
cudnnStatus_t cudnnGetActivationDescriptorSwishBeta(
    cudnnActivationDescriptor_t desc, double *beta);

/** y = alpha act(x) + beta y; y can be x. */
cudnnStatus_t cudnnActivationForward(cudnnHandle_t handle,
                                     cudnnActivationDescriptor_t desc,
                                     const void *alpha,
                                     const cudnnTensorDescriptor_t x_desc,
                                     const void *x, const void *beta,
                                     const cudnnTensorDescriptor_t y_desc,
                                     void *y);

/** dx = alpha act'(x) dy + beta dx; dx can be dy. */
cudnnStatus_t cudnnActivationBackward(cudnnHandle_t handle,
                                      cudnnActivationDescriptor_t desc,
                                      const void *alpha,
                                      const cudnnTensorDescriptor_t y_desc,
                                      const void *y,
                                      const cudnnTensorDescriptor_t dy_desc,
                                      const void *dy,
                                      const cudnnTensorDescriptor_t x_desc,
                                      const void *x, const void *beta,
                                      const cudnnTensorDescriptor_t dx_desc,
                                      void *dx);

/* --- local response normalization ----------------------------------------- */

/** Across neighboring channels. */
typedef enum { CUDNN_LRN_CROSS_CHANNEL_DIM1 = 0 } cudnnLRNMode_t;

#define CUDNN_LRN_MIN_N 1       /**< smallest window */
#define CUDNN_LRN_MAX_N 16      /**< largest window */
#define CUDNN_LRN_MIN_K 1e-5    /**< smallest k */
#define CUDNN_LRN_MIN_BETA 0.01 /**< smallest exponent */
/** Create a descriptor: n 5, alpha 1e-4, beta 0.75, k 2. */
cudnnStatus_t cudnnCreateLRNDescriptor(cudnnLRNDescriptor_t *desc);

/** Destroy a descriptor, or NULL. */
cudnnStatus_t cudnnDestroyLRNDescriptor(cudnnLRNDescriptor_t desc);

/** Set the attributes. */
cudnnStatus_t cudnnSetLRNDescriptor(cudnnLRNDescriptor_t desc, unsigned n,
                                    double alpha, double beta, double k);

/** Get the attributes; each pointer can be NULL. */
cudnnStatus_t cudnnGetLRNDescriptor(cudnnLRNDescriptor_t desc, unsigned *n,
                                    double *alpha, double *beta, double *k);

/** x / (k + alpha/n (sum of squares of n channels round it))^beta. */
cudnnStatus_t cudnnLRNCrossChannelForward(cudnnHandle_t handle,
                                          cudnnLRNDescriptor_t desc,
                                          cudnnLRNMode_t mode,
                                          const void *alpha,
                                          const cudnnTensorDescriptor_t x_desc,
                                          const void *x, const void *beta,
                                          const cudnnTensorDescriptor_t y_desc,
                                          void *y);

/** The gradient of it. */
cudnnStatus_t cudnnLRNCrossChannelBackward(
    cudnnHandle_t handle, cudnnLRNDescriptor_t desc, cudnnLRNMode_t mode,
    const void *alpha, const cudnnTensorDescriptor_t y_desc, const void *y,
    const cudnnTensorDescriptor_t dy_desc, const void *dy,
    const cudnnTensorDescriptor_t x_desc, const void *x, const void *beta,
    const cudnnTensorDescriptor_t dx_desc, void *dx);

/* --- batch normalization -------------------------------------------------- */

/** Statistics for each element of C, H, W, or for each channel. */
typedef enum {
    CUDNN_BATCHNORM_PER_ACTIVATION = 0,
    CUDNN_BATCHNORM_SPATIAL = 1,
    CUDNN_BATCHNORM_SPATIAL_PERSISTENT = 2
} cudnnBatchNormMode_t;

#define CUDNN_BN_MIN_EPSILON 0.0 /**< smallest epsilon */
/** Derive the descriptor of scale, bias, mean and variance for x: of float, or
 *  of double for double. */
cudnnStatus_t cudnnDeriveBNTensorDescriptor(
    cudnnTensorDescriptor_t bn_desc, const cudnnTensorDescriptor_t x_desc,
    cudnnBatchNormMode_t mode);

/** y = alpha (bias + scale (x - mean) / sqrt(epsilon + variance)) + beta y. */
cudnnStatus_t cudnnBatchNormalizationForwardInference(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha,
    const void *beta, const cudnnTensorDescriptor_t x_desc, const void *x,
    const cudnnTensorDescriptor_t y_desc, void *y,
    const cudnnTensorDescriptor_t bn_desc, const void *scale, const void *bias,
    const void *mean, const void *variance, double epsilon);

/** The same with mean and (biased) variance of the batch, which are saved
 *  for the backward pass; running = (1 - factor) running + factor batch,
 *  with the unbiased variance.  Both pairs can be NULL. */
cudnnStatus_t cudnnBatchNormalizationForwardTraining(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha,
    const void *beta, const cudnnTensorDescriptor_t x_desc, const void *x,
    const cudnnTensorDescriptor_t y_desc, void *y,
    const cudnnTensorDescriptor_t bn_desc, const void *scale, const void *bias,
    double factor, void *running_mean, void *running_variance, double epsilon,
    void *saved_mean, void *saved_inv_variance);

/** Gradients with respect to x, scale and bias; without saved statistics these
 *  are recomputed. */
cudnnStatus_t cudnnBatchNormalizationBackward(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha_data,
    const void *beta_data, const void *alpha_param, const void *beta_param,
    const cudnnTensorDescriptor_t x_desc, const void *x,
    const cudnnTensorDescriptor_t dy_desc, const void *dy,
    const cudnnTensorDescriptor_t dx_desc, void *dx,
    const cudnnTensorDescriptor_t bn_desc, const void *scale, void *dscale,
    void *dbias, double epsilon, const void *saved_mean,
    const void *saved_inv_variance);

/* --- dropout -------------------------------------------------------------- */
/** Create a descriptor; its attributes are not set. */
cudnnStatus_t cudnnCreateDropoutDescriptor(cudnnDropoutDescriptor_t *desc);

/** Destroy a descriptor, or NULL. */
cudnnStatus_t cudnnDestroyDropoutDescriptor(cudnnDropoutDescriptor_t desc);

/** Bytes of device memory of the generator. */
cudnnStatus_t cudnnDropoutGetStatesSize(cudnnHandle_t handle, size_t *bytes);

/** Bytes of device memory of the mask, which forward saves for backward. */
cudnnStatus_t cudnnDropoutGetReserveSpaceSize(cudnnTensorDescriptor_t x_desc,
                                              size_t *bytes);

/** Set the rate and seed the generator, in the stream; with states NULL only
 *  the rate is set, and forward must not be called. */
cudnnStatus_t cudnnSetDropoutDescriptor(cudnnDropoutDescriptor_t desc,
                                        cudnnHandle_t handle, float dropout,
                                        void *states, size_t states_bytes,
                                        unsigned long long seed);

/** Set the rate; the generator continues from `states`. */
cudnnStatus_t cudnnRestoreDropoutDescriptor(cudnnDropoutDescriptor_t desc,
                                            cudnnHandle_t handle, float dropout,
                                            void *states, size_t states_bytes,
                                            unsigned long long seed);

/** Get the attributes; each pointer can be NULL. */
cudnnStatus_t cudnnGetDropoutDescriptor(cudnnDropoutDescriptor_t desc,
                                        cudnnHandle_t handle, float *dropout,
                                        void **states,
                                        unsigned long long *seed);

/** y = 0 with probability `rate`, else x / (1 - rate); each call or graph
 *  launch draws a new mask. */
cudnnStatus_t cudnnDropoutForward(cudnnHandle_t handle,
                                  const cudnnDropoutDescriptor_t desc,
                                  const cudnnTensorDescriptor_t x_desc,
                                  const void *x,
                                  const cudnnTensorDescriptor_t y_desc, void *y,
                                  void *reserve, size_t reserve_bytes);

/** Apply the same mask to the gradient. */
cudnnStatus_t cudnnDropoutBackward(cudnnHandle_t handle,
                                   const cudnnDropoutDescriptor_t desc,
                                   const cudnnTensorDescriptor_t dy_desc,
                                   const void *dy,
                                   const cudnnTensorDescriptor_t dx_desc,
                                   void *dx, void *reserve,
                                   size_t reserve_bytes);

/* --- algorithms of convolutions ------------------------------------------- */

/** Algorithms of the forward convolution.  Workspace and supported shapes are
 *  those of a card; all give the same result. */
typedef enum {
    CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM = 0,
    CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM = 1,
    CUDNN_CONVOLUTION_FWD_ALGO_GEMM = 2,
    CUDNN_CONVOLUTION_FWD_ALGO_DIRECT = 3,
    CUDNN_CONVOLUTION_FWD_ALGO_FFT = 4,
    CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING = 5,
    CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD = 6,
    CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED = 7,
    CUDNN_CONVOLUTION_FWD_ALGO_COUNT = 8
} cudnnConvolutionFwdAlgo_t;

/** Algorithms of the gradient of the filter. */
typedef enum {
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0 = 0,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1 = 1,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT = 2,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3 = 3,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD = 4,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_WINOGRAD_NONFUSED = 5,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT_TILING = 6,
    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT = 7
} cudnnConvolutionBwdFilterAlgo_t;

/** Algorithms of the gradient of the data. */
typedef enum {
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_0 = 0,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_1 = 1,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT = 2,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT_TILING = 3,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD = 4,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD_NONFUSED = 5,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT = 6
} cudnnConvolutionBwdDataAlgo_t;

/** Check that the parts of the library have the same version. */
cudnnStatus_t cudnnOpsVersionCheck(void);

#ifdef __cplusplus
}
#endif

#include "softgpu/pop_macros.h"

#endif
