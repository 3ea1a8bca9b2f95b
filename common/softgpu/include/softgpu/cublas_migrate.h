/* SPDX-License-Identifier: MIT */
/** @file
 *  Older signatures of cuBLAS, with an element type as compute type.  Part of
 *  cublas_api.h.
 */
#ifndef SOFTGPU_CUBLAS_MIGRATE_H
#define SOFTGPU_CUBLAS_MIGRATE_H

/** The compute type for an element type: CUBLAS_COMPUTE_32F for CUDA_R_32F ...
 *  @return CUBLAS_STATUS_NOT_SUPPORTED for other types, or the error of an
 *          invalid handle */
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

/** cublasGemmEx with an element type as compute type. */
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

/** cublasGemmStridedBatchedEx with an element type as compute type. */
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
