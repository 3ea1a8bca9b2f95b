/* SPDX-License-Identifier: MIT */
/** @file
 *  cuSPARSE's generic interface: CSR, CSC and COO matrices, dense vectors and
 *  matrices, products, triangular solutions and conversions; incomplete LU;
 *  products of two sparse matrices.
 *
 *  Values are float or double, real or complex; sums are in double and rounded
 *  once.  No call needs a buffer: sizes are 0, but for SpGEMM.  Every call
 *  returns a cusparseStatus_t: CUSPARSE_STATUS_NOT_INITIALIZED without a handle,
 *  CUSPARSE_STATUS_INVALID_VALUE for a null pointer or sizes that do not match,
 *  CUSPARSE_STATUS_NOT_SUPPORTED for a type or format that is not there.
 */
#ifndef SOFTGPU_CUSPARSE_H
#define SOFTGPU_CUSPARSE_H
#define CUSPARSE_H_ /* programs ask for it */

#include "softgpu/push_macros.h"
#include <stddef.h>
#include <stdint.h>

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUSPARSE_VER_MAJOR 12   /**< version of the interface */
#define CUSPARSE_VER_MINOR 5    /**< likewise */
#define CUSPARSE_VER_PATCH 0    /**< likewise */
#define CUSPARSE_VERSION 12500  /**< the three in one number */
#define CUSPARSEAPI             /**< programs ask for it */

/** Status of a call. */
typedef enum {
    CUSPARSE_STATUS_SUCCESS = 0,
    CUSPARSE_STATUS_NOT_INITIALIZED = 1,
    CUSPARSE_STATUS_ALLOC_FAILED = 2,
    CUSPARSE_STATUS_INVALID_VALUE = 3,
    CUSPARSE_STATUS_ARCH_MISMATCH = 4,
    CUSPARSE_STATUS_MAPPING_ERROR = 5,
    CUSPARSE_STATUS_EXECUTION_FAILED = 6,
    CUSPARSE_STATUS_INTERNAL_ERROR = 7,
    CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
    CUSPARSE_STATUS_ZERO_PIVOT = 9,
    CUSPARSE_STATUS_NOT_SUPPORTED = 10,
    CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;

/** Where scalars are. */
typedef enum {
    CUSPARSE_POINTER_MODE_HOST = 0,
    CUSPARSE_POINTER_MODE_DEVICE = 1
} cusparsePointerMode_t;
/** Kind of a matrix. */
typedef enum {
    CUSPARSE_MATRIX_TYPE_GENERAL = 0,
    CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
    CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
    CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cusparseMatrixType_t;
/** Which triangle of a matrix is used. */
typedef enum {
    CUSPARSE_FILL_MODE_LOWER = 0,
    CUSPARSE_FILL_MODE_UPPER = 1
} cusparseFillMode_t;
/** Is the diagonal 1? */
typedef enum {
    CUSPARSE_DIAG_TYPE_NON_UNIT = 0,
    CUSPARSE_DIAG_TYPE_UNIT = 1
} cusparseDiagType_t;
/** Number of the first row and column. */
typedef enum {
    CUSPARSE_INDEX_BASE_ZERO = 0,
    CUSPARSE_INDEX_BASE_ONE = 1
} cusparseIndexBase_t;
/** The operation applied to a matrix first. */
typedef enum {
    CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
    CUSPARSE_OPERATION_TRANSPOSE = 1,
    CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;
/** How a factorization is scheduled on a card. */
typedef enum {
    CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0,
    CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1
} cusparseSolvePolicy_t;
/** Format of a sparse matrix. */
typedef enum {
    CUSPARSE_FORMAT_CSR = 1,
    CUSPARSE_FORMAT_CSC = 2,
    CUSPARSE_FORMAT_COO = 3
} cusparseFormat_t;
/** Order of a dense matrix. */
typedef enum {
    CUSPARSE_ORDER_COL = 1,
    CUSPARSE_ORDER_ROW = 2
} cusparseOrder_t;
/** Type of indices. */
typedef enum {
    CUSPARSE_INDEX_16U = 1,
    CUSPARSE_INDEX_32I = 2,
    CUSPARSE_INDEX_64I = 3
} cusparseIndexType_t;
/** Attributes for cusparseSpMatSetAttribute(). */
typedef enum {
    CUSPARSE_SPMAT_FILL_MODE = 0,
    CUSPARSE_SPMAT_DIAG_TYPE = 1
} cusparseSpMatAttribute_t;
/** Algorithms of SpMV; all give the same bits here. */
typedef enum {
    CUSPARSE_SPMV_ALG_DEFAULT = 0,
    CUSPARSE_SPMV_COO_ALG1 = 1,
    CUSPARSE_SPMV_CSR_ALG1 = 2,
    CUSPARSE_SPMV_CSR_ALG2 = 3,
    CUSPARSE_SPMV_COO_ALG2 = 4
} cusparseSpMVAlg_t;
/** Algorithms of SpMM; likewise. */
typedef enum {
    CUSPARSE_SPMM_ALG_DEFAULT = 0,
    CUSPARSE_SPMM_COO_ALG1 = 1,
    CUSPARSE_SPMM_COO_ALG2 = 2,
    CUSPARSE_SPMM_COO_ALG3 = 3,
    CUSPARSE_SPMM_CSR_ALG1 = 4,
    CUSPARSE_SPMM_COO_ALG4 = 5,
    CUSPARSE_SPMM_CSR_ALG2 = 6,
    CUSPARSE_SPMM_CSR_ALG3 = 12
} cusparseSpMMAlg_t;
/** Algorithm of SpSV. */
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
/** Algorithm of SpSM. */
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;
/** Algorithm of SDDMM. */
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;
/** Algorithm of a conversion. */
typedef enum {
    CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0
} cusparseSparseToDenseAlg_t;
/** Algorithm of a conversion. */
typedef enum {
    CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0
} cusparseDenseToSparseAlg_t;

typedef struct cusparseContext *cusparseHandle_t;         /**< a handle */
typedef struct cusparseMatDescr *cusparseMatDescr_t;      /**< of a matrix */
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;  /**< sparse */
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;  /**< dense */
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;  /**< a vector */
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;    /**< a solution */
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;    /**< likewise */
typedef struct csrilu02Info *csrilu02Info_t; /**< a factorization */
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t; /**< as
    above */
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t; /**< as
    above */
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t; /**< as
    above */

/* --- handles -------------------------------------------------------------- */

/** Create a handle. */
cusparseStatus_t cusparseCreate(cusparseHandle_t *handle);
/** Destroy it when the device has finished its work. */
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
/** Version of the interface: CUSPARSE_VERSION. */
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version);
/** Name of a status. */
const char *cusparseGetErrorName(cusparseStatus_t status);
/** Text of a status. */
const char *cusparseGetErrorString(cusparseStatus_t status);
/** Set the stream. */
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle,
                                   cudaStream_t stream);
/** The stream. */
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle,
                                   cudaStream_t *stream);
/** Set where scalars are. */
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle,
                                        cusparsePointerMode_t mode);
/** Where scalars are. */
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle,
                                        cusparsePointerMode_t *mode);

/* --- descriptors: arrays are in device memory and are not copied ---------- */

/** Describe a matrix for the calls that take its arrays. */
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *matrix);
/** Destroy it. */
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t matrix);
/** Set its kind. */
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t matrix,
                                    cusparseMatrixType_t type);
/** Set its triangle. */
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t matrix,
                                        cusparseFillMode_t mode);
/** Set its diagonal. */
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t matrix,
                                        cusparseDiagType_t type);
/** Set the number of its first row and column. */
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t matrix,
                                         cusparseIndexBase_t base);
/** Its kind. */
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t matrix);
/** The number of its first row and column. */
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t matrix);
/** Describe a matrix by rows.
 *  @param offsets  rows + 1: where each row begins
 *  @param columns  nnz: the column of each value */
cusparseStatus_t cusparseCreateCsr(
    cusparseSpMatDescr_t *matrix, int64_t rows, int64_t cols, int64_t nnz,
    void *offsets, void *columns, void *values,
    cusparseIndexType_t offsets_type, cusparseIndexType_t columns_type,
    cusparseIndexBase_t base, cudaDataType type);
/** The same by columns. */
cusparseStatus_t cusparseCreateCsc(
    cusparseSpMatDescr_t *matrix, int64_t rows, int64_t cols, int64_t nnz,
    void *offsets, void *row_indices, void *values,
    cusparseIndexType_t offsets_type, cusparseIndexType_t rows_type,
    cusparseIndexBase_t base, cudaDataType type);
/** The same by row and column of each value. */
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows,
                                   int64_t cols, int64_t nnz,
                                   void *row_indices, void *columns,
                                   void *values, cusparseIndexType_t type_of,
                                   cusparseIndexBase_t base,
                                   cudaDataType type);
/** Destroy a descriptor of a sparse matrix. */
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix);
/** Shape and number of values. */
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix,
                                      int64_t *rows, int64_t *cols,
                                      int64_t *nnz);
/** Set the triangle or the diagonal that a solution uses. */
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute,
                                           void *data, size_t bytes);
/** Set the arrays. */
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix,
                                        void *offsets, void *columns,
                                        void *values);
/** Likewise. */
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix,
                                        void *offsets, void *row_indices,
                                        void *values);
/** Likewise. */
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix,
                                        void *row_indices, void *columns,
                                        void *values);
/** Set the values. */
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix,
                                        void *values);
/** Describe a vector. */
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector,
                                     int64_t size, void *values,
                                     cudaDataType type);
/** Destroy its descriptor. */
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector);
/** Set its values. */
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector,
                                        void *values);
/** Describe a dense matrix. */
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix,
                                     int64_t rows, int64_t cols, int64_t ld,
                                     void *values, cudaDataType type,
                                     cusparseOrder_t order);
/** Destroy its descriptor. */
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix);

/* --- products ------------------------------------------------------------- */

/** Bytes of the buffer of cusparseSpMV(): 0. */
cusparseStatus_t cusparseSpMV_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
    const void *beta, cusparseDnVecDescr_t y, cudaDataType compute_type,
    cusparseSpMVAlg_t algorithm, size_t *bytes);
/** y = alpha op(A) x + beta y; with beta 0, y is not read. */
cusparseStatus_t cusparseSpMV(
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
    const void *beta, cusparseDnVecDescr_t y, cudaDataType compute_type,
    cusparseSpMVAlg_t algorithm, void *buffer);
/** Prepare cusparseSpMV(); no effect. */
cusparseStatus_t cusparseSpMV_preprocess(
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
    const void *beta, cusparseDnVecDescr_t y, cudaDataType compute_type,
    cusparseSpMVAlg_t algorithm, void *buffer);
/** Bytes of the buffer of cusparseSpMM(): 0. */
cusparseStatus_t cusparseSpMM_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstDnMatDescr_t b, const void *beta, cusparseDnMatDescr_t c,
    cudaDataType compute_type, cusparseSpMMAlg_t algorithm, size_t *bytes);
/** C = alpha op(A) op(B) + beta C. */
cusparseStatus_t cusparseSpMM(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstDnMatDescr_t b, const void *beta, cusparseDnMatDescr_t c,
    cudaDataType compute_type, cusparseSpMMAlg_t algorithm, void *buffer);

/* --- solutions ------------------------------------------------------------ */

/** Make a descriptor of a solution. */
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *solution);
/** Destroy it. */
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t solution);
/** Bytes of the buffer: 0. */
cusparseStatus_t cusparseSpSV_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
    cusparseDnVecDescr_t y, cudaDataType compute_type,
    cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t solution, size_t *bytes);
/** Prepare cusparseSpSV_solve(), which must follow; reads nothing here. */
cusparseStatus_t cusparseSpSV_analysis(
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
    cusparseDnVecDescr_t y, cudaDataType compute_type,
    cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t solution, void *buffer);
/** Solve op(A) y = alpha x for the triangle of A that its attributes name. */
cusparseStatus_t cusparseSpSV_solve(
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
    cusparseDnVecDescr_t y, cudaDataType compute_type,
    cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t solution);
/** Make a description of an incomplete LU factorization. */
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info);
/** Destroy it. */
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
/** Bytes of the buffer: 0. */
cusparseStatus_t cusparseScsrilu02_bufferSize(
    cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t matrix,
    float *values, const int *offsets, const int *columns,
    csrilu02Info_t info, int *bytes);
/** Prepare the factorization; reads nothing here. */
cusparseStatus_t cusparseScsrilu02_analysis(
    cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t matrix,
    const float *values, const int *offsets, const int *columns,
    csrilu02Info_t info, cusparseSolvePolicy_t policy, void *buffer);
/** Replace the values of a CSR matrix, whose columns ascend in each row, by its
 *  incomplete factors L and U without fill-in. */
cusparseStatus_t cusparseScsrilu02(
    cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t matrix,
    float *values, const int *offsets, const int *columns,
    csrilu02Info_t info, cusparseSolvePolicy_t policy, void *buffer);
/** In double. */
cusparseStatus_t cusparseDcsrilu02_bufferSize(
    cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t matrix,
    double *values, const int *offsets, const int *columns,
    csrilu02Info_t info, int *bytes);
/** Likewise. */
cusparseStatus_t cusparseDcsrilu02_analysis(
    cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t matrix,
    const double *values, const int *offsets, const int *columns,
    csrilu02Info_t info, cusparseSolvePolicy_t policy, void *buffer);
/** Likewise. */
cusparseStatus_t cusparseDcsrilu02(
    cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t matrix,
    double *values, const int *offsets, const int *columns,
    csrilu02Info_t info, cusparseSolvePolicy_t policy, void *buffer);

#include "softgpu/cusparse_conversions.h"
#include "softgpu/cusparse_matrices.h"
#include "softgpu/cusparse_sort.h"
#include "softgpu/cusparse_spgemm.h"

#ifdef __cplusplus
}
#endif

#include "softgpu/pop_macros.h"

#endif
