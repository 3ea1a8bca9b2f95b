/* SPDX-License-Identifier: MIT */
/* Handles and descriptors. */
#include <stdlib.h>

#include "sparse.h"

/* --- handles -------------------------------------------------------------- */

/* Make a copy of a descriptor. */
#define NEW(to, ...)                                             \
    do {                                                         \
        SPARSE_REQUIRE_VALUE(to);                                \
        *(to) = malloc(sizeof **(to));                           \
        SPARSE_REQUIRE(*(to), CUSPARSE_STATUS_ALLOC_FAILED);     \
        **(to) = (__typeof__(**(to)))__VA_ARGS__;                \
        return CUSPARSE_STATUS_SUCCESS;                          \
    } while (0)
/* Free one; queued commands have copies of it. */
#define DELETE(descriptor)                \
    do {                                  \
        SPARSE_REQUIRE_VALUE(descriptor); \
        free((void *)(descriptor));       \
        return CUSPARSE_STATUS_SUCCESS;   \
    } while (0)
/* Set a member. */
#define SET(descriptor, member, value)    \
    do {                                  \
        SPARSE_REQUIRE_VALUE(descriptor); \
        (descriptor)->member = (value);   \
        return CUSPARSE_STATUS_SUCCESS;   \
    } while (0)

/* Make a handle, whose stream is the default one and whose scalars are in
 * host memory. */
cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
    SPARSE_REQUIRE(cudaFree(NULL) == cudaSuccess,
                   CUSPARSE_STATUS_NOT_INITIALIZED);
    NEW(handle, {0});
}

/* Wait for the device, then free the handle. */
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle)
{
    SPARSE_REQUIRE_HANDLE(handle);
    cudaDeviceSynchronize();
    DELETE(handle);
}

/* The version of cuSPARSE whose interface this is. */
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
{
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(version);
    *version = CUSPARSE_VERSION;
    return CUSPARSE_STATUS_SUCCESS;
}

/* Both texts of a status. */
static const char *text_of(cusparseStatus_t status, int which)
{
    static const char *const texts[][2] = {
        {"CUSPARSE_STATUS_SUCCESS", "success"},
        {"CUSPARSE_STATUS_NOT_INITIALIZED", "initialization error"},
        {"CUSPARSE_STATUS_ALLOC_FAILED", "resource allocation failed"},
        {"CUSPARSE_STATUS_INVALID_VALUE", "invalid value"},
        {"CUSPARSE_STATUS_ARCH_MISMATCH", "architecture not supported"},
        {"CUSPARSE_STATUS_MAPPING_ERROR", "mapping error"},
        {"CUSPARSE_STATUS_EXECUTION_FAILED", "execution failed"},
        {"CUSPARSE_STATUS_INTERNAL_ERROR", "internal error"},
        {"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
         "matrix type not supported"},
        {"CUSPARSE_STATUS_ZERO_PIVOT", "zero pivot"},
        {"CUSPARSE_STATUS_NOT_SUPPORTED", "operation not supported"},
        {"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "insufficient resources"},
    };

    return (unsigned)status < sizeof texts / sizeof *texts
               ? texts[status][which] : "unknown";
}

/* The name of a status; "unknown" for a number that is none. */
const char *cusparseGetErrorName(cusparseStatus_t status)
{
    return text_of(status, 0);
}

/* The words of a status. */
const char *cusparseGetErrorString(cusparseStatus_t status)
{
    return text_of(status, 1);
}

/* The stream of the calls that follow; NULL is the default stream. */
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle,
                                   cudaStream_t stream)
{
    SPARSE_REQUIRE_HANDLE(handle);
    SET(handle, stream, stream);
}

/* The stream that was set, or NULL. */
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle,
                                   cudaStream_t *stream)
{
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(stream);
    *stream = handle->stream;
    return CUSPARSE_STATUS_SUCCESS;
}

/* Whether alpha and beta are in host or in device memory. */
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle,
                                        cusparsePointerMode_t mode)
{
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE((unsigned)mode <= CUSPARSE_POINTER_MODE_DEVICE);
    SET(handle, mode, mode);
}

/* The mode that was set. */
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle,
                                        cusparsePointerMode_t *mode)
{
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(mode);
    *mode = handle->mode;
    return CUSPARSE_STATUS_SUCCESS;
}

/* --- settings of a matrix ------------------------------------------------- */

/* A descriptor of a general matrix whose indices begin at 0. */
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *matrix)
{
    NEW(matrix, {0});
}

/* Free one; NULL is CUSPARSE_STATUS_INVALID_VALUE. */
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t matrix)
{
    DELETE(matrix);
}

/* General, symmetric, Hermitian or triangular. */
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t matrix,
                                    cusparseMatrixType_t type)
{
    SPARSE_REQUIRE_VALUE((unsigned)type <= CUSPARSE_MATRIX_TYPE_TRIANGULAR);
    SET(matrix, type, type);
}

/* Which triangle is stored. */
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t matrix,
                                        cusparseFillMode_t mode)
{
    SET(matrix, fill, mode);
}

/* Whether the diagonal is taken as 1. */
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t matrix,
                                        cusparseDiagType_t type)
{
    SET(matrix, diagonal, type);
}

/* Whether indices begin at 0 or at 1. */
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t matrix,
                                         cusparseIndexBase_t base)
{
    SPARSE_REQUIRE_VALUE((unsigned)base <= CUSPARSE_INDEX_BASE_ONE);
    SET(matrix, base, base);
}

/* The type; general for NULL. */
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t matrix)
{
    return matrix ? matrix->type : CUSPARSE_MATRIX_TYPE_GENERAL;
}

/* The index base; 0 for NULL. */
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t matrix)
{
    return matrix ? matrix->base : CUSPARSE_INDEX_BASE_ZERO;
}

/* --- sparse matrices ------------------------------------------------------ */

/* Check a descriptor and make a copy of it.  Indices of 16 bits, and other
 * types of values than sparse_bytes() knows, are
 * CUSPARSE_STATUS_NOT_SUPPORTED. */
static cusparseStatus_t new_matrix(cusparseSpMatDescr_t *to,
                                   struct cusparseSpMatDescr a)
{
    SPARSE_REQUIRE_VALUE(a.rows >= 0 && a.cols >= 0 && a.nnz >= 0
                         && (unsigned)a.base <= CUSPARSE_INDEX_BASE_ONE
                         && (unsigned)a.first_type <= CUSPARSE_INDEX_64I
                         && (unsigned)a.second_type <= CUSPARSE_INDEX_64I);
    SPARSE_REQUIRE_SUPPORTED(sparse_bytes(a.type), SPARSE_TYPES);
    SPARSE_REQUIRE_SUPPORTED(a.first_type >= CUSPARSE_INDEX_32I
                                 && a.second_type >= CUSPARSE_INDEX_32I,
                             "indices of 16 bits");
    SPARSE_REQUIRE_VALUE(to);
    *to = malloc(sizeof **to);
    SPARSE_REQUIRE(*to, CUSPARSE_STATUS_ALLOC_FAILED);
    **to = a;
    return CUSPARSE_STATUS_SUCCESS;
}

/* Rows by offsets, with a column index for each value. */
cusparseStatus_t cusparseCreateCsr(
    cusparseSpMatDescr_t *matrix, int64_t rows, int64_t cols, int64_t nnz,
    void *offsets, void *columns, void *values,
    cusparseIndexType_t offsets_type, cusparseIndexType_t columns_type,
    cusparseIndexBase_t base, cudaDataType type)
{
    SOFTGPU_LIBRARY_CALL();
    return new_matrix(matrix, (struct cusparseSpMatDescr){
                                  CUSPARSE_FORMAT_CSR, rows, cols, nnz,
                                  offsets, columns, values, offsets_type,
                                  columns_type, base, type, false, false});
}

/* Columns by offsets, with a row index for each value. */
cusparseStatus_t cusparseCreateCsc(
    cusparseSpMatDescr_t *matrix, int64_t rows, int64_t cols, int64_t nnz,
    void *offsets, void *row_indices, void *values,
    cusparseIndexType_t offsets_type, cusparseIndexType_t rows_type,
    cusparseIndexBase_t base, cudaDataType type)
{
    SOFTGPU_LIBRARY_CALL();
    return new_matrix(matrix, (struct cusparseSpMatDescr){
                                  CUSPARSE_FORMAT_CSC, rows, cols, nnz,
                                  offsets, row_indices, values, offsets_type,
                                  rows_type, base, type, false, false});
}

/* A row index and a column index for each value. */
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows,
                                   int64_t cols, int64_t nnz,
                                   void *row_indices, void *columns,
                                   void *values, cusparseIndexType_t type_of,
                                   cusparseIndexBase_t base,
                                   cudaDataType type)
{
    SOFTGPU_LIBRARY_CALL();
    return new_matrix(matrix, (struct cusparseSpMatDescr){
                                  CUSPARSE_FORMAT_COO, rows, cols, nnz,
                                  row_indices, columns, values, type_of,
                                  type_of, base, type, false, false});
}

/* Free the descriptor; the arrays are the caller's. */
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix)
{
    DELETE(matrix);
}

/* Rows, columns and number of values; no argument may be NULL. */
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix,
                                      int64_t *rows, int64_t *cols,
                                      int64_t *nnz)
{
    SPARSE_REQUIRE_VALUE(matrix && rows && cols && nnz);
    *rows = matrix->rows;
    *cols = matrix->cols;
    *nnz = matrix->nnz;
    return CUSPARSE_STATUS_SUCCESS;
}

/* Fill mode and diagonal type, which SpSV uses: an enumerator of as many
 * bytes as an int. */
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute,
                                           void *data, size_t bytes)
{
    SPARSE_REQUIRE_VALUE(matrix && data && bytes == sizeof(int)
                         && (unsigned)attribute <= CUSPARSE_SPMAT_DIAG_TYPE);
    const bool set = *(const int *)data != 0;
    if (attribute == CUSPARSE_SPMAT_FILL_MODE)
        matrix->upper = set;
    else
        matrix->unit = set;
    return CUSPARSE_STATUS_SUCCESS;
}

/* Set the arrays of a matrix of a format. */
static cusparseStatus_t set_arrays(cusparseSpMatDescr_t matrix,
                                   cusparseFormat_t format, void *first,
                                   void *second, void *values)
{
    SPARSE_REQUIRE_VALUE(matrix && matrix->format == format);
    matrix->first = first;
    matrix->second = second;
    matrix->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}

/* Set the arrays; CUSPARSE_STATUS_INVALID_VALUE for another format. */
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix,
                                        void *offsets, void *columns,
                                        void *values)
{
    return set_arrays(matrix, CUSPARSE_FORMAT_CSR, offsets, columns, values);
}

/* The same of CSC. */
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix,
                                        void *offsets, void *row_indices,
                                        void *values)
{
    return set_arrays(matrix, CUSPARSE_FORMAT_CSC, offsets, row_indices,
                      values);
}

/* The same of COO. */
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix,
                                        void *row_indices, void *columns,
                                        void *values)
{
    return set_arrays(matrix, CUSPARSE_FORMAT_COO, row_indices, columns,
                      values);
}

/* Set the array of values alone. */
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix,
                                        void *values)
{
    SET(matrix, values, values);
}

/* --- dense ones ----------------------------------------------------------- */

/* A vector in contiguous device memory. */
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector,
                                     int64_t size, void *values,
                                     cudaDataType type)
{
    SOFTGPU_LIBRARY_CALL();
    SPARSE_REQUIRE_VALUE(size >= 0);
    SPARSE_REQUIRE_SUPPORTED(sparse_bytes(type), SPARSE_TYPES);
    NEW(vector, {size, values, type});
}

/* Free the descriptor; the values are the caller's. */
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector)
{
    DELETE(vector);
}

/* Set the array of values. */
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector,
                                        void *values)
{
    SET(vector, values, values);
}

/* A matrix whose rows or columns are ld elements apart; a smaller ld than
 * their length is CUSPARSE_STATUS_INVALID_VALUE. */
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix,
                                     int64_t rows, int64_t cols, int64_t ld,
                                     void *values, cudaDataType type,
                                     cusparseOrder_t order)
{
    SOFTGPU_LIBRARY_CALL();
    SPARSE_REQUIRE_VALUE(rows >= 0 && cols >= 0
                         && (order == CUSPARSE_ORDER_ROW
                             || order == CUSPARSE_ORDER_COL)
                         && ld >= (order == CUSPARSE_ORDER_ROW ? cols : rows));
    SPARSE_REQUIRE_SUPPORTED(sparse_bytes(type), SPARSE_TYPES);
    NEW(matrix, {rows, cols, ld, values, type, order});
}

/* Free the descriptor; the values are the caller's. */
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix)
{
    DELETE(matrix);
}
