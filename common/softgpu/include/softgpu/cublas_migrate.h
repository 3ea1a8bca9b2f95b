/* SPDX-License-Identifier: MIT */
/** @file
 *  cuBLAS of older programs, which give the compute type as a type of
 *  elements.  Part of cublas_api.h.
 */
#ifndef SOFTGPU_CUBLAS_MIGRATE_H
#define SOFTGPU_CUBLAS_MIGRATE_H

/** CUBLAS_COMPUTE_32F of CUDA_R_32F, and so on.  @return the status of asking
 *  the handle; CUBLAS_STATUS_NOT_SUPPORTED for other types */
static inline cublasStatus_t
cublasMigrateComputeType(cublasHandle_t handle, cudaDataType dataType,
                         cublasComputeType_t *computeType)
{
    cublasMath_t math = CUBLAS_DEFAULT_MATH;
    const cublasStatus_t status = cublasGetMathMode(handle, &math);
    const int pedantic = (math & 0xf) == CUBLAS_PEDANTIC_MATH;
    int type = dataType == CUDA_R_32F   ? CUBLAS_COMPUTE_32F
               : dataType == CUDA_R_64F ? CUBLAS_COMPUTE_64F
               : dataType == CUDA_R_16F ? CUBLAS_COMPUTE_16F
               : dataType == CUDA_R_32I ? CUBLAS_COMPUTE_32I
                                        : 0;
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    *computeType = (cublasComputeType_t)(type + pedantic);
    return type ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

/** cublasGemmEx with a type of elements. */
static inline cublasStatus_t
cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
             cublasOperation_t transb, int m, int n, int k, const void *alpha,
             const void *a, cudaDataType Atype, int lda, const void *b,
             cudaDataType Btype, int ldb, const void *beta, void *c,
             cudaDataType Ctype, int ldc, cudaDataType computeType,
             cublasGemmAlgo_t algo)
{
    cublasComputeType_t type;
    const cublasStatus_t status =
        cublasMigrateComputeType(handle, computeType, &type);
    return status != CUBLAS_STATUS_SUCCESS
               ? status
               : cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, Atype,
                              lda, b, Btype, ldb, beta, c, Ctype, ldc, type,
                              algo);
}

/** cublasGemmStridedBatchedEx with a type of elements. */
static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
    int m, int n, int k, const void *alpha, const void *a, cudaDataType Atype,
    int lda, long long int strideA, const void *b, cudaDataType Btype, int ldb,
    long long int strideB, const void *beta, void *c, cudaDataType Ctype,
    int ldc, long long int strideC, int batchCount, cudaDataType computeType,
    cublasGemmAlgo_t algo)
{
    cublasComputeType_t type;
    const cublasStatus_t status =
        cublasMigrateComputeType(handle, computeType, &type);
    return status != CUBLAS_STATUS_SUCCESS
               ? status
               : cublasGemmStridedBatchedEx(
                     handle, transa, transb, m, n, k, alpha, a, Atype, lda,
                     strideA, b, Btype, ldb, strideB, beta, c, Ctype, ldc,
                     strideC, batchCount, type, algo);
}

#endif
