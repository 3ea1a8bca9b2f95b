/* SPDX-License-Identifier: MIT */
/* Conversions between sparse and dense matrices, each on one OS thread. */
#include <string.h>

#include "sparse.h"

/** Arguments of a conversion. */
struct conversion {
    struct softgpu_library_call call;
    struct cusparseSpMatDescr sparse;
    struct cusparseDnMatDescr dense;
    int64_t *nnz; /* where the count goes; NULL: convert */
};

/* Place of an element of the dense matrix. */
static int64_t place(const struct cusparseDnMatDescr *b, int64_t row,
                     int64_t column)
{
    return b->order == CUSPARSE_ORDER_ROW ? row * b->ld + column
                                          : column * b->ld + row;
}

/* The same by line and place in the line: rows, or columns of CSC. */
static int64_t place_in(const struct conversion *c, int64_t line, int64_t k)
{
    return c->sparse.format == CUSPARSE_FORMAT_CSC ? place(&c->dense, k, line)
                                                   : place(&c->dense, line, k);
}

/* Fill the dense matrix with zeros, then store the values at their places. */
static void run_to_dense(const void *self, unsigned part)
{
    const struct conversion *c = self;
    const struct cusparseSpMatDescr *a = &c->sparse;
    const struct cusparseDnMatDescr *b = &c->dense;

    (void)part;
    for (int64_t row = 0; row < b->rows; row++)
        for (int64_t column = 0; column < b->cols; column++)
            sparse_store(b->type, b->values, place(b, row, column),
                         (struct sparse_number){0, 0});
    for (int64_t k = 0; a->format == CUSPARSE_FORMAT_COO && k < a->nnz; k++)
        sparse_store(b->type, b->values,
                     place(b, sparse_row(a, k), sparse_place(a, k)),
                     sparse_load(a->type, a->values, k));
    for (int64_t line = 0;
         a->format != CUSPARSE_FORMAT_COO && line < sparse_lines(a); line++)
        for (int64_t k = sparse_begin(a, line); k < sparse_begin(a, line + 1);
             k++)
            sparse_store(b->type, b->values,
                         place_in(c, line, sparse_place(a, k)),
                         sparse_load(a->type, a->values, k));
}

/* Store value k of the sparse matrix. */
static void store_value(const struct cusparseSpMatDescr *a, int64_t k,
                        int64_t line, int64_t at, struct sparse_number value)
{
    if (a->format == CUSPARSE_FORMAT_COO)
        sparse_set_index(a->first_type, a->first, k, line + a->base);
    sparse_set_index(a->second_type, a->second, k, at + a->base);
    sparse_store(a->type, a->values, k, value);
}

/* Count and write offsets, or write values. */
static void run_to_sparse(const void *self, unsigned part)
{
    const struct conversion *c = self;
    const struct cusparseSpMatDescr *a = &c->sparse;
    const bool has_offsets = c->nnz && a->format != CUSPARSE_FORMAT_COO;
    const int64_t lines = sparse_lines(a),
                  length = sparse_length(a);
    int64_t k = 0;

    (void)part;
    for (int64_t line = 0; line < lines; line++) {
        if (has_offsets)
            sparse_set_index(a->first_type, a->first, line, k + a->base);
        for (int64_t i = 0; i < length; i++) {
            const struct sparse_number v = sparse_load(
                c->dense.type, c->dense.values, place_in(c, line, i));
            if (v.re == 0 && v.im == 0)
                continue;
            if (!c->nnz)
                store_value(a, k, line, i, v);
            k++;
        }
    }
    if (has_offsets)
        sparse_set_index(a->first_type, a->first, lines, k + a->base);
    if (c->nnz)
        *c->nnz = k;
}

/* Accesses of SparseToDense: all of the dense matrix is written. */
static void arrays_to_dense(const void *self)
{
    const struct conversion *c = self;

    sparse_matrix_arrays(&c->sparse, SOFTGPU_READS);
    sparse_dense_array("B", &c->dense, SOFTGPU_WRITES);
}

/* Accesses of DenseToSparse: the analysis writes offsets, the conversion
 * the rest. */
static void arrays_to_sparse(const void *self)
{
    const struct conversion *c = self;
    const struct cusparseSpMatDescr *a = &c->sparse;
    const bool is_coo = a->format == CUSPARSE_FORMAT_COO;
    const size_t first = a->first_type == CUSPARSE_INDEX_64I ? 8 : 4,
                 second = a->second_type == CUSPARSE_INDEX_64I ? 8 : 4;

    sparse_dense_array("A", &c->dense, SOFTGPU_READS);
    if (c->nnz && !is_coo)
        sparse_array("offsets", a->first, sparse_lines(a) + 1, first,
                     SOFTGPU_WRITES);
    if (c->nnz)
        return;
    if (is_coo)
        sparse_array("rows", a->first, a->nnz, first, SOFTGPU_WRITES);
    sparse_array("indices", a->second, a->nnz, second, SOFTGPU_WRITES);
    sparse_array("values", a->values, a->nnz, sparse_bytes(a->type),
                 SOFTGPU_WRITES);
}

/* Check the shapes and submit. */
static cusparseStatus_t submit(cusparseHandle_t handle, const char *name,
                               const struct cusparseSpMatDescr *a,
                               const struct cusparseDnMatDescr *b,
                               int64_t *nnz, bool to_dense)
{
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(a && b && a->rows == b->rows && a->cols == b->cols);
    SPARSE_REQUIRE_SUPPORTED(a->type == b->type, SPARSE_TYPES);
    const struct conversion c = {
        .call = {.name = name, .run = to_dense ? run_to_dense : run_to_sparse,
                 .arrays = to_dense ? arrays_to_dense : arrays_to_sparse,
                 .parts = 1,
                 .bytes = (double)b->rows * (double)b->cols
                          * (double)sparse_bytes(b->type),
                 .site = softgpu_call_site},
        .sparse = *a, .dense = *b, .nnz = nnz};
    return sparse_submit(handle, &c, sizeof c);
}

/* --- the calls ------------------------------------------------------------ */

/* No buffer is needed. */
static cusparseStatus_t no_buffer(cusparseHandle_t handle, const void *a,
                                  const void *b, size_t *bytes)
{
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(a && b && bytes);
    *bytes = 0;
    return CUSPARSE_STATUS_SUCCESS;
}

/* Bytes of the external buffer: 0. */
cusparseStatus_t cusparseSparseToDense_bufferSize(
    cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
    cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t algorithm,
    size_t *bytes)
{
    SOFTGPU_LIBRARY_CALL();
    (void)algorithm;
    return no_buffer(handle, a, b, bytes);
}

/* Store a sparse matrix as a dense one of the same size; other sizes, and
 * NULL, are CUSPARSE_STATUS_INVALID_VALUE. */
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle,
                                       cusparseConstSpMatDescr_t a,
                                       cusparseDnMatDescr_t b,
                                       cusparseSparseToDenseAlg_t algorithm,
                                       void *buffer)
{
    SOFTGPU_LIBRARY_CALL();
    (void)algorithm, (void)buffer;
    return submit(handle, "cusparseSparseToDense", a, b, NULL, true);
}

/* Bytes of the external buffer: 0. */
cusparseStatus_t cusparseDenseToSparse_bufferSize(
    cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
    cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm,
    size_t *bytes)
{
    SOFTGPU_LIBRARY_CALL();
    (void)algorithm;
    return no_buffer(handle, a, b, bytes);
}

/* Count the elements that are not 0, and write the offsets of CSR and
 * CSC.  The count is in the descriptor when the call returns. */
cusparseStatus_t cusparseDenseToSparse_analysis(
    cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
    cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm,
    void *buffer)
{
    SOFTGPU_LIBRARY_CALL();
    (void)algorithm, (void)buffer;
    const cusparseStatus_t status =
        submit(handle, "cusparseDenseToSparse_analysis", b, a,
               b ? &b->nnz : NULL, false);
    if (status)
        return status;
    return cudaStreamSynchronize(handle->stream)
               ? CUSPARSE_STATUS_EXECUTION_FAILED : CUSPARSE_STATUS_SUCCESS;
}

/* Write the indices and the values of the elements that are not 0, row by
 * row (CSC: column by column), to the arrays that cusparseCsrSetPointers()
 * or its like has set. */
cusparseStatus_t cusparseDenseToSparse_convert(
    cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
    cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm,
    void *buffer)
{
    SOFTGPU_LIBRARY_CALL();
    (void)algorithm, (void)buffer;
    return submit(handle, "cusparseDenseToSparse_convert", b, a, NULL, false);
}
