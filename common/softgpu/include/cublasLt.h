/* SPDX-License-Identifier: MIT */
/** @file
 *  cuBLASLt: cublasLtMatmul and its descriptors, by OpenBLAS.
 *
 *  D = epilogue(alpha op(A) op(B) + beta C) for the types that cublas_api.h
 *  lists for cublasGemmEx, with the same rounding; column-major or
 *  row-major (CUBLASLT_ORDER_COL, _ROW; C as D), strided batches, alpha and
 *  beta on host or device, and the epilogues default, bias, ReLU and both.
 *  There is one algorithm, which needs no workspace.
 */
#ifndef SOFTGPU_CUBLASLT_H
#define SOFTGPU_CUBLASLT_H

#include "cublas_api.h"
#include "softgpu/push_macros.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cublasLtContext; /**< opaque */
typedef struct cublasLtContext *cublasLtHandle_t; /**< a handle */

/** Type and shape of a matrix. */
typedef struct {
    uint64_t data[8]; /**< opaque */
} cublasLtMatrixLayoutOpaque_t;
typedef cublasLtMatrixLayoutOpaque_t *cublasLtMatrixLayout_t; /**< handle */

/** How a product is computed. */
typedef struct {
    uint64_t data[8]; /**< opaque */
} cublasLtMatmulAlgo_t;

/** A matrix product. */
typedef struct {
    uint64_t data[32]; /**< opaque */
} cublasLtMatmulDescOpaque_t;
typedef cublasLtMatmulDescOpaque_t *cublasLtMatmulDesc_t; /**< pointer to it */

/** Limits for algorithms. */
typedef struct {
    uint64_t data[8]; /**< opaque */
} cublasLtMatmulPreferenceOpaque_t;
typedef cublasLtMatmulPreferenceOpaque_t
    *cublasLtMatmulPreference_t; /**< pointer to it */

/** Memory of alpha and beta. */
typedef enum {
    CUBLASLT_POINTER_MODE_HOST = CUBLAS_POINTER_MODE_HOST,
    CUBLASLT_POINTER_MODE_DEVICE = CUBLAS_POINTER_MODE_DEVICE,
    CUBLASLT_POINTER_MODE_DEVICE_VECTOR = 2,
    CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO = 3,
    CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4
} cublasLtPointerMode_t;

/** Order of elements. */
typedef enum {
    CUBLASLT_ORDER_COL = 0,
    CUBLASLT_ORDER_ROW = 1,
    CUBLASLT_ORDER_COL32 = 2,
    CUBLASLT_ORDER_COL4_4R2_8C = 3,
    CUBLASLT_ORDER_COL32_2R_4R4 = 4
} cublasLtOrder_t;

/** Attributes of a layout, with their types. */
typedef enum {
    CUBLASLT_MATRIX_LAYOUT_TYPE = 0,  /**< uint32_t */
    CUBLASLT_MATRIX_LAYOUT_ORDER = 1, /**< int32_t, default columns */
    CUBLASLT_MATRIX_LAYOUT_ROWS = 2,  /**< uint64_t */
    CUBLASLT_MATRIX_LAYOUT_COLS = 3,  /**< uint64_t */
    CUBLASLT_MATRIX_LAYOUT_LD = 4,    /**< int64_t */
    CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,          /**< int32_t, 1 */
    CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6, /**< int64_t, 0 */
    CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET = 7,
    CUBLASLT_MATRIX_LAYOUT_BATCH_MODE = 8
} cublasLtMatrixLayoutAttribute_t;

/** Attributes of a product, with their types. */
typedef enum {
    CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0, /**< int32_t */
    CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,   /**< int32_t */
    CUBLASLT_MATMUL_DESC_POINTER_MODE = 2, /**< int32_t, host */
    CUBLASLT_MATMUL_DESC_TRANSA = 3,       /**< int32_t, CUBLAS_OP_N */
    CUBLASLT_MATMUL_DESC_TRANSB = 4,       /**< int32_t, CUBLAS_OP_N */
    CUBLASLT_MATMUL_DESC_TRANSC = 5,       /**< only CUBLAS_OP_N */
    CUBLASLT_MATMUL_DESC_FILL_MODE = 6,    /**< only full */
    CUBLASLT_MATMUL_DESC_EPILOGUE = 7,     /**< uint32_t */
    CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8, /**< device, one for each row of D */
    CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10, /**< int64_t, 0 */
    /** Device: GELU_AUX stores here what DGELU loads, in D's type and order. */
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,           /**< int64_t */
    CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13, /**< int64_t, 0 */
    CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26     /**< int32_t, D's */
} cublasLtMatmulDescAttributes_t;

/** Epilogue of the product: first the bias, then ReLU or GELU (by tanh).  With
 *  AUX the input of GELU is stored; DGELU multiplies by GELU's derivative. */
typedef enum {
    CUBLASLT_EPILOGUE_DEFAULT = 1,
    CUBLASLT_EPILOGUE_RELU = 2,
    CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_EPILOGUE_RELU_BIAS = 6,
    CUBLASLT_EPILOGUE_GELU = 32,
    CUBLASLT_EPILOGUE_GELU_BIAS = 36,
    CUBLASLT_EPILOGUE_RELU_AUX = 130, /**< not supported */
    CUBLASLT_EPILOGUE_RELU_AUX_BIAS = 134, /**< not supported */
    CUBLASLT_EPILOGUE_DRELU = 136, /**< not supported */
    CUBLASLT_EPILOGUE_DRELU_BGRAD = 152, /**< not supported */
    CUBLASLT_EPILOGUE_GELU_AUX = 160,
    CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
    CUBLASLT_EPILOGUE_DGELU = 192,
    CUBLASLT_EPILOGUE_DGELU_BGRAD = 208, /**< not supported */
    CUBLASLT_EPILOGUE_BGRADA = 256, /**< not supported */
    CUBLASLT_EPILOGUE_BGRADB = 512 /**< not supported */
} cublasLtEpilogue_t;

/** Attributes of a preference: stored. */
typedef enum {
    CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,         /**< uint32_t */
    CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1, /**< uint64_t */
    CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
    CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,
    CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT = 9,
    CUBLASLT_MATMUL_PREF_IMPL_MASK = 12
} cublasLtMatmulPreferenceAttributes_t;

/** An algorithm that was found. */
typedef struct {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize; /**< bytes it needs: 0 */
    cublasStatus_t state; /**< status of the algorithm */
    float wavesCount;     /**< 1 */
    int reserved[4];      /**< 0 */
} cublasLtMatmulHeuristicResult_t;

/** Create a handle. */
cublasStatus_t cublasLtCreate(cublasLtHandle_t *lightHandle);
/** Destroy it. */
cublasStatus_t cublasLtDestroy(cublasLtHandle_t lightHandle);
/** As cublasGetStatusName. */
const char *cublasLtGetStatusName(cublasStatus_t status);
/** As cublasGetStatusString. */
const char *cublasLtGetStatusString(cublasStatus_t status);
/** CUBLAS_VERSION. */
size_t cublasLtGetVersion(void);
/** CUDART_VERSION. */
size_t cublasLtGetCudartVersion(void);

/** Create a layout of rows x cols elements, column-major. */
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *matLayout,
                                          cudaDataType type, uint64_t rows,
                                          uint64_t cols, int64_t ld);
/** The same in memory of the caller: see cublasLtMatrixLayoutInit. */
cublasStatus_t cublasLtMatrixLayoutInit_internal(
    cublasLtMatrixLayout_t matLayout, size_t size, cudaDataType type,
    uint64_t rows, uint64_t cols, int64_t ld);
/** Destroy it. */
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t matLayout);
/** Set an attribute. */
cublasStatus_t cublasLtMatrixLayoutSetAttribute(
    cublasLtMatrixLayout_t matLayout, cublasLtMatrixLayoutAttribute_t attr,
    const void *buf, size_t sizeInBytes);
/** Get an attribute. */
cublasStatus_t cublasLtMatrixLayoutGetAttribute(
    cublasLtMatrixLayout_t matLayout, cublasLtMatrixLayoutAttribute_t attr,
    void *buf, size_t sizeInBytes, size_t *sizeWritten);

/** Create a descriptor of a product. */
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *matmulDesc,
                                        cublasComputeType_t computeType,
                                        cudaDataType scaleType);
/** The same in memory of the caller: see cublasLtMatmulDescInit. */
cublasStatus_t cublasLtMatmulDescInit_internal(
    cublasLtMatmulDesc_t matmulDesc, size_t size,
    cublasComputeType_t computeType, cudaDataType scaleType);
/** Destroy it. */
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t matmulDesc);
/** Set an attribute. */
cublasStatus_t cublasLtMatmulDescSetAttribute(
    cublasLtMatmulDesc_t matmulDesc, cublasLtMatmulDescAttributes_t attr,
    const void *buf, size_t sizeInBytes);
/** Get an attribute. */
cublasStatus_t cublasLtMatmulDescGetAttribute(
    cublasLtMatmulDesc_t matmulDesc, cublasLtMatmulDescAttributes_t attr,
    void *buf, size_t sizeInBytes, size_t *sizeWritten);

/** Create preferences with default values. */
cublasStatus_t
cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *pref);
/** The same in memory of the caller: see cublasLtMatmulPreferenceInit. */
cublasStatus_t
cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t pref,
                                      size_t size);
/** Destroy them. */
cublasStatus_t
cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t pref);
/** Set an attribute. */
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(
    cublasLtMatmulPreference_t pref, cublasLtMatmulPreferenceAttributes_t attr,
    const void *buf, size_t sizeInBytes);
/** Get an attribute. */
cublasStatus_t cublasLtMatmulPreferenceGetAttribute(
    cublasLtMatmulPreference_t pref, cublasLtMatmulPreferenceAttributes_t attr,
    void *buf, size_t sizeInBytes, size_t *sizeWritten);

/** Find algorithms: one, or none and CUBLAS_STATUS_NOT_SUPPORTED. */
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t operationDesc,
    cublasLtMatrixLayout_t Adesc, cublasLtMatrixLayout_t Bdesc,
    cublasLtMatrixLayout_t Cdesc, cublasLtMatrixLayout_t Ddesc,
    cublasLtMatmulPreference_t preference, int requestedAlgoCount,
    cublasLtMatmulHeuristicResult_t heuristicResultsArray[],
    int *returnAlgoCount);

/** Enqueue a product; algo can be NULL, C can be D. */
cublasStatus_t cublasLtMatmul(
    cublasLtHandle_t lightHandle, cublasLtMatmulDesc_t computeDesc,
    const void *alpha, const void *a, cublasLtMatrixLayout_t Adesc,
    const void *b, cublasLtMatrixLayout_t Bdesc, const void *beta,
    const void *c, cublasLtMatrixLayout_t Cdesc, void *d,
    cublasLtMatrixLayout_t Ddesc, const cublasLtMatmulAlgo_t *algo,
    void *workspace, size_t workspaceSizeInBytes, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

/** Initialize a layout in memory of the caller. */
static inline cublasStatus_t
cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t matLayout, cudaDataType type,
                         uint64_t rows, uint64_t cols, int64_t ld)
{
    return cublasLtMatrixLayoutInit_internal(matLayout, sizeof *matLayout,
                                             type, rows, cols, ld);
}

/** Initialize a descriptor of a product in memory of the caller. */
static inline cublasStatus_t
cublasLtMatmulDescInit(cublasLtMatmulDesc_t matmulDesc,
                       cublasComputeType_t computeType,
                       cudaDataType scaleType)
{
    return cublasLtMatmulDescInit_internal(matmulDesc, sizeof *matmulDesc,
                                           computeType, scaleType);
}

/** Initialize preferences in memory of the caller. */
static inline cublasStatus_t
cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t pref)
{
    return cublasLtMatmulPreferenceInit_internal(pref, sizeof *pref);
}

#include "softgpu/pop_macros.h"

#endif
