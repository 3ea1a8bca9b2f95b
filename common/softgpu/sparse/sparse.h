/* SPDX-License-Identifier: MIT */
/** @file
 *  Shared by all calls of cuSPARSE: handles, descriptors, numbers, submission.
 *  A call copies the descriptors that it is given, and becomes a command of the
 *  handle's stream (host/library.h). */
#ifndef SOFTGPU_SPARSE_H
#define SOFTGPU_SPARSE_H

#include <stdbool.h>

#include "common/softgpu/host/library.h"
#include "cusparse.h"

/** A handle. */
struct cusparseContext {
    cudaStream_t stream;
    cusparsePointerMode_t mode;
};
/** Settings of a matrix whose arrays are arguments. */
struct cusparseMatDescr {
    cusparseMatrixType_t type;
    cusparseFillMode_t fill;
    cusparseDiagType_t diagonal;
    cusparseIndexBase_t base;
};
/** A sparse matrix. */
struct cusparseSpMatDescr {
    cusparseFormat_t format;
    int64_t rows, cols, nnz;
    void *first;  /**< offsets of the lines, or COO's rows */
    void *second; /**< place of each value in its line, or COO's columns */
    void *values;
    cusparseIndexType_t first_type, second_type;
    int64_t base;
    cudaDataType type;
    bool upper, unit; /**< what a triangular solution uses */
};
/** A dense matrix. */
struct cusparseDnMatDescr {
    int64_t rows, cols, ld;
    void *values;
    cudaDataType type;
    cusparseOrder_t order;
};
/** A dense vector. */
struct cusparseDnVecDescr {
    int64_t size;
    void *values;
    cudaDataType type;
};

/** A number; of a real one the imaginary part is 0. */
struct sparse_number {
    double re, im;
};
/** A scalar argument: a value, or its address in device memory. */
struct sparse_scalar {
    struct sparse_number value;
    const void *at; /**< or NULL */
    cudaDataType type;
};

/** Return unless the condition holds. */
#define SPARSE_REQUIRE(condition, status) \
    do {                                  \
        if (!(condition))                 \
            return (status);              \
    } while (0)
/** Return CUSPARSE_STATUS_NOT_INITIALIZED without a handle. */
#define SPARSE_REQUIRE_HANDLE(handle) \
    SPARSE_REQUIRE(handle, CUSPARSE_STATUS_NOT_INITIALIZED)
/** Return CUSPARSE_STATUS_NOT_SUPPORTED, and print why, unless the condition
 *  holds. */
#define SPARSE_REQUIRE_SUPPORTED(condition, why)  \
    do {                                          \
        if (!(condition)) {                       \
            softgpu_library_refuse(why);          \
            return CUSPARSE_STATUS_NOT_SUPPORTED; \
        }                                         \
    } while (0)
/** The types that are there, for SPARSE_REQUIRE_SUPPORTED(). */
#define SPARSE_TYPES "the types are not float, double or complex, or differ"
/** Return CUSPARSE_STATUS_INVALID_VALUE unless the condition holds. */
#define SPARSE_REQUIRE_VALUE(condition) \
    SPARSE_REQUIRE(condition, CUSPARSE_STATUS_INVALID_VALUE)

/** Bytes of a value; 0 for a type that is not there. */
size_t sparse_bytes(cudaDataType type);
/** Can matrices and vectors of these types be multiplied?  Dense ones have the
 *  type of the computation; values of the matrix may be converted to it. */
bool sparse_types_fit(cudaDataType compute_type, cudaDataType matrix,
                      cudaDataType x, cudaDataType y);
/** Is it one of the three operations? */
static inline bool sparse_is_operation(cusparseOperation_t op)
{
    return (unsigned)op <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}
/** Load value i. */
struct sparse_number sparse_load(cudaDataType type, const void *p, int64_t i);
/** Store value i, rounded. */
void sparse_store(cudaDataType type, void *p, int64_t i,
                  struct sparse_number value);
/** a b + c. */
static inline struct sparse_number sparse_add_product(struct sparse_number a,
                                                      struct sparse_number b,
                                                      struct sparse_number c)
{
    return (struct sparse_number){a.re * b.re - a.im * b.im + c.re,
                                  a.re * b.im + a.im * b.re + c.im};
}
/** Load index i. */
static inline int64_t sparse_index(cusparseIndexType_t type, const void *p,
                                   int64_t i)
{
    return type == CUSPARSE_INDEX_64I ? ((const int64_t *)p)[i]
                                      : ((const int32_t *)p)[i];
}
/** Store index i. */
static inline void sparse_set_index(cusparseIndexType_t type, void *p,
                                    int64_t i, int64_t value)
{
    if (type == CUSPARSE_INDEX_64I)
        ((int64_t *)p)[i] = value;
    else
        ((int32_t *)p)[i] = (int32_t)value;
}
/** Lines of a compressed matrix: rows, or columns of CSC. */
static inline int64_t sparse_lines(const struct cusparseSpMatDescr *a)
{
    return a->format == CUSPARSE_FORMAT_CSC ? a->cols : a->rows;
}
/** Length of such a line. */
static inline int64_t sparse_length(const struct cusparseSpMatDescr *a)
{
    return a->format == CUSPARSE_FORMAT_CSC ? a->rows : a->cols;
}
/** End the call with cudaErrorIllegalAddress: element i of an array of indices
 *  is not in [0, count), or with `base` not in [base, base + count). */
_Noreturn void sparse_bad_index(const struct cusparseSpMatDescr *a,
                                const char *array, int64_t i, int64_t index,
                                int64_t count);
/** First value of a line; of the line past the last, the number of values. */
static inline int64_t sparse_begin(const struct cusparseSpMatDescr *a,
                                   int64_t line)
{
    const int64_t k = sparse_index(a->first_type, a->first, line) - a->base;

    if ((uint64_t)k > (uint64_t)a->nnz)
        sparse_bad_index(a, "offset", line, k, a->nnz + 1);
    return k;
}
/** Place of value k in its line. */
static inline int64_t sparse_place(const struct cusparseSpMatDescr *a,
                                   int64_t k)
{
    const int64_t place = sparse_index(a->second_type, a->second, k) - a->base;

    if ((uint64_t)place >= (uint64_t)sparse_length(a))
        sparse_bad_index(a, a->format == CUSPARSE_FORMAT_CSC ? "row index"
                                                             : "column index",
                         k, place, sparse_length(a));
    return place;
}
/** Row of value k of a COO matrix. */
static inline int64_t sparse_row(const struct cusparseSpMatDescr *a, int64_t k)
{
    const int64_t row = sparse_index(a->first_type, a->first, k) - a->base;

    if ((uint64_t)row >= (uint64_t)a->rows)
        sparse_bad_index(a, "row index", k, row, a->rows);
    return row;
}

/** Make a COO matrix a CSR one: its values are sorted by rows, those of a row
 *  keep their order.
 *  @param[in,out] a        refers to the arrays then
 *  @param[in,out] offsets  rows + 2 zeros
 *  @param[out]    columns  nnz
 *  @param[out]    values   nnz values of its type */
void sparse_sort_rows(struct cusparseSpMatDescr *a, int64_t *offsets,
                      int64_t *columns, char *values);

/** Read a scalar, or keep its address; p is not NULL. */
struct sparse_scalar sparse_scalar(cusparseHandle_t handle, const void *p,
                                   cudaDataType type);
/** Its value; only when the command runs. */
struct sparse_number sparse_scalar_value(const struct sparse_scalar *scalar);

/** In `arrays`: a scalar in device memory. */
void sparse_scalar_array(const char *name, const struct sparse_scalar *s);
/** In `arrays`: n elements. */
void sparse_array(const char *name, const void *p, int64_t n, size_t bytes,
                  enum softgpu_use use);
/** In `arrays`: the matrix.
 *  @param use  of its values; its indices are read */
void sparse_matrix_arrays(const struct cusparseSpMatDescr *a,
                          enum softgpu_use use);
/** In `arrays`: a dense matrix. */
void sparse_dense_array(const char *name, const struct cusparseDnMatDescr *b,
                        enum softgpu_use use);
/** Submit a call to the handle's stream. */
cusparseStatus_t sparse_submit(cusparseHandle_t handle, const void *self,
                               size_t bytes);

#endif
