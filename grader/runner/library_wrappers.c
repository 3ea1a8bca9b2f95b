/* SPDX-License-Identifier: MIT */
/* Wrappers that list the handles and descriptors of cuBLAS and cuDNN, and let
 * their creation fail.  grader/build/recipe_wraps.c has the list for the
 * linker. */
#include <cublas_v2.h>
#include <cudnn.h>

#include "wrappers.h"

#define WRAP_DNN(name, Type)                                                  \
    WRAP_CREATE_AS(cudnnStatus_t, CUDNN_STATUS_ALLOC_FAILED,                  \
                   cudnnCreate##name, (Type *p), (p), *p, false, )            \
    WRAP_RELEASE_AS(cudnnStatus_t, cudnnDestroy##name, (Type p), (p), p)
#define WRAP_DESCRIPTOR(name) WRAP_DNN(name, cudnn##name##_t)

WRAP_DNN(, cudnnHandle_t)
WRAP_DESCRIPTOR(TensorDescriptor)
WRAP_DESCRIPTOR(FilterDescriptor)
WRAP_DESCRIPTOR(ConvolutionDescriptor)
WRAP_DESCRIPTOR(ActivationDescriptor)
WRAP_DESCRIPTOR(PoolingDescriptor)
WRAP_DESCRIPTOR(OpTensorDescriptor)
WRAP_DESCRIPTOR(ReduceTensorDescriptor)
WRAP_DESCRIPTOR(DropoutDescriptor)

WRAP_CREATE_AS(cublasStatus_t, CUBLAS_STATUS_ALLOC_FAILED, cublasCreate_v2,
               (cublasHandle_t *p), (p), *p, false, )
WRAP_RELEASE_AS(cublasStatus_t, cublasDestroy_v2, (cublasHandle_t p), (p), p)

/* They create nothing, but a layer whose stream was not set is no layer. */
WRAP_CREATE_AS(cudnnStatus_t, CUDNN_STATUS_NOT_INITIALIZED, cudnnSetStream,
               (cudnnHandle_t h, cudaStream_t s), (h, s), NULL, false, )
WRAP_CREATE_AS(cublasStatus_t, CUBLAS_STATUS_NOT_INITIALIZED,
               cublasSetStream_v2, (cublasHandle_t h, cudaStream_t s), (h, s),
               NULL, false, )
