/* SPDX-License-Identifier: MIT */
/** @file
 *  cuSOLVER: symmetric eigenvalues by Jacobi's method.  LAPACK computes the
 *  same values by divide and conquer, to full accuracy, in ascending order: the
 *  settings have no effect.
 */
#ifndef SOFTGPU_CUSOLVER_JACOBI_H
#define SOFTGPU_CUSOLVER_JACOBI_H

/** Settings of a call; it gets the residual. */
typedef struct syevjInfo *syevjInfo_t;

/** Create settings. */
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *info);
/** Destroy them when the device has finished its work. */
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info);
/** Without effect. */
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info,
                                              double tolerance);
/** Without effect. */
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info,
                                              int max_sweeps);
/** Without effect: the values ascend. */
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sort_eig);
/** Frobenius norm of A - V W V' after a call; waits for the stream.
 *  @return CUSOLVER_STATUS_NOT_SUPPORTED after a batch, or without vectors */
cusolverStatus_t cusolverDnXsyevjGetResidual(cusolverDnHandle_t handle,
                                             syevjInfo_t info,
                                             double *residual);
/** 1: there are no sweeps.
 *  @return CUSOLVER_STATUS_NOT_SUPPORTED after a batch */
cusolverStatus_t cusolverDnXsyevjGetSweeps(cusolverDnHandle_t handle,
                                           syevjInfo_t info,
                                           int *executed_sweeps);

/** Work area. */
cusolverStatus_t cusolverDnSsyevj_bufferSize(cusolverDnHandle_t handle,
    cusolverEigMode_t mode, cublasFillMode_t uplo, int n, const float *a, int
    lda, const float *w, int *lwork, syevjInfo_t params);
/** Eigenvalues, ascending; eigenvectors replace A. */
cusolverStatus_t cusolverDnSsyevj(cusolverDnHandle_t handle, cusolverEigMode_t
    mode, cublasFillMode_t uplo, int n, float *a, int lda, float *w, float
    *work, int lwork, int *info, syevjInfo_t params);
/** Work area. */
cusolverStatus_t cusolverDnSsyevjBatched_bufferSize(cusolverDnHandle_t handle,
    cusolverEigMode_t mode, cublasFillMode_t uplo, int n, const float *a, int
    lda, const float *w, int *lwork, syevjInfo_t params, int batch);
/** The same for matrices that are lda * n elements apart, their values n, and
 *  their info 1. */
cusolverStatus_t cusolverDnSsyevjBatched(cusolverDnHandle_t handle,
    cusolverEigMode_t mode, cublasFillMode_t uplo, int n, float *a, int lda,
    float *w, float *work, int lwork, int *info, syevjInfo_t params, int
    batch);
/** cusolverDnSsyevj_bufferSize() in double. */
cusolverStatus_t cusolverDnDsyevj_bufferSize(cusolverDnHandle_t handle,
    cusolverEigMode_t mode, cublasFillMode_t uplo, int n, const double *a, int
    lda, const double *w, int *lwork, syevjInfo_t params);
/** cusolverDnSsyevj() in double. */
cusolverStatus_t cusolverDnDsyevj(cusolverDnHandle_t handle, cusolverEigMode_t
    mode, cublasFillMode_t uplo, int n, double *a, int lda, double *w, double
    *work, int lwork, int *info, syevjInfo_t params);
/** cusolverDnSsyevjBatched_bufferSize() in double. */
cusolverStatus_t cusolverDnDsyevjBatched_bufferSize(cusolverDnHandle_t handle,
    cusolverEigMode_t mode, cublasFillMode_t uplo, int n, const double *a, int
    lda, const double *w, int *lwork, syevjInfo_t params, int batch);
/** cusolverDnSsyevjBatched() in double. */
cusolverStatus_t cusolverDnDsyevjBatched(cusolverDnHandle_t handle,
    cusolverEigMode_t mode, cublasFillMode_t uplo, int n, double *a, int lda,
    double *w, double *work, int lwork, int *info, syevjInfo_t params, int
    batch);

#endif
