/* SPDX-License-Identifier: MIT */
/* SDDMM: a product of two dense matrices, of which only the elements are made
 * that a sparse matrix has. */
#include "sparse.h"

enum { CHUNK = 1024 }; /* lines a part, or COO's values */

/** A dense matrix, perhaps transposed. */
struct operand {
    const void *values;
    cudaDataType type;
    int64_t rows, columns, row_step, column_step;
    bool conjugate;
};

/** Arguments of a call. */
struct sampled {
    struct softgpu_library_call call;
    struct operand a, b;
    struct cusparseDnMatDescr a_stored, b_stored;
    struct cusparseSpMatDescr c;
    struct sparse_scalar alpha, beta;
};

/* op(M). */
static struct operand operand_of(const struct cusparseDnMatDescr *m,
                                 cusparseOperation_t op)
{
    const bool by_rows = m->order == CUSPARSE_ORDER_ROW;
    const bool transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const int64_t row = by_rows ? m->ld : 1, column = by_rows ? 1 : m->ld;

    return (struct operand){m->values,
                            m->type,
                            transposed ? m->cols : m->rows,
                            transposed ? m->rows : m->cols,
                            transposed ? column : row,
                            transposed ? row : column,
                            op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
}

/* An element. */
static struct sparse_number load(const struct operand *m, int64_t row,
                                 int64_t column)
{
    struct sparse_number x = sparse_load(
        m->type, m->values, row * m->row_step + column * m->column_step);

    if (m->conjugate)
        x.im = -x.im;
    return x;
}

/* Value k of C, in this row and column; without beta it is not read. */
static void make_value(const struct sampled *s, int64_t k, int64_t row,
                       int64_t column)
{
    static const struct sparse_number zero;
    const struct sparse_number beta = sparse_scalar_value(&s->beta);
    struct sparse_number sum = zero, result = zero;

    for (int64_t i = 0; i < s->a.columns; i++)
        sum = sparse_add_product(load(&s->a, row, i), load(&s->b, i, column),
                                 sum);
    if (beta.re != 0 || beta.im != 0)
        result = sparse_add_product(
            beta, sparse_load(s->c.type, s->c.values, k), zero);
    sparse_store(s->c.type, s->c.values, k,
                 sparse_add_product(sparse_scalar_value(&s->alpha), sum,
                                    result));
}

/* Lines of C, or values of a COO matrix. */
static int64_t count(const struct sampled *s)
{
    return s->c.format == CUSPARSE_FORMAT_COO ? s->c.nnz : sparse_lines(&s->c);
}

/* CHUNK of them. */
static void run(const void *self, unsigned part)
{
    const struct sampled *s = self;
    const int64_t first = (int64_t)part * CHUNK, n = count(s),
                  end = first + CHUNK < n ? first + CHUNK : n;
    const bool by_columns = s->c.format == CUSPARSE_FORMAT_CSC;

    for (int64_t i = first; i < end; i++) {
        if (s->c.format == CUSPARSE_FORMAT_COO) {
            make_value(s, i, sparse_row(&s->c, i), sparse_place(&s->c, i));
            continue;
        }
        const int64_t last = sparse_begin(&s->c, i + 1);
        for (int64_t k = sparse_begin(&s->c, i); k < last; k++) {
            const int64_t place = sparse_place(&s->c, k);
            make_value(s, k, by_columns ? place : i, by_columns ? i : place);
        }
    }
}

/* Declare the accesses. */
static void arrays(const void *self)
{
    const struct sampled *s = self;
    const struct sparse_number beta = sparse_scalar_value(&s->beta);
    const bool reads = beta.re != 0 || beta.im != 0;

    sparse_scalar_array("alpha", &s->alpha);
    sparse_scalar_array("beta", &s->beta);
    sparse_dense_array("A", &s->a_stored, SOFTGPU_READS);
    sparse_dense_array("B", &s->b_stored, SOFTGPU_READS);
    sparse_matrix_arrays(&s->c, reads ? SOFTGPU_READS | SOFTGPU_WRITES
                                      : SOFTGPU_WRITES);
}

/* Check the arguments, and describe the call. */
static cusparseStatus_t describe(
    struct sampled *s, cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstDnMatDescr_t a,
    cusparseConstDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
    cudaDataType compute_type)
{
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(alpha && a && b && beta && c
                         && sparse_is_operation(op_a)
                         && sparse_is_operation(op_b));
    const struct operand x = operand_of(a, op_a), y = operand_of(b, op_b);
    SPARSE_REQUIRE_VALUE(x.rows == c->rows && y.columns == c->cols
                         && x.columns == y.rows);
    SPARSE_REQUIRE_SUPPORTED(
        c->type == compute_type
            && sparse_types_fit(compute_type, c->type, a->type, b->type),
        SPARSE_TYPES);
    *s = (struct sampled){.a = x, .b = y, .a_stored = *a, .b_stored = *b,
                          .c = *c,
                          .alpha = sparse_scalar(handle, alpha, compute_type),
                          .beta = sparse_scalar(handle, beta, compute_type)};
    return CUSPARSE_STATUS_SUCCESS;
}

/* Bytes of the external buffer: 0. */
cusparseStatus_t cusparseSDDMM_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstDnMatDescr_t a,
    cusparseConstDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
    cudaDataType compute_type, cusparseSDDMMAlg_t algorithm, size_t *bytes)
{
    SOFTGPU_LIBRARY_CALL();
    struct sampled s;

    (void)algorithm;
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(bytes);
    *bytes = 0;
    return describe(&s, handle, op_a, op_b, alpha, a, b, beta, c,
                    compute_type);
}

/* Only the arguments are checked. */
cusparseStatus_t cusparseSDDMM_preprocess(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstDnMatDescr_t a,
    cusparseConstDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
    cudaDataType compute_type, cusparseSDDMMAlg_t algorithm, void *buffer)
{
    SOFTGPU_LIBRARY_CALL();
    struct sampled s;

    (void)algorithm, (void)buffer;
    return describe(&s, handle, op_a, op_b, alpha, a, b, beta, c,
                    compute_type);
}

/* C = alpha op(A) op(B) + beta C where C has values. */
cusparseStatus_t cusparseSDDMM(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstDnMatDescr_t a,
    cusparseConstDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
    cudaDataType compute_type, cusparseSDDMMAlg_t algorithm, void *buffer)
{
    SOFTGPU_LIBRARY_CALL();
    struct sampled s;
    const cusparseStatus_t status = describe(&s, handle, op_a, op_b, alpha, a,
                                             b, beta, c, compute_type);

    (void)algorithm, (void)buffer;
    if (status || !c->nnz)
        return status;
    const int64_t parts = (count(&s) + CHUNK - 1) / CHUNK;
    SPARSE_REQUIRE_SUPPORTED(parts < INT32_MAX, "C is too large");
    s.call = (struct softgpu_library_call){
        .name = "cusparseSDDMM", .run = run, .arrays = arrays,
        .parts = (unsigned)parts,
        .operations = 2 * (double)c->nnz * (double)s.a.columns,
        .bytes = 8 * (double)c->nnz, .site = softgpu_call_site};
    return sparse_submit(handle, &s, sizeof s);
}
