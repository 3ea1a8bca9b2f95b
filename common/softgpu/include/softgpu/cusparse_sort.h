/* SPDX-License-Identifier: MIT */
/** @file
 *  cuSPARSE's sorts of indices, and vectors of few values; included by
 *  cusparse.h, which says what their statuses mean.
 *
 *  All arrays are device memory.  A sort exchanges the elements of the
 *  permutation as it does the indices; it may be NULL.  The buffer is not used.
 */
#ifndef SOFTGPU_CUSPARSE_SORT_H
#define SOFTGPU_CUSPARSE_SORT_H

/** Write 0, 1, ... n - 1. */
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle,
                                                   int n, int *permutation);
/** Bytes of the buffer: 0. */
cusparseStatus_t cusparseXcoosort_bufferSizeExt(
    cusparseHandle_t handle, int m, int n, int nnz, const int *rows,
    const int *columns, size_t *bytes);
/** Sort values by row, those of a row by column. */
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n,
                                       int nnz, int *rows, int *columns,
                                       int *permutation, void *buffer);
/** Sort values by column, those of a column by row. */
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t handle, int m, int n,
                                          int nnz, int *rows, int *columns,
                                          int *permutation, void *buffer);
/** Bytes of the buffer: 0. */
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(
    cusparseHandle_t handle, int m, int n, int nnz, const int *row_offsets,
    const int *columns, size_t *bytes);
/** Sort the columns of each row. */
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int n,
                                  int nnz, cusparseMatDescr_t description,
                                  const int *row_offsets, int *columns,
                                  int *permutation, void *buffer);
/** Bytes of the buffer: 0. */
cusparseStatus_t cusparseXcscsort_bufferSizeExt(
    cusparseHandle_t handle, int m, int n, int nnz, const int *column_offsets,
    const int *rows, size_t *bytes);
/** Sort the rows of each column. */
cusparseStatus_t cusparseXcscsort(cusparseHandle_t handle, int m, int n,
                                  int nnz, cusparseMatDescr_t description,
                                  const int *column_offsets, int *rows,
                                  int *permutation, void *buffer);

typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t; /**< few values */
typedef const struct cusparseSpVecDescr *cusparseConstSpVecDescr_t; /**< as
    above */

/** Describe a vector with `nnz` values at some of `size` places. */
cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *vector, int64_t size,
                                     int64_t nnz, void *indices, void *values,
                                     cusparseIndexType_t index_type,
                                     cusparseIndexBase_t base,
                                     cudaDataType type);
/** The same; it is read only. */
cusparseStatus_t cusparseCreateConstSpVec(
    cusparseConstSpVecDescr_t *vector, int64_t size, int64_t nnz,
    const void *indices, const void *values, cusparseIndexType_t index_type,
    cusparseIndexBase_t base, cudaDataType type);
/** Destroy its descriptor. */
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector);
/** Set its values. */
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector,
                                        void *values);
/** x = the values of y at the places of x. */
cusparseStatus_t cusparseGather(cusparseHandle_t handle,
                                cusparseConstDnVecDescr_t y,
                                cusparseSpVecDescr_t x);
/** The values of y at the places of x = x; the others are not written. */
cusparseStatus_t cusparseScatter(cusparseHandle_t handle,
                                 cusparseConstSpVecDescr_t x,
                                 cusparseDnVecDescr_t y);

#endif
