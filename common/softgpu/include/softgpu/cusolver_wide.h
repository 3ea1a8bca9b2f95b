/* SPDX-License-Identifier: MIT */
/** @file
 *  cuSOLVER's calls with 64-bit sizes and types as arguments: float or double,
 *  the same for all arrays and the computation; at most 16384 rows and columns.
 *  Other types are CUSOLVER_STATUS_NOT_SUPPORTED.  The work areas are not used,
 *  and that on the host has no bytes.  `params` has no effect and may be NULL.
 */
#ifndef SOFTGPU_CUSOLVER_WIDE_H
#define SOFTGPU_CUSOLVER_WIDE_H

/** Settings. */
typedef struct cusolverDnParams *cusolverDnParams_t;

/** What a setting is for. */
typedef enum {
    CUSOLVERDN_GETRF = 0,
    CUSOLVERDN_POTRF = 1,
    CUSOLVERDN_SYEVBATCHED = 2
} cusolverDnFunction_t;

/** Create settings. */
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params);
/** Destroy them. */
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params);
/** Without effect. */
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params,
    cusolverDnFunction_t function, cusolverAlgMode_t algo);

/** Bytes of the work areas; the same of all calls below. */
cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t handle,
    cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType a_type, const
    void *a, int64_t lda, cudaDataType compute, size_t *device_bytes, size_t
    *host_bytes);
/** Replace A by P L U; without pivots (NULL) by L U. */
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t handle, cusolverDnParams_t
    params, int64_t m, int64_t n, cudaDataType a_type, void *a, int64_t lda,
    int64_t *pivots, cudaDataType compute, void *device_work, size_t
    device_bytes, void *host_work, size_t host_bytes, int *info);
/** Solve op(A) X = B with the factors; X replaces B. */
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t handle, cusolverDnParams_t
    params, cublasOperation_t op, int64_t n, int64_t columns, cudaDataType
    a_type, const void *a, int64_t lda, const int64_t *pivots, cudaDataType
    b_type, void *b, int64_t ldb, int *info);
/** Work areas. */
cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t handle,
    cusolverDnParams_t params, cublasFillMode_t uplo, int64_t n, cudaDataType
    a_type, const void *a, int64_t lda, cudaDataType compute, size_t
    *device_bytes, size_t *host_bytes);
/** Replace a triangle of A by its Cholesky factor. */
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t handle, cusolverDnParams_t
    params, cublasFillMode_t uplo, int64_t n, cudaDataType a_type, void *a,
    int64_t lda, cudaDataType compute, void *device_work, size_t device_bytes,
    void *host_work, size_t host_bytes, int *info);
/** Solve A X = B with the factor; X replaces B. */
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t handle, cusolverDnParams_t
    params, cublasFillMode_t uplo, int64_t n, int64_t columns, cudaDataType
    a_type, const void *a, int64_t lda, cudaDataType b_type, void *b, int64_t
    ldb, int *info);
/** Work areas. */
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t handle,
    cusolverDnParams_t params, int64_t m, int64_t n, cudaDataType a_type, const
    void *a, int64_t lda, cudaDataType tau_type, const void *tau, cudaDataType
    compute, size_t *device_bytes, size_t *host_bytes);
/** Replace A by R and the reflectors of Q; tau has min(m, n) elements. */
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t handle, cusolverDnParams_t
    params, int64_t m, int64_t n, cudaDataType a_type, void *a, int64_t lda,
    cudaDataType tau_type, void *tau, cudaDataType compute, void *device_work,
    size_t device_bytes, void *host_work, size_t host_bytes, int *info);
/** Work areas. */
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle,
    cusolverDnParams_t params, cusolverEigMode_t mode, cublasFillMode_t uplo,
    int64_t n, cudaDataType a_type, const void *a, int64_t lda, cudaDataType
    w_type, const void *w, cudaDataType compute, size_t *device_bytes, size_t
    *host_bytes);
/** Eigenvalues, ascending; eigenvectors replace A. */
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t
    params, cusolverEigMode_t mode, cublasFillMode_t uplo, int64_t n,
    cudaDataType a_type, void *a, int64_t lda, cudaDataType w_type, void *w,
    cudaDataType compute, void *device_work, size_t device_bytes, void
    *host_work, size_t host_bytes, int *info);

#endif
