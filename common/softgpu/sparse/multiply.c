/* SPDX-License-Identifier: MIT */
/* SpMV and SpMM.  Where a line of the matrix is a row of the product, its rows
 * are divided among the OS threads; else a column of the product is one
 * part. */
#include <stdlib.h>

#include "common/softgpu/core/core.h"
#include "sparse.h"

enum { CHUNK = 4096 }; /* rows a part */

/** Columns of a dense operand. */
struct view {
    void *values;
    cudaDataType type;
    int64_t rows, columns, row_stride, column_stride;
    bool conjugated;
};

/** Arguments of a product. */
struct product {
    struct softgpu_library_call call;
    struct cusparseSpMatDescr a;
    cusparseOperation_t op;
    struct view x, y;
    struct sparse_scalar alpha, beta;
};

/* An element of a dense operand, conjugated where op asks for it. */
static struct sparse_number load(const struct view *v, int64_t row,
                                 int64_t column)
{
    struct sparse_number x =
        sparse_load(v->type, v->values,
                    row * v->row_stride + column * v->column_stride);

    if (v->conjugated)
        x.im = -x.im;
    return x;
}

/* A value of op(A). */
static struct sparse_number value(const struct product *p, int64_t k)
{
    struct sparse_number a = sparse_load(p->a.type, p->a.values, k);

    if (p->op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)
        a.im = -a.im;
    return a;
}

/* Is a line of the matrix a row of op(A)? */
static bool has_rows(const struct product *p)
{
    return p->a.format != CUSPARSE_FORMAT_COO
           && (p->a.format == CUSPARSE_FORMAT_CSC)
                  == (p->op != CUSPARSE_OPERATION_NON_TRANSPOSE);
}

/* Store alpha times the sum, plus beta y. */
static void finish(const struct product *p, int64_t row, int64_t column,
                   struct sparse_number sum)
{
    static const struct sparse_number zero;
    const struct sparse_number beta = sparse_scalar_value(&p->beta);
    const struct sparse_number scaled =
        sparse_add_product(sparse_scalar_value(&p->alpha), sum, zero);
    const bool reads = beta.re != 0 || beta.im != 0;

    sparse_store(p->y.type, p->y.values,
                 row * p->y.row_stride + column * p->y.column_stride,
                 reads ? sparse_add_product(beta, load(&p->y, row, column),
                                            scaled)
                       : scaled);
}

/* Rows of a column of the product. */
static void gather(const struct product *p, int64_t first, int64_t end,
                   int64_t column)
{
    for (int64_t row = first; row < end; row++) {
        struct sparse_number sum = {0, 0};
        const int64_t last = sparse_begin(&p->a, row + 1);
        for (int64_t k = sparse_begin(&p->a, row); k < last; k++)
            sum = sparse_add_product(
                value(p, k), load(&p->x, sparse_place(&p->a, k), column), sum);
        finish(p, row, column, sum);
    }
}

/* Add value k, which is at (row, place) of the matrix. */
static void scatter_value(const struct product *p, struct sparse_number *sums,
                          int64_t row, int64_t k, int64_t column)
{
    const int64_t place = sparse_place(&p->a, k);
    const bool swapped = (p->a.format == CUSPARSE_FORMAT_CSC)
                         != (p->op != CUSPARSE_OPERATION_NON_TRANSPOSE);
    const int64_t to = swapped ? place : row, from = swapped ? row : place;

    sums[to] = sparse_add_product(value(p, k), load(&p->x, from, column),
                                  sums[to]);
}

/* A whole column of the product, in the order of the values. */
static void scatter(const struct product *p, int64_t column)
{
    const struct cusparseSpMatDescr *a = &p->a;
    struct sparse_number *sums =
        calloc((size_t)p->y.rows + 1, sizeof *sums);

    if (!sums)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "no memory for a product");
    for (int64_t k = 0; a->format == CUSPARSE_FORMAT_COO && k < a->nnz; k++)
        scatter_value(p, sums, sparse_row(a, k), k, column);
    for (int64_t line = 0;
         a->format != CUSPARSE_FORMAT_COO && line < sparse_lines(a); line++)
        for (int64_t k = sparse_begin(a, line); k < sparse_begin(a, line + 1);
             k++)
            scatter_value(p, sums, line, k, column);
    for (int64_t row = 0; row < p->y.rows; row++)
        finish(p, row, column, sums[row]);
    free(sums);
}

/* One part: CHUNK rows of a vector, or a column of the product. */
static void run(const void *self, unsigned part)
{
    const struct product *p = self;

    if (has_rows(p) && p->y.columns == 1) {
        const int64_t first = (int64_t)part * CHUNK, end = first + CHUNK;
        gather(p, first, end < p->y.rows ? end : p->y.rows, 0);
    } else if (has_rows(p)) {
        gather(p, 0, p->y.rows, part);
    } else {
        scatter(p, part);
    }
}

/* Declare accesses to a dense operand. */
static void view_array(const char *name, const struct view *v,
                       enum softgpu_use use)
{
    const bool by_rows = v->row_stride != 1;
    const struct cusparseDnMatDescr b = {
        v->rows, v->columns, by_rows ? v->row_stride : v->column_stride,
        v->values, v->type, by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL};

    sparse_dense_array(name, &b, use);
}

/* Declare the accesses of a product.  Y is not read where beta is 0. */
static void arrays(const void *self)
{
    const struct product *p = self;

    sparse_scalar_array("alpha", &p->alpha);
    sparse_scalar_array("beta", &p->beta);
    const struct sparse_number beta = sparse_scalar_value(&p->beta);
    const bool reads = beta.re != 0 || beta.im != 0;
    sparse_matrix_arrays(&p->a, SOFTGPU_READS);
    view_array("X", &p->x, SOFTGPU_READS);
    view_array("Y", &p->y, reads ? SOFTGPU_READS | SOFTGPU_WRITES
                                 : SOFTGPU_WRITES);
}

/* Check what describes a product: the format that its algorithm is for, or 0
 * for all; sizes, and types. */
static cusparseStatus_t check(const struct product *p, cusparseFormat_t format)
{
    const bool transposed = p->op != CUSPARSE_OPERATION_NON_TRANSPOSE;

    SPARSE_REQUIRE_VALUE(sparse_is_operation(p->op)
                         && p->y.rows == (transposed ? p->a.cols : p->a.rows)
                         && p->x.rows == (transposed ? p->a.rows : p->a.cols)
                         && p->x.columns == p->y.columns);
    SPARSE_REQUIRE_SUPPORTED(
        sparse_types_fit(p->alpha.type, p->a.type, p->x.type, p->y.type),
        SPARSE_TYPES);
    SPARSE_REQUIRE_SUPPORTED(!format
                                 || (format == CUSPARSE_FORMAT_COO)
                                        == (p->a.format == CUSPARSE_FORMAT_COO),
                             "the algorithm is one for another format of A");
    return CUSPARSE_STATUS_SUCCESS;
}

/* Submit a product whose arguments were checked. */
static cusparseStatus_t submit(cusparseHandle_t handle, struct product *p,
                               const char *name, const void *site)
{
    const int64_t rows = p->y.rows;

    if (!rows || !p->y.columns)
        return CUSPARSE_STATUS_SUCCESS;
    const int64_t parts = has_rows(p) && p->y.columns == 1
                              ? (rows + CHUNK - 1) / CHUNK : p->y.columns;
    SPARSE_REQUIRE_SUPPORTED(parts < INT32_MAX, "A is too large");
    const double values = (double)p->a.nnz * (double)p->y.columns;
    p->call = (struct softgpu_library_call){
        .name = name, .run = run, .arrays = arrays, .parts = (unsigned)parts,
        .operations = 2 * values, .bytes = 8 * (double)p->a.nnz + 8 * values,
        .site = site};
    return sparse_submit(handle, p, sizeof *p);
}

/* --- the calls ------------------------------------------------------------ */

/* A vector is a matrix of one column. */
static struct view view_of_vector(const struct cusparseDnVecDescr *v)
{
    return (struct view){v->values, v->type, v->size, 1, 1, v->size, false};
}

/* op(B): a transposed matrix has its strides and its sizes exchanged. */
static struct view view_of_matrix(const struct cusparseDnMatDescr *b,
                                  cusparseOperation_t op)
{
    const bool by_rows = b->order == CUSPARSE_ORDER_ROW;
    const bool transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const int64_t row = by_rows ? b->ld : 1, column = by_rows ? 1 : b->ld;

    return (struct view){b->values,
                         b->type,
                         transposed ? b->cols : b->rows,
                         transposed ? b->rows : b->cols,
                         transposed ? column : row,
                         transposed ? row : column,
                         op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
}

/* The format that an algorithm of SpMV is for: CSR stands for CSC, too.
 * @return 0 for all formats, -1 for an algorithm that is none */
static int format_of_spmv(cusparseSpMVAlg_t algorithm)
{
    switch (algorithm) {
    case CUSPARSE_SPMV_ALG_DEFAULT: return 0;
    case CUSPARSE_SPMV_COO_ALG1:
    case CUSPARSE_SPMV_COO_ALG2: return CUSPARSE_FORMAT_COO;
    case CUSPARSE_SPMV_CSR_ALG1:
    case CUSPARSE_SPMV_CSR_ALG2: return CUSPARSE_FORMAT_CSR;
    default: return -1;
    }
}

/* The same of SpMM. */
static int format_of_spmm(cusparseSpMMAlg_t algorithm)
{
    switch (algorithm) {
    case CUSPARSE_SPMM_ALG_DEFAULT: return 0;
    case CUSPARSE_SPMM_COO_ALG1:
    case CUSPARSE_SPMM_COO_ALG2:
    case CUSPARSE_SPMM_COO_ALG3:
    case CUSPARSE_SPMM_COO_ALG4: return CUSPARSE_FORMAT_COO;
    case CUSPARSE_SPMM_CSR_ALG1:
    case CUSPARSE_SPMM_CSR_ALG2:
    case CUSPARSE_SPMM_CSR_ALG3: return CUSPARSE_FORMAT_CSR;
    default: return -1;
    }
}

/* Check the arguments of SpMV, and describe the product. */
static cusparseStatus_t describe_spmv(
    struct product *p, cusparseHandle_t handle, cusparseOperation_t op,
    const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y,
    cudaDataType compute_type, cusparseSpMVAlg_t algorithm)
{
    const int format = format_of_spmv(algorithm);

    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(alpha && a && x && beta && y && format >= 0);
    SPARSE_REQUIRE_SUPPORTED(sparse_bytes(compute_type), SPARSE_TYPES);
    *p = (struct product){.a = *a, .op = op, .x = view_of_vector(x),
                          .y = view_of_vector(y),
                          .alpha = sparse_scalar(handle, alpha, compute_type),
                          .beta = sparse_scalar(handle, beta, compute_type)};
    return check(p, format);
}

/* Y = alpha op(A) X + beta Y.  Sizes that do not fit, and NULL, are
 * CUSPARSE_STATUS_INVALID_VALUE; types that do not fit, and an algorithm for
 * another format, are CUSPARSE_STATUS_NOT_SUPPORTED. */
cusparseStatus_t cusparseSpMV(
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
    const void *beta, cusparseDnVecDescr_t y, cudaDataType compute_type,
    cusparseSpMVAlg_t algorithm, void *buffer)
{
    SOFTGPU_LIBRARY_CALL();
    struct product p;
    const cusparseStatus_t status = describe_spmv(
        &p, handle, op, alpha, a, x, beta, y, compute_type, algorithm);

    (void)buffer;
    return status ? status
                  : submit(handle, &p, "cusparseSpMV", softgpu_call_site);
}

/* Bytes of the external buffer of SpMV: 0.  The errors are those of
 * cusparseSpMV(). */
cusparseStatus_t cusparseSpMV_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
    const void *beta, cusparseDnVecDescr_t y, cudaDataType compute_type,
    cusparseSpMVAlg_t algorithm, size_t *bytes)
{
    SOFTGPU_LIBRARY_CALL();
    struct product p;

    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(bytes);
    *bytes = 0;
    return describe_spmv(&p, handle, op, alpha, a, x, beta, y, compute_type,
                         algorithm);
}

/* Only the arguments are checked: SpMV has nothing to prepare. */
cusparseStatus_t cusparseSpMV_preprocess(
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
    const void *beta, cusparseDnVecDescr_t y, cudaDataType compute_type,
    cusparseSpMVAlg_t algorithm, void *buffer)
{
    SOFTGPU_LIBRARY_CALL();
    struct product p;

    (void)buffer;
    return describe_spmv(&p, handle, op, alpha, a, x, beta, y, compute_type,
                         algorithm);
}

/* Check the arguments of SpMM, and describe the product. */
static cusparseStatus_t describe_spmm(
    struct product *p, cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstDnMatDescr_t b, const void *beta, cusparseDnMatDescr_t c,
    cudaDataType compute_type, cusparseSpMMAlg_t algorithm)
{
    const int format = format_of_spmm(algorithm);

    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(alpha && a && b && beta && c && format >= 0
                         && sparse_is_operation(op_b));
    SPARSE_REQUIRE_SUPPORTED(sparse_bytes(compute_type), SPARSE_TYPES);
    *p = (struct product){
        .a = *a, .op = op_a, .x = view_of_matrix(b, op_b),
        .y = view_of_matrix(c, CUSPARSE_OPERATION_NON_TRANSPOSE),
        .alpha = sparse_scalar(handle, alpha, compute_type),
        .beta = sparse_scalar(handle, beta, compute_type)};
    return check(p, format);
}

/* C = alpha op(A) op(B) + beta C, with the errors of cusparseSpMV(). */
cusparseStatus_t cusparseSpMM(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstDnMatDescr_t b, const void *beta, cusparseDnMatDescr_t c,
    cudaDataType compute_type, cusparseSpMMAlg_t algorithm, void *buffer)
{
    SOFTGPU_LIBRARY_CALL();
    struct product p;
    const cusparseStatus_t status = describe_spmm(
        &p, handle, op_a, op_b, alpha, a, b, beta, c, compute_type, algorithm);

    (void)buffer;
    return status ? status
                  : submit(handle, &p, "cusparseSpMM", softgpu_call_site);
}

/* Bytes of the external buffer of SpMM: 0.  The errors are those of
 * cusparseSpMM(). */
cusparseStatus_t cusparseSpMM_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstDnMatDescr_t b, const void *beta, cusparseDnMatDescr_t c,
    cudaDataType compute_type, cusparseSpMMAlg_t algorithm, size_t *bytes)
{
    SOFTGPU_LIBRARY_CALL();
    struct product p;

    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(bytes);
    *bytes = 0;
    return describe_spmm(&p, handle, op_a, op_b, alpha, a, b, beta, c,
                         compute_type, algorithm);
}
