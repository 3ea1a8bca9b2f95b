/* SPDX-License-Identifier: MIT */
/* cublasCsyrkEx, cublasCherkEx and their 3m forms: the calls without Ex, for
 * CUDA_C_32F only. */
#include "routines.h"

/* Check the types and submit. */
static cublasStatus_t submit(cublasHandle_t handle,
                             const struct blas_routine *routine,
                             const struct blas_arguments *g, cudaDataType at,
                             cudaDataType ct)
{
    BLAS_REQUIRE_HANDLE(handle);
    BLAS_REQUIRE_SUPPORTED(at == CUDA_C_32F && ct == CUDA_C_32F,
                           "the types of A and C are not CUDA_C_32F");
    return blas_fortran(handle, routine, g);
}

/* A call whose factors have type F, with sizes of type I. */
#define RANK_K(name, family, F, flag, I, E)                                   \
    cublasStatus_t cublas##name##E(                                           \
        cublasHandle_t handle, cublasFillMode_t uplo,                         \
        cublasOperation_t trans, I n, I k, const F *alpha, const void *A,     \
        cudaDataType at, I lda, const F *beta, void *C, cudaDataType ct,      \
        I ldc)                                                                \
    {                                                                         \
        static const struct blas_routine routine = {                          \
            "cublas" #name, family, CUDA_C_32F, 0,                            \
            {BLAS_UPLO, BLAS_TRANS, BLAS_N, BLAS_K, BLAS_ALPHA | (flag),      \
             BLAS_A, BLAS_BETA | (flag), BLAS_C | BLAS_IS_WRITTEN}};          \
        const struct blas_arguments g = {                                     \
            .uplo = uplo, .trans = trans, .n = n, .k = k, .alpha = alpha,     \
            .beta = beta, .a = {A, lda}, .c = {C, ldc}};                      \
        SOFTGPU_LIBRARY_CALL();                                               \
        return submit(handle, &routine, &g, at, ct);                          \
    }
#define CALLS(I, E)                                         \
    RANK_K(CsyrkEx, "syrk", cuComplex, 0, I, E)             \
    RANK_K(Csyrk3mEx, "syrk", cuComplex, 0, I, E)           \
    RANK_K(CherkEx, "herk", float, BLAS_IS_REAL, I, E)      \
    RANK_K(Cherk3mEx, "herk", float, BLAS_IS_REAL, I, E)
CALLS(int, )
CALLS(int64_t, _64)
