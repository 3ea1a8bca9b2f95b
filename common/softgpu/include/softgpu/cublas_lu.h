/* SPDX-License-Identifier: MIT */
/** @file
 *  LU and QR factors of many small matrices; part of cublas_api.h.
 */
#ifndef SOFTGPU_CUBLAS_LU_H
#define SOFTGPU_CUBLAS_LU_H

/** LU factors of square matrices by arrays of device pointers: getrf replaces
 *  each A by its factors, getrs solves op(A) X = B in place of B, getri writes
 *  the inverse to C.  Without pivots (NULL) rows keep their order.  matinv does
 *  both for at most 32 rows.  geqrf replaces A by its QR factors, gels C by the
 *  least-squares solution (trans is CUBLAS_OP_N, m >= n).  The info of getrs,
 *  geqrf and gels is in host memory, the others' are device arrays. */
#define SOFTGPU_CUBLAS_LU(S, T)                                               \
    cublasStatus_t cublas##S##getrfBatched(cublasHandle_t handle, int n,      \
                                           T *const a[], int lda, int *P,     \
                                           int *info, int batchSize);         \
    cublasStatus_t cublas##S##getrsBatched(                                   \
        cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,      \
        const T *const a[], int lda, const int *devIpiv, T *const b[],        \
        int ldb, int *info, int batchSize);                                   \
    cublasStatus_t cublas##S##getriBatched(                                   \
        cublasHandle_t handle, int n, const T *const a[], int lda,            \
        const int *P, T *const c[], int ldc, int *info, int batchSize);       \
    cublasStatus_t cublas##S##matinvBatched(                                  \
        cublasHandle_t handle, int n, const T *const a[], int lda,            \
        T *const c[], int ldc, int *info, int batchSize);                     \
    cublasStatus_t cublas##S##geqrfBatched(                                   \
        cublasHandle_t handle, int m, int n, T *const a[], int lda,           \
        T *const tau[], int *info, int batchSize);                            \
    cublasStatus_t cublas##S##gelsBatched(                                    \
        cublasHandle_t handle, cublasOperation_t trans, int m, int n,         \
        int nrhs, T *const a[], int lda, T *const c[], int ldc, int *info,    \
        int *devInfo, int batchSize);
SOFTGPU_CUBLAS_LU(S, float)
SOFTGPU_CUBLAS_LU(D, double)
SOFTGPU_CUBLAS_LU(C, cuComplex)
SOFTGPU_CUBLAS_LU(Z, cuDoubleComplex)
#undef SOFTGPU_CUBLAS_LU

#endif
