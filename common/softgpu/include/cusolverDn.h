/* SPDX-License-Identifier: MIT */
/** @file
 *  cuSOLVER for dense matrices of float and double: LU, Cholesky, QR, symmetric
 *  eigenvalues, singular values; of complex ones, Hermitian eigenvalues.
 *
 *  Matrices are column-major in device memory.  LAPACK (of OpenBLAS) does the
 *  arithmetic, on one OS thread, so signs of vectors and last bits can differ
 *  from a card's.  `info`, in device memory, is 0, or the place of a pivot that
 *  is 0 or of a minor that is not positive.  The work area is not used.
 *  Arguments that are out of range are CUSOLVER_STATUS_INVALID_VALUE.
 */
#ifndef SOFTGPU_CUSOLVERDN_H
#define SOFTGPU_CUSOLVERDN_H
#define CUSOLVERDN_H_ /* programs ask for it */

#include "softgpu/push_macros.h"
#include "cublas_v2.h"
#include "cuda_runtime_api.h"
#include "cusolver_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A handle. */
typedef struct cusolverDnContext *cusolverDnHandle_t;

/** Create a handle. */
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
/** Destroy it when the device has finished its work. */
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
/** Set the stream. */
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle,
                                     cudaStream_t stream);
/** The stream. */
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle,
                                     cudaStream_t *stream);

/* --- float ---------------------------------------------------------------- */

/** Elements of the work area: 1; the same of all calls below. */
cusolverStatus_t cusolverDnSgetrf_bufferSize(cusolverDnHandle_t handle, int m,
    int n, float *a, int lda, int *lwork);
/** Replace A by P L U; without pivots (NULL) by L U. */
cusolverStatus_t cusolverDnSgetrf(cusolverDnHandle_t handle, int m, int n,
    float *a, int lda, float *work, int *pivots, int *info);
/** Solve op(A) X = B with the factors; X replaces B. */
cusolverStatus_t cusolverDnSgetrs(cusolverDnHandle_t handle, cublasOperation_t
    op, int n, int columns, const float *a, int lda, const int *pivots, float
    *b, int ldb, int *info);
/** Work area. */
cusolverStatus_t cusolverDnSpotrf_bufferSize(cusolverDnHandle_t handle,
    cublasFillMode_t uplo, int n, float *a, int lda, int *lwork);
/** Replace a triangle of A by its Cholesky factor. */
cusolverStatus_t cusolverDnSpotrf(cusolverDnHandle_t handle, cublasFillMode_t
    uplo, int n, float *a, int lda, float *work, int lwork, int *info);
/** Solve A X = B with the factor; X replaces B. */
cusolverStatus_t cusolverDnSpotrs(cusolverDnHandle_t handle, cublasFillMode_t
    uplo, int n, int columns, const float *a, int lda, float *b, int ldb, int
    *info);
/** Work area. */
cusolverStatus_t cusolverDnSgeqrf_bufferSize(cusolverDnHandle_t handle, int m,
    int n, float *a, int lda, int *lwork);
/** Replace A by R and the reflectors of Q; tau has min(m, n) elements. */
cusolverStatus_t cusolverDnSgeqrf(cusolverDnHandle_t handle, int m, int n,
    float *a, int lda, float *tau, float *work, int lwork, int *info);
/** Work area. */
cusolverStatus_t cusolverDnSormqr_bufferSize(cusolverDnHandle_t handle,
    cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, const
    float *a, int lda, const float *tau, const float *c, int ldc, int *lwork);
/** Replace C by op(Q) C or C op(Q). */
cusolverStatus_t cusolverDnSormqr(cusolverDnHandle_t handle, cublasSideMode_t
    side, cublasOperation_t op, int m, int n, int k, const float *a, int lda,
    const float *tau, float *c, int ldc, float *work, int lwork, int *info);
/** Work area. */
cusolverStatus_t cusolverDnSorgqr_bufferSize(cusolverDnHandle_t handle, int m,
    int n, int k, const float *a, int lda, const float *tau, int *lwork);
/** Replace the reflectors by the first n columns of Q. */
cusolverStatus_t cusolverDnSorgqr(cusolverDnHandle_t handle, int m, int n, int
    k, float *a, int lda, const float *tau, float *work, int lwork, int
    *info);
/** Work area. */
cusolverStatus_t cusolverDnSsyevd_bufferSize(cusolverDnHandle_t handle,
    cusolverEigMode_t mode, cublasFillMode_t uplo, int n, const float *a, int
    lda, const float *w, int *lwork);
/** Eigenvalues, ascending; eigenvectors replace A. */
cusolverStatus_t cusolverDnSsyevd(cusolverDnHandle_t handle, cusolverEigMode_t
    mode, cublasFillMode_t uplo, int n, float *a, int lda, float *w, float
    *work, int lwork, int *info);
/** Work area. */
cusolverStatus_t cusolverDnSgesvd_bufferSize(cusolverDnHandle_t handle, int m,
    int n, int *lwork);
/** Singular values, descending, and vectors, as LAPACK has them; m >= n. */
cusolverStatus_t cusolverDnSgesvd(cusolverDnHandle_t handle, signed char
    job_u, signed char job_vt, int m, int n, float *a, int lda, float *s,
    float *u, int ldu, float *vt, int ldvt, float *work, int lwork, float
    *rwork, int *info);

/* --- double --------------------------------------------------------------- */

/** cusolverDnSgetrf_bufferSize() in double. */
cusolverStatus_t cusolverDnDgetrf_bufferSize(cusolverDnHandle_t handle, int m,
    int n, double *a, int lda, int *lwork);
/** cusolverDnSgetrf() in double. */
cusolverStatus_t cusolverDnDgetrf(cusolverDnHandle_t handle, int m, int n,
    double *a, int lda, double *work, int *pivots, int *info);
/** cusolverDnSgetrs() in double. */
cusolverStatus_t cusolverDnDgetrs(cusolverDnHandle_t handle, cublasOperation_t
    op, int n, int columns, const double *a, int lda, const int *pivots,
    double *b, int ldb, int *info);
/** cusolverDnSpotrf_bufferSize() in double. */
cusolverStatus_t cusolverDnDpotrf_bufferSize(cusolverDnHandle_t handle,
    cublasFillMode_t uplo, int n, double *a, int lda, int *lwork);
/** cusolverDnSpotrf() in double. */
cusolverStatus_t cusolverDnDpotrf(cusolverDnHandle_t handle, cublasFillMode_t
    uplo, int n, double *a, int lda, double *work, int lwork, int *info);
/** cusolverDnSpotrs() in double. */
cusolverStatus_t cusolverDnDpotrs(cusolverDnHandle_t handle, cublasFillMode_t
    uplo, int n, int columns, const double *a, int lda, double *b, int ldb,
    int *info);
/** cusolverDnSgeqrf_bufferSize() in double. */
cusolverStatus_t cusolverDnDgeqrf_bufferSize(cusolverDnHandle_t handle, int m,
    int n, double *a, int lda, int *lwork);
/** cusolverDnSgeqrf() in double. */
cusolverStatus_t cusolverDnDgeqrf(cusolverDnHandle_t handle, int m, int n,
    double *a, int lda, double *tau, double *work, int lwork, int *info);
/** cusolverDnSormqr_bufferSize() in double. */
cusolverStatus_t cusolverDnDormqr_bufferSize(cusolverDnHandle_t handle,
    cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, const
    double *a, int lda, const double *tau, const double *c, int ldc, int
    *lwork);
/** cusolverDnSormqr() in double. */
cusolverStatus_t cusolverDnDormqr(cusolverDnHandle_t handle, cublasSideMode_t
    side, cublasOperation_t op, int m, int n, int k, const double *a, int lda,
    const double *tau, double *c, int ldc, double *work, int lwork, int
    *info);
/** cusolverDnSorgqr_bufferSize() in double. */
cusolverStatus_t cusolverDnDorgqr_bufferSize(cusolverDnHandle_t handle, int m,
    int n, int k, const double *a, int lda, const double *tau, int *lwork);
/** cusolverDnSorgqr() in double. */
cusolverStatus_t cusolverDnDorgqr(cusolverDnHandle_t handle, int m, int n, int
    k, double *a, int lda, const double *tau, double *work, int lwork, int
    *info);
/** cusolverDnSsyevd_bufferSize() in double. */
cusolverStatus_t cusolverDnDsyevd_bufferSize(cusolverDnHandle_t handle,
    cusolverEigMode_t mode, cublasFillMode_t uplo, int n, const double *a, int
    lda, const double *w, int *lwork);
/** cusolverDnSsyevd() in double. */
cusolverStatus_t cusolverDnDsyevd(cusolverDnHandle_t handle, cusolverEigMode_t
    mode, cublasFillMode_t uplo, int n, double *a, int lda, double *w, double
    *work, int lwork, int *info);
/** cusolverDnSgesvd_bufferSize() in double. */
cusolverStatus_t cusolverDnDgesvd_bufferSize(cusolverDnHandle_t handle, int m,
    int n, int *lwork);
/** cusolverDnSgesvd() in double. */
cusolverStatus_t cusolverDnDgesvd(cusolverDnHandle_t handle, signed char
    job_u, signed char job_vt, int m, int n, double *a, int lda, double *s,
    double *u, int ldu, double *vt, int ldvt, double *work, int lwork, double
    *rwork, int *info);

/* --- complex -------------------------------------------------------------- */

/** Work area. */
cusolverStatus_t cusolverDnCheevd_bufferSize(cusolverDnHandle_t handle,
    cusolverEigMode_t mode, cublasFillMode_t uplo, int n, const cuComplex *a,
    int lda, const float *w, int *lwork);
/** Eigenvalues of a Hermitian matrix, ascending; eigenvectors replace A. */
cusolverStatus_t cusolverDnCheevd(cusolverDnHandle_t handle, cusolverEigMode_t
    mode, cublasFillMode_t uplo, int n, cuComplex *a, int lda, float *w,
    cuComplex *work, int lwork, int *info);
/** cusolverDnCheevd_bufferSize() in double. */
cusolverStatus_t cusolverDnZheevd_bufferSize(cusolverDnHandle_t handle,
    cusolverEigMode_t mode, cublasFillMode_t uplo, int n, const cuDoubleComplex
    *a, int lda, const double *w, int *lwork);
/** cusolverDnCheevd() in double. */
cusolverStatus_t cusolverDnZheevd(cusolverDnHandle_t handle, cusolverEigMode_t
    mode, cublasFillMode_t uplo, int n, cuDoubleComplex *a, int lda, double *w,
    cuDoubleComplex *work, int lwork, int *info);

#include "softgpu/cusolver_jacobi.h"
#include "softgpu/cusolver_wide.h"

#ifdef __cplusplus
}
#endif

#include "softgpu/pop_macros.h"

#endif
