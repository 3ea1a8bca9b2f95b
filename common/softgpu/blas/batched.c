/* SPDX-License-Identifier: MIT */
/* cublas?trsmBatched, gemvBatched and gemvStridedBatched: a member of the batch
 * is a part, computed as the call without a batch. */
#include "routines.h"

/* Submit a batch of `count` members, if there are any. */
static cublasStatus_t submit(cublasHandle_t handle,
                             const struct blas_routine *routine,
                             const struct blas_arguments *g,
                             const struct blas_batch *batch)
{
    BLAS_REQUIRE_HANDLE(handle);
    BLAS_REQUIRE_VALUE(batch->count >= 0);
    return batch->count ? blas_fortran_batch(handle, routine, g, batch)
                        : CUBLAS_STATUS_SUCCESS;
}

#define POINTERS(x) ((const void *const *)(x))
#define GEMV(S, text, t)                                              \
    static const struct blas_routine routine = {                      \
        "cublas" #S text, "gemv", t, 0,                               \
        {BLAS_TRANS, BLAS_M, BLAS_N, BLAS_ALPHA, BLAS_A, BLAS_X,      \
         BLAS_BETA, BLAS_Y | BLAS_IS_WRITTEN}}
#define GEMV_ARGUMENTS(a_at, x_at, y_at)                                 \
    {.trans = trans, .m = m, .n = n, .alpha = alpha, .beta = beta,    \
     .a = {a_at, lda}, .x = {x_at, incx}, .y = {y_at, incy}}

/* The calls of a type of elements T and of sizes I. */
#define CALLS(S, s, T, t, I, E)                                               \
    cublasStatus_t cublas##S##trsmBatched##E(                                 \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,  \
        cublasOperation_t trans, cublasDiagType_t diag, I m, I n,             \
        const T *alpha, const T *const A[], I lda, T *const B[], I ldb,       \
        I count)                                                              \
    {                                                                         \
        static const struct blas_routine routine = {                          \
            "cublas" #S "trsmBatched", "trsm", t, 0,                          \
            {BLAS_SIDE, BLAS_UPLO, BLAS_TRANS, BLAS_DIAG, BLAS_M, BLAS_N,     \
             BLAS_ALPHA, BLAS_A, BLAS_B | BLAS_IS_WRITTEN}};                  \
        const struct blas_arguments g = {                                     \
            .side = side, .uplo = uplo, .trans = trans, .diag = diag, .m = m, \
            .n = n, .alpha = alpha, .a = {NULL, lda}, .b = {NULL, ldb}};      \
        SOFTGPU_LIBRARY_CALL();                                               \
        return submit(handle, &routine, &g,                                   \
                      &(struct blas_batch){count, {POINTERS(A), POINTERS(B)}, \
                                           {0}});                             \
    }                                                                         \
    cublasStatus_t cublas##S##gemvBatched##E(                                 \
        cublasHandle_t handle, cublasOperation_t trans, I m, I n,             \
        const T *alpha, const T *const A[], I lda, const T *const x[],        \
        I incx, const T *beta, T *const y[], I incy, I count)                 \
    {                                                                         \
        GEMV(S, "gemvBatched", t);                                            \
        const struct blas_arguments g = GEMV_ARGUMENTS(NULL, NULL, NULL);     \
        SOFTGPU_LIBRARY_CALL();                                               \
        return submit(handle, &routine, &g,                                   \
                      &(struct blas_batch){                                   \
                          count, {POINTERS(A), POINTERS(x), POINTERS(y)},     \
                          {0}});                                              \
    }                                                                         \
    cublasStatus_t cublas##S##gemvStridedBatched##E(                          \
        cublasHandle_t handle, cublasOperation_t trans, I m, I n,             \
        const T *alpha, const T *A, I lda, long long strideA, const T *x,     \
        I incx, long long stridex, const T *beta, T *y, I incy,               \
        long long stridey, I count)                                           \
    {                                                                         \
        GEMV(S, "gemvStridedBatched", t);                                     \
        const struct blas_arguments g = GEMV_ARGUMENTS(A, x, y);              \
        SOFTGPU_LIBRARY_CALL();                                               \
        return submit(handle, &routine, &g,                                   \
                      &(struct blas_batch){count, {NULL},                     \
                                           {strideA, stridex, stridey}});     \
    }
BLAS_FOR_EACH_TYPE(CALLS)
BLAS_FOR_EACH_COMPLEX_TYPE(CALLS)
