/* SPDX-License-Identifier: MIT */
/* cublasAxpyEx and the like: level 1 with the types as arguments.  Elements of
 * 16 bits are computed in float, others in their own type. */
#include "level1.h"

/* Is it one of the types of elements? */
static bool is_element(cudaDataType type)
{
    return blas_is_complex(type) || type == CUDA_R_16F || type == CUDA_R_16BF
           || type == CUDA_R_32F || type == CUDA_R_64F;
}

/* The type in which elements of a type are computed. */
static cudaDataType execution_type(cudaDataType type)
{
    return type == CUDA_R_16F || type == CUDA_R_16BF ? CUDA_R_32F : type;
}

/* Is this a legal choice of execution type? */
static bool is_execution(const struct blas_level1 *l, cudaDataType execution)
{
    return execution == execution_type(l->x.type);
}

/* Keep a factor: of the type of the computation, or of its real type. */
static cublasStatus_t keep_factor(cublasHandle_t handle,
                                  const struct blas_level1 *l,
                                  struct blas_scalar *to, const void *factor,
                                  cudaDataType type)
{
    const cudaDataType execution = execution_type(l->x.type);

    BLAS_REQUIRE_VALUE(factor);
    BLAS_REQUIRE_SUPPORTED(type == execution || type == l->x.type
                               || type == blas_real_type(execution),
                           "the type of a factor does not go with that of x");
    *to = blas_scalar(handle, factor, type);
    return CUBLAS_STATUS_SUCCESS;
}

/* The cosine is the real part of its type. */
static cublasStatus_t keep_rotation(cublasHandle_t handle,
                                    struct blas_level1 *l, const void *c,
                                    const void *s, cudaDataType type)
{
    const cublasStatus_t status = keep_factor(handle, l, &l->sine, s, type);

    return status ? status
                  : keep_factor(handle, l, &l->alpha, c,
                                blas_real_type(type));
}

/* The parameters of rotm. */
static cublasStatus_t keep_param(cublasHandle_t handle, struct blas_level1 *l,
                                 const void *param, cudaDataType type)
{
    BLAS_REQUIRE_VALUE(param);
    BLAS_REQUIRE_SUPPORTED(type == l->x.type
                               && (type == CUDA_R_32F || type == CUDA_R_64F),
                           "the type of param is not that of x, or not real");
    blas_keep_param(handle, l, param);
    return CUBLAS_STATUS_SUCCESS;
}

/* Check the types of the vectors and submit. */
static cublasStatus_t submit(cublasHandle_t handle, struct blas_level1 *l,
                             cudaDataType execution)
{
    BLAS_REQUIRE_SUPPORTED(is_element(l->x.type) && l->y.type == l->x.type,
                           "the types of x and y are no elements, or differ");
    BLAS_REQUIRE_SUPPORTED(is_execution(l, execution),
                           "the execution type is not that of x (CUDA_R_32F "
                           "for 16 bits)");
    if (l->operation >= BLAS_NRM2)
        return blas_submit_reduction(handle, l);
    if (l->operation == BLAS_SCAL && l->x.inc <= 0)
        return CUBLAS_STATUS_SUCCESS;
    return blas_submit_elementwise(handle, l);
}

/* The result of a reduction has x's type, or its real type. */
static cublasStatus_t reduce(cublasHandle_t handle, struct blas_level1 *l,
                             cudaDataType type, cudaDataType execution)
{
    const bool is_norm = l->operation == BLAS_NRM2 || l->operation == BLAS_ASUM;
    const cudaDataType own = is_norm ? blas_real_type(l->x.type) : l->x.type;

    BLAS_REQUIRE_SUPPORTED(type == own,
                           "the type of the result is not that of x");
    BLAS_REQUIRE_SUPPORTED(execution == execution_type(own)
                               || is_execution(l, execution),
                           "the execution type is not that of x (CUDA_R_32F "
                           "for 16 bits)");
    l->result_type = type;
    return submit(handle, l, execution_type(l->x.type));
}

#define X const void *x, cudaDataType xType
#define Y void *y, cudaDataType yType
#define X_OUT void *x, cudaDataType xType
#define BEGIN(op, y_at, incy, y_type)                                     \
    SOFTGPU_LIBRARY_CALL();                                               \
    BLAS_REQUIRE_HANDLE(handle);                                          \
    struct blas_level1 l = {.call.name = softgpu_library_name,            \
                            .operation = op,                              \
                            .x = {(void *)(uintptr_t)x, n, incx, xType},  \
                            .y = {(void *)(uintptr_t)(y_at), n, incy,     \
                                  y_type}};                               \
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS
#define PAIR(op) BEGIN(op, y, incy, yType)
#define SINGLE(op) BEGIN(op, NULL, 1, xType)
#define END(execution) return status ? status : submit(handle, &l, execution)

/* A sum of one vector, and an index. */
#define SUM(name, op, I)                                                      \
    cublasStatus_t name(cublasHandle_t handle, I n, X, I incx, void *result,  \
                        cudaDataType resultType, cudaDataType execution)      \
    {                                                                         \
        SINGLE(op);                                                           \
        l.result = result;                                                    \
        return status ? status                                                \
                      : reduce(handle, &l, resultType, execution);            \
    }
#define EXTREME(name, op, I)                                                  \
    cublasStatus_t name(cublasHandle_t handle, I n, X, I incx, I *result)     \
    {                                                                         \
        SINGLE(op);                                                           \
        l.result = result;                                                    \
        l.index_bytes = sizeof(I);                                            \
        END(execution_type(xType));                                           \
    }
#define DOT(name, op, I)                                                      \
    cublasStatus_t name(cublasHandle_t handle, I n, X, I incx, const Y,       \
                        I incy, void *result, cudaDataType resultType,        \
                        cudaDataType execution)                               \
    {                                                                         \
        PAIR(op);                                                             \
        l.result = result;                                                    \
        return status ? status                                                \
                      : reduce(handle, &l, resultType, execution);            \
    }

/* The calls with sizes of type I. */
#define CALLS(I, E)                                                           \
    SUM(cublasNrm2Ex##E, BLAS_NRM2, I)                                        \
    SUM(cublasAsumEx##E, BLAS_ASUM, I)                                        \
    EXTREME(cublasIamaxEx##E, BLAS_AMAX, I)                                   \
    EXTREME(cublasIaminEx##E, BLAS_AMIN, I)                                   \
    DOT(cublasDotEx##E, BLAS_DOT, I)                                          \
    DOT(cublasDotcEx##E, BLAS_DOTC, I)                                        \
    cublasStatus_t cublasAxpyEx##E(                                           \
        cublasHandle_t handle, I n, const void *alpha,                        \
        cudaDataType alphaType, X, I incx, Y, I incy, cudaDataType execution) \
    {                                                                         \
        PAIR(BLAS_AXPY);                                                      \
        status = keep_factor(handle, &l, &l.alpha, alpha, alphaType);         \
        END(execution);                                                       \
    }                                                                         \
    cublasStatus_t cublasScalEx##E(cublasHandle_t handle, I n,                \
                                   const void *alpha, cudaDataType alphaType, \
                                   X_OUT, I incx, cudaDataType execution)     \
    {                                                                         \
        SINGLE(BLAS_SCAL);                                                    \
        status = keep_factor(handle, &l, &l.alpha, alpha, alphaType);         \
        END(execution);                                                       \
    }                                                                         \
    cublasStatus_t cublasCopyEx##E(cublasHandle_t handle, I n, X, I incx, Y,  \
                                   I incy)                                    \
    {                                                                         \
        PAIR(BLAS_COPY);                                                      \
        END(execution_type(xType));                                           \
    }                                                                         \
    cublasStatus_t cublasSwapEx##E(cublasHandle_t handle, I n, X_OUT, I incx, \
                                   Y, I incy)                                 \
    {                                                                         \
        PAIR(BLAS_SWAP);                                                      \
        END(execution_type(xType));                                           \
    }                                                                         \
    cublasStatus_t cublasRotEx##E(cublasHandle_t handle, I n, X_OUT, I incx,  \
                                  Y, I incy, const void *c, const void *s,    \
                                  cudaDataType csType,                        \
                                  cudaDataType execution)                     \
    {                                                                         \
        PAIR(BLAS_ROT);                                                       \
        status = keep_rotation(handle, &l, c, s, csType);                     \
        END(execution);                                                       \
    }                                                                         \
    cublasStatus_t cublasRotmEx##E(cublasHandle_t handle, I n, X_OUT, I incx, \
                                   Y, I incy, const void *param,              \
                                   cudaDataType paramType,                    \
                                   cudaDataType execution)                    \
    {                                                                         \
        PAIR(BLAS_ROTM);                                                      \
        status = keep_param(handle, &l, param, paramType);                    \
        END(execution);                                                       \
    }
CALLS(int, )
CALLS(int64_t, _64)
