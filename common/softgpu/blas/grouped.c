/* SPDX-License-Identifier: MIT */
/* cublas?gemmGroupedBatched and its Ex form: a batch after the other, whose
 * sizes are in host memory and whose pointers follow each other. */
#include "matmul.h"

/** The arrays of the groups. */
#define GROUPS(I)                                                             \
    cublasHandle_t handle, const cublasOperation_t transa[],                  \
        const cublasOperation_t transb[], const I m[], const I n[],           \
        const I k[]

/* Check the arrays. */
static cublasStatus_t check(cublasHandle_t handle, const void *const arrays[],
                            size_t count, int64_t groups)
{
    BLAS_REQUIRE_HANDLE(handle);
    BLAS_REQUIRE_VALUE(groups >= 0);
    for (size_t i = 0; groups && i < count; i++)
        BLAS_REQUIRE_VALUE(arrays[i]);
    return CUBLAS_STATUS_SUCCESS;
}

/* Submit each group by a call, which has the member g of each array; `first`
 * is the number of matrices before it. */
#define EACH_GROUP(I, call)                                                   \
    const void *const arrays[] = {transa, transb, m,    n,   k,   alpha,      \
                                  a,      lda,    b,    ldb, beta, c,         \
                                  ldc,    size};                              \
    int64_t first = 0;                                                        \
    SOFTGPU_LIBRARY_CALL();                                                   \
    cublasStatus_t status =                                                   \
        check(handle, arrays, sizeof arrays / sizeof *arrays, groups);        \
    for (I g = 0; !status && g < groups; first += size[g], g++)               \
        status = call;                                                        \
    return status

#define TYPED(S, s, T, t, I, E)                                               \
    cublasStatus_t cublas##S##gemmGroupedBatched##E(                          \
        GROUPS(I), const T alpha[], const T *const a[], const I lda[],        \
        const T *const b[], const I ldb[], const T beta[], T *const c[],      \
        const I ldc[], I groups, const I size[])                              \
    {                                                                         \
        EACH_GROUP(I, cublas##S##gemmBatched##E(                              \
                          handle, transa[g], transb[g], m[g], n[g], k[g],     \
                          &alpha[g], a + first, lda[g], b + first, ldb[g],    \
                          &beta[g], c + first, ldc[g], size[g]));             \
    }
BLAS_FOR_EACH_TYPE(TYPED)

/* A factor of group g. */
static const void *factor(const void *all, cublasComputeType_t compute,
                          int64_t g)
{
    return (const char *)all
           + g * (int64_t)blas_bytes(blas_scale_type(compute));
}

#define MIXED(I, E)                                                           \
    cublasStatus_t cublasGemmGroupedBatchedEx##E(                             \
        GROUPS(I), const void *alpha, const void *const a[],                  \
        cudaDataType at, const I lda[], const void *const b[],                \
        cudaDataType bt, const I ldb[], const void *beta, void *const c[],    \
        cudaDataType ct, const I ldc[], I groups, const I size[],             \
        cublasComputeType_t compute)                                          \
    {                                                                         \
        EACH_GROUP(I, cublasGemmBatchedEx##E(                                 \
                          handle, transa[g], transb[g], m[g], n[g], k[g],     \
                          factor(alpha, compute, g), a + first, at, lda[g],   \
                          b + first, bt, ldb[g], factor(beta, compute, g),    \
                          c + first, ct, ldc[g], size[g], compute,            \
                          CUBLAS_GEMM_DEFAULT));                              \
    }
MIXED(int, )
MIXED(int64_t, _64)
