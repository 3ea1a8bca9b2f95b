/* SPDX-License-Identifier: MIT */
/** @file
 *  cuBLAS on the software GPU: the supported calls, by OpenBLAS.
 *
 *  Matrices are column-major; the leading dimension is the stride of columns.
 *  Pointers to arrays are device pointers; the pointer mode selects host or
 *  device for scalars and results.  A call is enqueued on the handle's stream
 *  like a kernel, but one with a result in host memory is synchronous.  Each
 *  call exists with int sizes and, with the suffix _64, with 64-bit sizes.
 *
 *  Rounding: float and double are accumulated in that type, products of int8
 *  exactly, those of fp16 and bf16 in float and rounded once.
 *  CUBLAS_COMPUTE_16F also accumulates in float and rounds the sum to fp16; a
 *  card rounds intermediate sums, too.  CUBLAS_COMPUTE_32F_FAST_TF32, _16F and
 *  _16BF (and CUBLAS_TF32_TENSOR_OP_MATH) round the factors to that type first.
 *  Sums of vectors, and gemv of real numbers, are accumulated in double, other
 *  calls in the type of the elements.
 */
#ifndef SOFTGPU_CUBLAS_API_H
#define SOFTGPU_CUBLAS_API_H
#define CUBLAS_API_H_ /* programs ask for it */

#include "softgpu/push_macros.h"
#include <stddef.h>
#include <stdint.h>

#include "cuda_runtime_api.h"
#include "cuComplex.h"
#include "library_types.h"
#ifdef __cplusplus
#include "cuda_bf16.h"
#include "cuda_fp16.h"
extern "C" {
#endif

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 1
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VER_BUILD 3
/** Version of the library that these headers implement. */
#define CUBLAS_VERSION \
    (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

/** Status of a call. */
typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1, /**< no handle; no OpenBLAS */
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7, /**< a size, leading dimension, NULL */
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,    /**< a copy failed */
    CUBLAS_STATUS_EXECUTION_FAILED = 13, /**< error of the device */
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15, /**< this combination of types */
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

/** Which triangle of a matrix is used. */
typedef enum {
    CUBLAS_FILL_MODE_LOWER = 0,
    CUBLAS_FILL_MODE_UPPER = 1,
    CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;

/** Whether the diagonal is read or all 1. */
typedef enum {
    CUBLAS_DIAG_NON_UNIT = 0,
    CUBLAS_DIAG_UNIT = 1
} cublasDiagType_t;

/** Side of the special matrix in a product. */
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;

/** A matrix as stored, transposed, or conjugate transposed. */
typedef enum {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2,
    CUBLAS_OP_CONJG = 3
} cublasOperation_t;

/** Memory of scalars and results. */
typedef enum {
    CUBLAS_POINTER_MODE_HOST = 0,
    CUBLAS_POINTER_MODE_DEVICE = 1
} cublasPointerMode_t;

/** Use of atomics; stored: results are always reproducible. */
typedef enum {
    CUBLAS_ATOMICS_NOT_ALLOWED = 0,
    CUBLAS_ATOMICS_ALLOWED = 1
} cublasAtomicsMode_t;

/** An algorithm: all are the same here.  Numbers between the named ones are
 *  legal (0 to 23 and 100 to 115). */
typedef enum {
    CUBLAS_GEMM_DFALT = -1,
    CUBLAS_GEMM_DEFAULT = -1,
    CUBLAS_GEMM_ALGO0 = 0,
    CUBLAS_GEMM_ALGO1 = 1,
    CUBLAS_GEMM_ALGO2 = 2,
    CUBLAS_GEMM_ALGO3 = 3,
    CUBLAS_GEMM_ALGO4 = 4,
    CUBLAS_GEMM_ALGO5 = 5,
    CUBLAS_GEMM_ALGO6 = 6,
    CUBLAS_GEMM_ALGO7 = 7,
    CUBLAS_GEMM_ALGO23 = 23,
    CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
    CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
    CUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
    CUBLAS_GEMM_AUTOTUNE = 999
} cublasGemmAlgo_t;

/** Math mode: reduced precision for products of float. */
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1, /**< old: factors rounded to fp16 */
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3, /**< factors of float rounded to TF32 */
    CUBLAS_FP32_EMULATED_BF16X9_MATH = 4,
    CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH = 8,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;

typedef cudaDataType cublasDataType_t; /**< the older name */

/** The type in which a product is computed. */
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32I_PEDANTIC = 73,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
    CUBLAS_COMPUTE_32F_EMULATED_16BFX9 = 78,
    CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT = 79
} cublasComputeType_t;

struct cublasContext; /**< opaque */
typedef struct cublasContext *cublasHandle_t; /**< a handle */

/* --- handles -------------------------------------------------------------- */

/** Create a handle with the default stream of the current device. */
cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
/** Synchronize the device, then destroy the handle. */
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
/** CUBLAS_VERSION. */
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version);
/** A component of it. */
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);
/** CUDART_VERSION. */
size_t cublasGetCudartVersion(void);
/** Set a workspace in device memory; checked, not used. */
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace,
                                     size_t workspaceSizeInBytes);
/** Set the stream of later calls. */
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
/** Get the stream. */
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream);
/** Set the pointer mode. */
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle,
                                       cublasPointerMode_t mode);
/** Get the pointer mode. */
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle,
                                       cublasPointerMode_t *mode);
/** Stored, no effect. */
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle,
                                    cublasAtomicsMode_t mode);
/** Get it. */
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle,
                                    cublasAtomicsMode_t *mode);
/** Set the math mode. */
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
/** Get it. */
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
/** Stored, no effect. */
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int target);
/** Get it; 0 if it was not set. */
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int *target);
#include "softgpu/cublas_emulation.h"
/** "CUBLAS_STATUS_SUCCESS" and so on. */
const char *cublasGetStatusName(cublasStatus_t status);
/** Description of a status. */
const char *cublasGetStatusString(cublasStatus_t status);

/* --- copies between host and device ---------------------------------------
 * Strides and leading dimensions count elements and are above 0.            */

/** The calls, with sizes of type I. */
#define SOFTGPU_CUBLAS_COPIES(I, E)                                           \
    cublasStatus_t cublasSetVector##E(I n, I elemSize, const void *x, I incx, \
                                      void *devicePtr, I incy);               \
    cublasStatus_t cublasGetVector##E(I n, I elemSize, const void *x, I incx, \
                                      void *y, I incy);                       \
    cublasStatus_t cublasSetMatrix##E(I rows, I cols, I elemSize,             \
                                      const void *a, I lda, void *b, I ldb);  \
    cublasStatus_t cublasGetMatrix##E(I rows, I cols, I elemSize,             \
                                      const void *a, I lda, void *b, I ldb);  \
    cublasStatus_t cublasSetVectorAsync##E(I n, I elemSize, const void *x,    \
                                           I incx, void *y, I incy,           \
                                           cudaStream_t stream);              \
    cublasStatus_t cublasGetVectorAsync##E(I n, I elemSize, const void *x,    \
                                           I incx, void *y, I incy,           \
                                           cudaStream_t stream);              \
    cublasStatus_t cublasSetMatrixAsync##E(I rows, I cols, I elemSize,        \
                                           const void *a, I lda, void *b,     \
                                           I ldb, cudaStream_t stream);       \
    cublasStatus_t cublasGetMatrixAsync##E(I rows, I cols, I elemSize,        \
                                           const void *a, I lda, void *b,     \
                                           I ldb, cudaStream_t stream);
SOFTGPU_CUBLAS_COPIES(int, )
SOFTGPU_CUBLAS_COPIES(int64_t, _64)
#undef SOFTGPU_CUBLAS_COPIES

/* --- levels 1 to 3 ---------------------------------------------------------
 * For float, double, cuComplex and cuDoubleComplex.                         */
#include "softgpu/cublas_typed.h"
#include "softgpu/cublas_batched.h"
#include "softgpu/cublas_level1_ex.h"
#include "softgpu/cublas_lu.h"

/* --- products of other types -------------------------------------------------
 *   compute                 A and B    C                scalars
 *   16F                     16F        16F              16F
 *   32I                     8I         32I              32I
 *   32F                     16F        16F, 32F         32F
 *                           16BF       16BF, 32F        32F
 *                           8I, 32F    32F              32F
 *   32F_FAST_..., 32F_EMULATED_16BFX9
 *                           32F        32F              32F
 *   64F                     64F        64F              64F
 * Complex ones: C_32F and C_64F in the place of 32F and 64F.
 * int8: leading dimensions and addresses are multiples of 4.                 */

/** Complex products, and rank-k updates, of CUDA_C_32F. */
#define SOFTGPU_CUBLAS_COMPLEX_EX(f, I, E)                                    \
    cublasStatus_t cublasC##f##Ex##E(                                         \
        cublasHandle_t handle, cublasOperation_t transa,                      \
        cublasOperation_t transb, I m, I n, I k, const cuComplex *alpha,      \
        const void *a, cudaDataType Atype, I lda, const void *b,              \
        cudaDataType Btype, I ldb, const cuComplex *beta, void *c,            \
        cudaDataType Ctype, I ldc);
#define SOFTGPU_CUBLAS_RANK_K_EX(f, F, I, E)                                  \
    cublasStatus_t cublasC##f##Ex##E(                                         \
        cublasHandle_t handle, cublasFillMode_t uplo,                         \
        cublasOperation_t trans, I n, I k, const F *alpha, const void *a,     \
        cudaDataType Atype, I lda, const F *beta, void *c,                    \
        cudaDataType Ctype, I ldc);
/** The calls, with sizes of type I. */
#define SOFTGPU_CUBLAS_EX(I, E)                                               \
    cublasStatus_t cublasGemmEx##E(                                           \
        cublasHandle_t handle, cublasOperation_t transa,                      \
        cublasOperation_t transb, I m, I n, I k, const void *alpha,           \
        const void *a, cudaDataType Atype, I lda, const void *b,              \
        cudaDataType Btype, I ldb, const void *beta, void *c,                 \
        cudaDataType Ctype, I ldc, cublasComputeType_t computeType,           \
        cublasGemmAlgo_t algo);                                               \
    cublasStatus_t cublasGemmBatchedEx##E(                                    \
        cublasHandle_t handle, cublasOperation_t transa,                      \
        cublasOperation_t transb, I m, I n, I k, const void *alpha,           \
        const void *const a[], cudaDataType Atype, I lda,                     \
        const void *const b[], cudaDataType Btype, I ldb, const void *beta,   \
        void *const c[], cudaDataType Ctype, I ldc, I batchCount,             \
        cublasComputeType_t computeType, cublasGemmAlgo_t algo);              \
    cublasStatus_t cublasGemmStridedBatchedEx##E(                             \
        cublasHandle_t handle, cublasOperation_t transa,                      \
        cublasOperation_t transb, I m, I n, I k, const void *alpha,           \
        const void *a, cudaDataType Atype, I lda, long long int strideA,      \
        const void *b, cudaDataType Btype, I ldb, long long int strideB,      \
        const void *beta, void *c, cudaDataType Ctype, I ldc,                 \
        long long int strideC, I batchCount, cublasComputeType_t computeType, \
        cublasGemmAlgo_t algo);                                               \
    cublasStatus_t cublasSgemmEx##E(                                          \
        cublasHandle_t handle, cublasOperation_t transa,                      \
        cublasOperation_t transb, I m, I n, I k, const float *alpha,          \
        const void *a, cudaDataType Atype, I lda, const void *b,              \
        cudaDataType Btype, I ldb, const float *beta, void *c,                \
        cudaDataType Ctype, I ldc);                                           \
    SOFTGPU_CUBLAS_COMPLEX_EX(gemm, I, E)                                     \
    SOFTGPU_CUBLAS_COMPLEX_EX(gemm3m, I, E)                                   \
    SOFTGPU_CUBLAS_RANK_K_EX(syrk, cuComplex, I, E)                           \
    SOFTGPU_CUBLAS_RANK_K_EX(syrk3m, cuComplex, I, E)                         \
    SOFTGPU_CUBLAS_RANK_K_EX(herk, float, I, E)                               \
    SOFTGPU_CUBLAS_RANK_K_EX(herk3m, float, I, E)
SOFTGPU_CUBLAS_EX(int, )
SOFTGPU_CUBLAS_EX(int64_t, _64)
#undef SOFTGPU_CUBLAS_EX
#undef SOFTGPU_CUBLAS_COMPLEX_EX
#undef SOFTGPU_CUBLAS_RANK_K_EX

#ifdef __cplusplus
/** Products of fp16, computed as CUBLAS_COMPUTE_16F. */
#define SOFTGPU_CUBLAS_HALF(I, E)                                             \
    cublasStatus_t cublasHgemm##E(                                            \
        cublasHandle_t handle, cublasOperation_t transa,                      \
        cublasOperation_t transb, I m, I n, I k, const __half *alpha,         \
        const __half *a, I lda, const __half *b, I ldb, const __half *beta,   \
        __half *c, I ldc);                                                    \
    cublasStatus_t cublasHgemmBatched##E(                                     \
        cublasHandle_t handle, cublasOperation_t transa,                      \
        cublasOperation_t transb, I m, I n, I k, const __half *alpha,         \
        const __half *const a[], I lda, const __half *const b[], I ldb,       \
        const __half *beta, __half *const c[], I ldc, I batchCount);          \
    cublasStatus_t cublasHgemmStridedBatched##E(                              \
        cublasHandle_t handle, cublasOperation_t transa,                      \
        cublasOperation_t transb, I m, I n, I k, const __half *alpha,         \
        const __half *a, I lda, long long int strideA, const __half *b,       \
        I ldb, long long int strideB, const __half *beta, __half *c, I ldc,   \
        long long int strideC, I batchCount);
SOFTGPU_CUBLAS_HALF(int, )
SOFTGPU_CUBLAS_HALF(int64_t, _64)
#undef SOFTGPU_CUBLAS_HALF
}

#include "softgpu/cublas_migrate.h"
#endif

#include "softgpu/pop_macros.h"

#endif
