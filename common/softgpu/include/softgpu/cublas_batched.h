/* SPDX-License-Identifier: MIT */
/** @file
 *  Batches of products; part of cublas_api.h.
 */
#ifndef SOFTGPU_CUBLAS_BATCHED_H
#define SOFTGPU_CUBLAS_BATCHED_H

/** C = alpha op(A) op(B) + beta C: of arrays of device pointers, and of
 *  matrices with a stride in elements. */
#define SOFTGPU_CUBLAS_GEMM(S, f, T, I, E)                                    \
    cublasStatus_t cublas##S##gemm##f##Batched##E(                            \
        cublasHandle_t handle, cublasOperation_t transa,                      \
        cublasOperation_t transb, I m, I n, I k, const T *alpha,              \
        const T *const a[], I lda, const T *const b[], I ldb, const T *beta,  \
        T *const c[], I ldc, I batchCount);                                   \
    cublasStatus_t cublas##S##gemm##f##StridedBatched##E(                     \
        cublasHandle_t handle, cublasOperation_t transa,                      \
        cublasOperation_t transb, I m, I n, I k, const T *alpha, const T *a,  \
        I lda, long long int strideA, const T *b, I ldb,                      \
        long long int strideB, const T *beta, T *c, I ldc,                    \
        long long int strideC, I batchCount);
/** Triangles that are solved for B in its place, and products with vectors. */
#define SOFTGPU_CUBLAS_BATCHES(S, f, T, I, E)                                 \
    cublasStatus_t cublas##S##trsmBatched##E(                                 \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,  \
        cublasOperation_t trans, cublasDiagType_t diag, I m, I n,             \
        const T *alpha, const T *const a[], I lda, T *const b[], I ldb,       \
        I batchCount);                                                        \
    cublasStatus_t cublas##S##gemvBatched##E(                                 \
        cublasHandle_t handle, cublasOperation_t trans, I m, I n,             \
        const T *alpha, const T *const a[], I lda, const T *const x[],        \
        I incx, const T *beta, T *const y[], I incy, I batchCount);           \
    cublasStatus_t cublas##S##gemvStridedBatched##E(                          \
        cublasHandle_t handle, cublasOperation_t trans, I m, I n,             \
        const T *alpha, const T *a, I lda, long long int strideA, const T *x, \
        I incx, long long int stridex, const T *beta, T *y, I incy,           \
        long long int stridey, I batchCount);
/** Groups of products: each has its sizes and factors, in host memory (factors
 *  by the pointer mode), and group_size matrices; the pointers of all groups
 *  follow each other in device memory. */
#define SOFTGPU_CUBLAS_GROUPS(I)                                              \
    cublasHandle_t handle, const cublasOperation_t transa[],                  \
        const cublasOperation_t transb[], const I m[], const I n[],           \
        const I k[]
#define SOFTGPU_CUBLAS_GROUPED(S, f, T, I, E)                                 \
    cublasStatus_t cublas##S##gemmGroupedBatched##E(                          \
        SOFTGPU_CUBLAS_GROUPS(I), const T alpha[], const T *const a[],        \
        const I lda[], const T *const b[], const I ldb[], const T beta[],     \
        T *const c[], const I ldc[], I group_count, const I group_size[]);
#define SOFTGPU_CUBLAS_GROUPED_EX(S, f, T, I, E)                              \
    cublasStatus_t cublasGemmGroupedBatchedEx##E(                             \
        SOFTGPU_CUBLAS_GROUPS(I), const T *alpha, const T *const a[],         \
        cudaDataType Atype, const I lda[], const T *const b[],                \
        cudaDataType Btype, const I ldb[], const T *beta, T *const c[],       \
        cudaDataType Ctype, const I ldc[], I group_count,                     \
        const I group_size[], cublasComputeType_t computeType);
#define SOFTGPU_CUBLAS_SIZES(X, S, f, T) \
    X(S, f, T, int, )                    \
    X(S, f, T, int64_t, _64)
SOFTGPU_CUBLAS_SIZES(SOFTGPU_CUBLAS_GEMM, S, , float)
SOFTGPU_CUBLAS_SIZES(SOFTGPU_CUBLAS_GEMM, D, , double)
SOFTGPU_CUBLAS_SIZES(SOFTGPU_CUBLAS_GEMM, C, , cuComplex)
SOFTGPU_CUBLAS_SIZES(SOFTGPU_CUBLAS_GEMM, C, 3m, cuComplex)
SOFTGPU_CUBLAS_SIZES(SOFTGPU_CUBLAS_GEMM, Z, , cuDoubleComplex)
SOFTGPU_CUBLAS_SIZES(SOFTGPU_CUBLAS_BATCHES, S, , float)
SOFTGPU_CUBLAS_SIZES(SOFTGPU_CUBLAS_BATCHES, D, , double)
SOFTGPU_CUBLAS_SIZES(SOFTGPU_CUBLAS_BATCHES, C, , cuComplex)
SOFTGPU_CUBLAS_SIZES(SOFTGPU_CUBLAS_BATCHES, Z, , cuDoubleComplex)
SOFTGPU_CUBLAS_SIZES(SOFTGPU_CUBLAS_GROUPED, S, , float)
SOFTGPU_CUBLAS_SIZES(SOFTGPU_CUBLAS_GROUPED, D, , double)
SOFTGPU_CUBLAS_SIZES(SOFTGPU_CUBLAS_GROUPED_EX, , , void)
#undef SOFTGPU_CUBLAS_GROUPS
#undef SOFTGPU_CUBLAS_GROUPED
#undef SOFTGPU_CUBLAS_GROUPED_EX
#undef SOFTGPU_CUBLAS_GEMM
#undef SOFTGPU_CUBLAS_BATCHES
#undef SOFTGPU_CUBLAS_SIZES

#endif
