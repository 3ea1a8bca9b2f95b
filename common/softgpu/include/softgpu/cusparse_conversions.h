/* SPDX-License-Identifier: MIT */
/** @file
 *  cuSPARSE's conversions of matrices: of descriptors, and of arrays that are
 *  arguments; included by cusparse.h, which says what their statuses mean.
 *
 *  All arrays are device memory; no output overlaps an input.  m rows, n
 *  columns, nnz values; offsets of rows have m + 1 elements, of columns n + 1.
 */
#ifndef SOFTGPU_CUSPARSE_CONVERSIONS_H
#define SOFTGPU_CUSPARSE_CONVERSIONS_H

/** Bytes of the buffer: 0. */
cusparseStatus_t cusparseSparseToDense_bufferSize(
    cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
    cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t algorithm,
    size_t *bytes);
/** Write all elements of B, zeros too. */
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle,
                                       cusparseConstSpMatDescr_t a,
                                       cusparseDnMatDescr_t b,
                                       cusparseSparseToDenseAlg_t algorithm,
                                       void *buffer);
/** Bytes of the buffer: 0. */
cusparseStatus_t cusparseDenseToSparse_bufferSize(
    cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
    cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm,
    size_t *bytes);
/** Count the values that are not 0, which cusparseSpMatGetSize() gives then,
 *  and write the offsets of a CSR or CSC matrix.  Waits for the stream. */
cusparseStatus_t cusparseDenseToSparse_analysis(
    cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
    cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm,
    void *buffer);
/** Write indices and values. */
cusparseStatus_t cusparseDenseToSparse_convert(
    cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
    cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm,
    void *buffer);

/** What a conversion writes. */
typedef enum {
    CUSPARSE_ACTION_SYMBOLIC = 0, /**< no values */
    CUSPARSE_ACTION_NUMERIC = 1
} cusparseAction_t;
/** How CSR becomes CSC; all have the same result here. */
typedef enum {
    CUSPARSE_CSR2CSC_ALG_DEFAULT = 1,
    CUSPARSE_CSR2CSC_ALG1 = 1,
    CUSPARSE_CSR2CSC_ALG2 = 2
} cusparseCsr2CscAlg_t;

/** Bytes of the buffer: 0. */
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(
    cusparseHandle_t handle, int m, int n, int nnz, const void *values,
    const int *row_offsets, const int *columns, void *csc_values,
    int *column_offsets, int *rows, cudaDataType type, cusparseAction_t action,
    cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm, size_t *bytes);
/** CSR becomes CSC, or the CSR of the transpose: all offsets, rows and, unless
 *  the action is symbolic, values are written; rows rise in each column where
 *  no row has a column twice. */
cusparseStatus_t cusparseCsr2cscEx2(
    cusparseHandle_t handle, int m, int n, int nnz, const void *values,
    const int *row_offsets, const int *columns, void *csc_values,
    int *column_offsets, int *rows, cudaDataType type, cusparseAction_t action,
    cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm, void *buffer);
/** Offsets of rows become the row of each value. */
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle,
                                  const int *row_offsets, int nnz, int m,
                                  int *rows, cusparseIndexBase_t base);
/** The row of each value, rising, becomes offsets of rows. */
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows,
                                  int nnz, int m, int *row_offsets,
                                  cusparseIndexBase_t base);

#endif
