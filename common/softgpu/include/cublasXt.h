/* SPDX-License-Identifier: MIT */
/** @file
 *  cuBLASXt: products of matrices in host or device memory, on several devices.
 *  Each call ends before it returns.
 */
#ifndef CUBLAS_XT_H_
#define CUBLAS_XT_H_

#include "cublas_v2.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A handle; the calls need it. */
typedef struct cublasXtContext *cublasXtHandle_t;

/** May the library register the program's memory?  Stored only. */
typedef enum {
    CUBLASXT_PINNING_DISABLED = 0, /**< no */
    CUBLASXT_PINNING_ENABLED = 1   /**< yes */
} cublasXtPinnedMemMode_t;

/** Make a handle: no device is selected yet. */
cublasStatus_t cublasXtCreate(cublasXtHandle_t *handle);
/** Free it. */
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle);
/** Select the devices that take part; once for each handle. */
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int nbDevices,
                                    int deviceId[]);
/** Set the size of tiles: stored only, since devices get whole columns. */
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim);
/** Answer it; 2048 at first. */
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int *blockDim);
/** Set whether memory may be registered. */
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle,
                                         cublasXtPinnedMemMode_t mode);
/** Answer it; disabled at first. */
cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t handle,
                                         cublasXtPinnedMemMode_t *mode);
/** C = alpha op(A) op(B) + beta C with matrices in any memory; each device gets
 *  some columns of C. */
cublasStatus_t cublasXtSgemm(cublasXtHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, size_t m, size_t n,
                             size_t k, const float *alpha, const float *A,
                             size_t lda, const float *B, size_t ldb,
                             const float *beta, float *C, size_t ldc);
/** cublasXtSgemm() in double. */
cublasStatus_t cublasXtDgemm(cublasXtHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, size_t m, size_t n,
                             size_t k, const double *alpha, const double *A,
                             size_t lda, const double *B, size_t ldb,
                             const double *beta, double *C, size_t ldc);
/** cublasXtSgemm() of complex numbers. */
cublasStatus_t cublasXtCgemm(cublasXtHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, size_t m, size_t n,
                             size_t k, const cuComplex *alpha,
                             const cuComplex *A, size_t lda,
                             const cuComplex *B, size_t ldb,
                             const cuComplex *beta, cuComplex *C, size_t ldc);
/** The same in double. */
cublasStatus_t cublasXtZgemm(cublasXtHandle_t handle, cublasOperation_t transa,
                             cublasOperation_t transb, size_t m, size_t n,
                             size_t k, const cuDoubleComplex *alpha,
                             const cuDoubleComplex *A, size_t lda,
                             const cuDoubleComplex *B, size_t ldb,
                             const cuDoubleComplex *beta, cuDoubleComplex *C,
                             size_t ldc);

#ifdef __cplusplus
}
#endif

#endif
