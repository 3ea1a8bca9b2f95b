/* SPDX-License-Identifier: MIT */
/** @file
 *  Layers without filters; see cudnn.h.
 */
#ifndef CUDNN_OPS_H_
#define CUDNN_OPS_H_

#include "softgpu/cudnn_tensor.h"
#include "softgpu/names_hide.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- softmax -------------------------------------------------------------- */

/** ACCURATE takes the maximum off first, LOG is its logarithm. */
typedef enum {
    CUDNN_SOFTMAX_FAST = 0,
    CUDNN_SOFTMAX_ACCURATE = 1,
    CUDNN_SOFTMAX_LOG = 2
} cudnnSoftmaxAlgorithm_t;

/** Over C, H, W of an image, or over C at each place. */
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

/** The gradient of x, from y and its gradient. */
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

/** The gradient of a maximum goes to the first one of the window, in both MAX
 *  modes. */
typedef enum {
    CUDNN_POOLING_MAX = 0,
    CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING = 1,
    CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING = 2,
    CUDNN_POOLING_MAX_DETERMINISTIC = 3
} cudnnPoolingMode_t;

/** Make a descriptor, not yet set. */
cudnnStatus_t cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t *desc);

/** Free it; NULL is well. */
cudnnStatus_t cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t desc);

/** Set it. */
cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t desc,
                                          cudnnPoolingMode_t mode,
                                          cudnnNanPropagation_t nan,
                                          int window_h, int window_w, int pad_h,
                                          int pad_w, int stride_h,
                                          int stride_w);

/** All of it; each may be NULL. */
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

/** All of it; each may be NULL. */
cudnnStatus_t cudnnGetPoolingNdDescriptor(const cudnnPoolingDescriptor_t desc,
                                          int wanted, cudnnPoolingMode_t *mode,
                                          cudnnNanPropagation_t *nan, int *dims,
                                          int window[], int pad[],
                                          int stride[]);

/** Dimensions of y: 1 + (x + 2 pad - window) / stride. */
cudnnStatus_t cudnnGetPooling2dForwardOutputDim(
    const cudnnPoolingDescriptor_t desc, const cudnnTensorDescriptor_t x_desc,
    int *n, int *c, int *h, int *w);

/** The same for any number. */
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

/** dx = alpha (gradient of x) + beta dx. */
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
/** Make a descriptor, not yet set. */
cudnnStatus_t cudnnCreateActivationDescriptor(
    cudnnActivationDescriptor_t *desc);

/** Free it; NULL is well. */
cudnnStatus_t cudnnDestroyActivationDescriptor(
    cudnnActivationDescriptor_t desc);

/** Set it; coef is where CLIPPED_RELU stops and the alpha of ELU. */
cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t desc,
                                           cudnnActivationMode_t mode,
                                           cudnnNanPropagation_t nan,
                                           double coef);

/** All of it; each may be NULL. */
cudnnStatus_t cudnnGetActivationDescriptor(
    const cudnnActivationDescriptor_t desc, cudnnActivationMode_t *mode,
    cudnnNanPropagation_t *nan, double *coef);

/** The beta of x sigmoid(beta x); 1 if not set. */
cudnnStatus_t cudnnSetActivationDescriptorSwishBeta(
    cudnnActivationDescriptor_t desc, double beta);

/** It. */
cudnnStatus_t cudnnGetActivationDescriptorSwishBeta(
    cudnnActivationDescriptor_t desc, double *beta);

/** y = alpha act(x) + beta y; x and y may be one. */
cudnnStatus_t cudnnActivationForward(cudnnHandle_t handle,
                                     cudnnActivationDescriptor_t desc,
                                     const void *alpha,
                                     const cudnnTensorDescriptor_t x_desc,
                                     const void *x, const void *beta,
                                     const cudnnTensorDescriptor_t y_desc,
                                     void *y);

/** dx = alpha act'(x) dy + beta dx; dy and dx may be one. */
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

/* --- local response normalisation ----------------------------------------- */

/** Over neighbouring channels. */
typedef enum { CUDNN_LRN_CROSS_CHANNEL_DIM1 = 0 } cudnnLRNMode_t;

#define CUDNN_LRN_MIN_N 1       /**< least window */
#define CUDNN_LRN_MAX_N 16      /**< largest window */
#define CUDNN_LRN_MIN_K 1e-5    /**< least k */
#define CUDNN_LRN_MIN_BETA 0.01 /**< least exponent */
/** Make a descriptor: n 5, alpha 1e-4, beta 0.75, k 2. */
cudnnStatus_t cudnnCreateLRNDescriptor(cudnnLRNDescriptor_t *desc);

/** Free it; NULL is well. */
cudnnStatus_t cudnnDestroyLRNDescriptor(cudnnLRNDescriptor_t desc);

/** Set it. */
cudnnStatus_t cudnnSetLRNDescriptor(cudnnLRNDescriptor_t desc, unsigned n,
                                    double alpha, double beta, double k);

/** All of it; each may be NULL. */
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

/** Its gradient. */
cudnnStatus_t cudnnLRNCrossChannelBackward(
    cudnnHandle_t handle, cudnnLRNDescriptor_t desc, cudnnLRNMode_t mode,
    const void *alpha, const cudnnTensorDescriptor_t y_desc, const void *y,
    const cudnnTensorDescriptor_t dy_desc, const void *dy,
    const cudnnTensorDescriptor_t x_desc, const void *x, const void *beta,
    const cudnnTensorDescriptor_t dx_desc, void *dx);

/* --- batch normalisation -------------------------------------------------- */

/** A mean for each of C, H, W, or for each of C. */
typedef enum {
    CUDNN_BATCHNORM_PER_ACTIVATION = 0,
    CUDNN_BATCHNORM_SPATIAL = 1,
    CUDNN_BATCHNORM_SPATIAL_PERSISTENT = 2
} cudnnBatchNormMode_t;

#define CUDNN_BN_MIN_EPSILON 0.0 /**< least epsilon */
/** The tensor of scale, bias, mean and variance for x: float, or double for
 *  double. */
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

/** The same with the batch's own mean and (biased) variance, which are saved
 *  for the backward pass; running = (1 - factor) running + factor batch,
 *  with the unbiased variance. Both pairs may be NULL. */
cudnnStatus_t cudnnBatchNormalizationForwardTraining(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void *alpha,
    const void *beta, const cudnnTensorDescriptor_t x_desc, const void *x,
    const cudnnTensorDescriptor_t y_desc, void *y,
    const cudnnTensorDescriptor_t bn_desc, const void *scale, const void *bias,
    double factor, void *running_mean, void *running_variance, double epsilon,
    void *saved_mean, void *saved_inv_variance);

/** Gradients of x, scale and bias; without the saved pair they are computed
 *  again. */
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
/** Make a descriptor, not yet set. */
cudnnStatus_t cudnnCreateDropoutDescriptor(cudnnDropoutDescriptor_t *desc);

/** Free it; NULL is well. */
cudnnStatus_t cudnnDestroyDropoutDescriptor(cudnnDropoutDescriptor_t desc);

/** Bytes of device memory for the generator. */
cudnnStatus_t cudnnDropoutGetStatesSize(cudnnHandle_t handle, size_t *bytes);

/** Bytes of device memory that carry a mask from forward to backward. */
cudnnStatus_t cudnnDropoutGetReserveSpaceSize(cudnnTensorDescriptor_t x_desc,
                                              size_t *bytes);

/** Set it and begin the generator anew, in the stream; with states NULL only
 *  the rate is set, and forward must not be called. */
cudnnStatus_t cudnnSetDropoutDescriptor(cudnnDropoutDescriptor_t desc,
                                        cudnnHandle_t handle, float dropout,
                                        void *states, size_t states_bytes,
                                        unsigned long long seed);

/** Set it; the generator goes on where `states` says. */
cudnnStatus_t cudnnRestoreDropoutDescriptor(cudnnDropoutDescriptor_t desc,
                                            cudnnHandle_t handle, float dropout,
                                            void *states, size_t states_bytes,
                                            unsigned long long seed);

/** All of it; each may be NULL. */
cudnnStatus_t cudnnGetDropoutDescriptor(cudnnDropoutDescriptor_t desc,
                                        cudnnHandle_t handle, float *dropout,
                                        void **states,
                                        unsigned long long *seed);

/** Each element becomes 0 with the rate's probability, else x / (1 - rate);
 *  the next call, or replay, draws afresh. */
cudnnStatus_t cudnnDropoutForward(cudnnHandle_t handle,
                                  const cudnnDropoutDescriptor_t desc,
                                  const cudnnTensorDescriptor_t x_desc,
                                  const void *x,
                                  const cudnnTensorDescriptor_t y_desc, void *y,
                                  void *reserve, size_t reserve_bytes);

/** The same mask on the gradient. */
cudnnStatus_t cudnnDropoutBackward(cudnnHandle_t handle,
                                   const cudnnDropoutDescriptor_t desc,
                                   const cudnnTensorDescriptor_t dy_desc,
                                   const void *dy,
                                   const cudnnTensorDescriptor_t dx_desc,
                                   void *dx, void *reserve,
                                   size_t reserve_bytes);

/* --- algorithms of convolutions ------------------------------------------- */

/** Ways to convolve; what they need and whether they fit differs as on a card,
 *  the result does not. */
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

/** Ways to the gradient of the filter. */
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

/** Ways to the gradient of the data. */
typedef enum {
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_0 = 0,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_1 = 1,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT = 2,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT_TILING = 3,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD = 4,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD_NONFUSED = 5,
    CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT = 6
} cudnnConvolutionBwdDataAlgo_t;

/** The parts of the library fit each other. */
cudnnStatus_t cudnnOpsVersionCheck(void);

#ifdef __cplusplus
}
#endif

#include "softgpu/names_show.h"

#endif
