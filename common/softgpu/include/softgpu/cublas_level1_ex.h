/* SPDX-License-Identifier: MIT */
/** @file
 *  Level 1 with the types as arguments; part of cublas_api.h.
 *
 *  x and y have one type: CUDA_R_16F, R_16BF, R_32F, R_64F, C_32F or C_64F.
 *  The execution type is the same, but CUDA_R_32F for 16 bits.  A factor has the
 *  execution type, its real type or x's type, a result x's type or, of a norm,
 *  its real type.
 */
#ifndef SOFTGPU_CUBLAS_LEVEL1_EX_H
#define SOFTGPU_CUBLAS_LEVEL1_EX_H

/** The calls of cublas_routines.def.h's level 1, with sizes of type I. */
#define SOFTGPU_CUBLAS_LEVEL1_EX(I, E)                                        \
    cublasStatus_t cublasNrm2Ex##E(                                           \
        cublasHandle_t handle, I n, const void *x, cudaDataType xType,        \
        I incx, void *result, cudaDataType resultType,                        \
        cudaDataType executionType);                                          \
    cublasStatus_t cublasAsumEx##E(                                           \
        cublasHandle_t handle, I n, const void *x, cudaDataType xType,        \
        I incx, void *result, cudaDataType resultType,                        \
        cudaDataType executionType);                                          \
    cublasStatus_t cublasIamaxEx##E(cublasHandle_t handle, I n,               \
                                    const void *x, cudaDataType xType,        \
                                    I incx, I *result);                       \
    cublasStatus_t cublasIaminEx##E(cublasHandle_t handle, I n,               \
                                    const void *x, cudaDataType xType,        \
                                    I incx, I *result);                       \
    cublasStatus_t cublasDotEx##E(                                            \
        cublasHandle_t handle, I n, const void *x, cudaDataType xType,        \
        I incx, const void *y, cudaDataType yType, I incy, void *result,      \
        cudaDataType resultType, cudaDataType executionType);                 \
    cublasStatus_t cublasDotcEx##E(                                           \
        cublasHandle_t handle, I n, const void *x, cudaDataType xType,        \
        I incx, const void *y, cudaDataType yType, I incy, void *result,      \
        cudaDataType resultType, cudaDataType executionType);                 \
    cublasStatus_t cublasAxpyEx##E(                                           \
        cublasHandle_t handle, I n, const void *alpha,                        \
        cudaDataType alphaType, const void *x, cudaDataType xType, I incx,    \
        void *y, cudaDataType yType, I incy, cudaDataType executionType);     \
    cublasStatus_t cublasScalEx##E(cublasHandle_t handle, I n,                \
                                   const void *alpha, cudaDataType alphaType, \
                                   void *x, cudaDataType xType, I incx,       \
                                   cudaDataType executionType);               \
    cublasStatus_t cublasCopyEx##E(cublasHandle_t handle, I n, const void *x, \
                                   cudaDataType xType, I incx, void *y,       \
                                   cudaDataType yType, I incy);               \
    cublasStatus_t cublasSwapEx##E(cublasHandle_t handle, I n, void *x,       \
                                   cudaDataType xType, I incx, void *y,       \
                                   cudaDataType yType, I incy);               \
    cublasStatus_t cublasRotEx##E(                                            \
        cublasHandle_t handle, I n, void *x, cudaDataType xType, I incx,      \
        void *y, cudaDataType yType, I incy, const void *c, const void *s,    \
        cudaDataType csType, cudaDataType executionType);                     \
    cublasStatus_t cublasRotmEx##E(                                           \
        cublasHandle_t handle, I n, void *x, cudaDataType xType, I incx,      \
        void *y, cudaDataType yType, I incy, const void *param,               \
        cudaDataType paramType, cudaDataType executionType);
SOFTGPU_CUBLAS_LEVEL1_EX(int, )
SOFTGPU_CUBLAS_LEVEL1_EX(int64_t, _64)
#undef SOFTGPU_CUBLAS_LEVEL1_EX

#endif
