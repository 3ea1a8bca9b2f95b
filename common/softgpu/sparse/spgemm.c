/* SPDX-License-Identifier: MIT */
/* The product of two sparse matrices, row by row (Gustavson): each row of A
 * adds rows of B into a dense row.  The product stays in the descriptor until
 * it is copied; each step is a command on one OS thread that the call waits
 * for. */
#include <stdlib.h>
#include <string.h>

#include "common/softgpu/core/core.h"
#include "sparse.h"

enum { BUFFER_BYTES = 16 /* of each step; what matters is that it is one */ };

/** A product, owned. */
struct cusparseSpGEMMDescr {
    int64_t rows, nnz, capacity;
    int64_t products; /**< of values */
    int64_t *offsets; /**< rows + 1; NULL before the second step */
    int64_t *columns;
    struct sparse_number *values;
};

/** Arguments of a step. */
struct step {
    struct softgpu_library_call call;
    struct cusparseSpMatDescr a, b, c;
    struct sparse_scalar alpha, beta;
    cusparseSpGEMMDescr_t to;
};

/** A dense row. */
struct row {
    int64_t *seen;    /**< by column: number of the row + 1 that has it */
    struct sparse_number *sums;
    int64_t *columns; /**< those of the row */
    int64_t count;
};

/* --- commands ------------------------------------------------------------- */

static void run_count(const void *self, unsigned part)
{
    const struct step *s = self;

    (void)part;
    s->to->products = 0;
    for (int64_t k = 0; k < s->a.nnz; k++) {
        const int64_t row = sparse_place(&s->a, k);
        s->to->products += sparse_begin(&s->b, row + 1)
                           - sparse_begin(&s->b, row);
    }
}

/* Add value k of A times its row of B. */
static void add_products(const struct step *s, int64_t k, int64_t number,
                         struct row *row)
{
    const struct sparse_number v = sparse_load(s->a.type, s->a.values, k);
    const int64_t line = sparse_place(&s->a, k);

    for (int64_t i = sparse_begin(&s->b, line);
         i < sparse_begin(&s->b, line + 1); i++) {
        const int64_t at = sparse_place(&s->b, i);
        if (row->seen[at] != number) {
            row->seen[at] = number;
            row->sums[at] = (struct sparse_number){0, 0};
            row->columns[row->count++] = at;
        }
        row->sums[at] = sparse_add_product(
            v, sparse_load(s->b.type, s->b.values, i), row->sums[at]);
    }
}

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Room for more values.  @return 0, or -1 without memory */
static int make_room(cusparseSpGEMMDescr_t to, int64_t more)
{
    if (to->nnz + more <= to->capacity)
        return 0;
    const int64_t capacity = 2 * to->capacity + more;
    int64_t *columns =
        realloc(to->columns, (size_t)capacity * sizeof *columns);
    if (columns)
        to->columns = columns;
    struct sparse_number *values =
        realloc(to->values, (size_t)capacity * sizeof *values);
    if (values)
        to->values = values;
    if (columns && values)
        to->capacity = capacity;
    return columns && values ? 0 : -1;
}

/* Append a row.  @return 0, or -1 without memory */
static int append(const struct step *s, struct row *row)
{
    static const struct sparse_number zero;
    const struct sparse_number alpha = sparse_scalar_value(&s->alpha);

    if (make_room(s->to, row->count))
        return -1;
    qsort(row->columns, (size_t)row->count, sizeof *row->columns, compare);
    for (int64_t i = 0; i < row->count; i++) {
        s->to->columns[s->to->nnz] = row->columns[i];
        s->to->values[s->to->nnz++] = sparse_add_product(
            alpha, row->sums[row->columns[i]], zero);
    }
    row->count = 0;
    return 0;
}

/* @return 0, or -1 without memory */
static int multiply(const struct step *s, struct row *row)
{
    cusparseSpGEMMDescr_t to = s->to;

    to->nnz = 0;
    for (int64_t i = 0; i < s->a.rows; i++) {
        to->offsets[i] = to->nnz;
        for (int64_t k = sparse_begin(&s->a, i);
             k < sparse_begin(&s->a, i + 1); k++)
            add_products(s, k, i + 1, row);
        if (append(s, row))
            return -1;
    }
    to->offsets[s->a.rows] = to->nnz;
    return 0;
}

static void run_multiply(const void *self, unsigned part)
{
    const struct step *s = self;
    const size_t columns = (size_t)s->b.cols + 1;
    struct row row = {.seen = calloc(columns, sizeof *row.seen),
                      .sums = malloc(columns * sizeof *row.sums),
                      .columns = malloc(columns * sizeof *row.columns)};

    (void)part;
    const int failed = !row.seen || !row.sums || !row.columns
                       || multiply(s, &row);
    free(row.seen);
    free(row.sums);
    free(row.columns);
    if (failed)
        softgpu_fail(SOFTGPU_OUT_OF_MEMORY, "no memory for the product");
}

static void run_copy(const void *self, unsigned part)
{
    const struct step *s = self;
    const struct cusparseSpMatDescr *c = &s->c;
    const struct sparse_number beta = sparse_scalar_value(&s->beta);

    (void)part;
    for (int64_t i = 0; i <= c->rows; i++)
        sparse_set_index(c->first_type, c->first, i,
                         s->to->offsets[i] + c->base);
    for (int64_t k = 0; k < s->to->nnz; k++) {
        struct sparse_number v = s->to->values[k];
        if (beta.re != 0 || beta.im != 0)
            v = sparse_add_product(beta, sparse_load(c->type, c->values, k),
                                   v);
        sparse_set_index(c->second_type, c->second, k,
                         s->to->columns[k] + c->base);
        sparse_store(c->type, c->values, k, v);
    }
}

static void read_arrays(const void *self)
{
    const struct step *s = self;

    sparse_matrix_arrays(&s->a, SOFTGPU_READS);
    sparse_matrix_arrays(&s->b, SOFTGPU_READS);
    sparse_scalar_array("alpha", &s->alpha);
}

static void written_arrays(const void *self)
{
    const struct step *s = self;
    const struct cusparseSpMatDescr *c = &s->c;
    const size_t first = c->first_type == CUSPARSE_INDEX_64I ? 8 : 4,
                 second = c->second_type == CUSPARSE_INDEX_64I ? 8 : 4;
    const bool reads = s->beta.at || s->beta.value.re != 0
                       || s->beta.value.im != 0;

    sparse_scalar_array("beta", &s->beta);
    sparse_array("offsets", c->first, c->rows + 1, first, SOFTGPU_WRITES);
    sparse_array("columns", c->second, c->nnz, second, SOFTGPU_WRITES);
    sparse_array("values", c->values, c->nnz, sparse_bytes(c->type),
                 reads ? SOFTGPU_READS | SOFTGPU_WRITES : SOFTGPU_WRITES);
}

/* --- the calls ------------------------------------------------------------ */

/* Check what all steps are given, and describe one. */
static cusparseStatus_t describe(
    struct step *s, cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstSpMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
    cudaDataType type, cusparseSpGEMMAlg_t algorithm,
    cusparseSpGEMMDescr_t product)
{
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(alpha && a && b && beta && c && product);
    SPARSE_REQUIRE_VALUE((unsigned)algorithm <= CUSPARSE_SPGEMM_ALG3
                         && sparse_is_operation(op_a)
                         && sparse_is_operation(op_b));
    SPARSE_REQUIRE_VALUE(a->cols == b->rows && c->rows == a->rows
                         && c->cols == b->cols);
    SPARSE_REQUIRE_SUPPORTED(op_a == CUSPARSE_OPERATION_NON_TRANSPOSE
                                 && op_b == CUSPARSE_OPERATION_NON_TRANSPOSE,
                             "A or B is transposed");
    SPARSE_REQUIRE_SUPPORTED(a->format == CUSPARSE_FORMAT_CSR
                                 && b->format == CUSPARSE_FORMAT_CSR
                                 && c->format == CUSPARSE_FORMAT_CSR,
                             "a matrix is not in CSR");
    SPARSE_REQUIRE_SUPPORTED(sparse_bytes(type) && a->type == type
                                 && b->type == type && c->type == type,
                             SPARSE_TYPES);
    *s = (struct step){.a = *a, .b = *b, .c = *c, .to = product,
                       .alpha = sparse_scalar(handle, alpha, type),
                       .beta = sparse_scalar(handle, beta, type)};
    return CUSPARSE_STATUS_SUCCESS;
}

/* Submit a step and wait for it. */
static cusparseStatus_t run(cusparseHandle_t handle, struct step *s,
                            const char *name,
                            void (*command)(const void *, unsigned),
                            void (*arrays)(const void *))
{
    s->call = (struct softgpu_library_call){
        .name = name, .run = command, .arrays = arrays, .parts = 1,
        .operations = 2 * (double)s->to->products,
        .bytes = 12 * (double)s->to->products, .site = softgpu_call_site};
    const cusparseStatus_t status = sparse_submit(handle, s, sizeof *s);
    if (status)
        return status;
    return cudaStreamSynchronize(handle->stream)
               ? CUSPARSE_STATUS_EXECUTION_FAILED
               : CUSPARSE_STATUS_SUCCESS;
}

/* A descriptor without a product. */
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *product)
{
    SPARSE_REQUIRE_VALUE(product);
    *product = calloc(1, sizeof **product);
    return *product ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

/* NULL is CUSPARSE_STATUS_INVALID_VALUE. */
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t product)
{
    SPARSE_REQUIRE_VALUE(product);
    free(product->offsets);
    free(product->columns);
    free(product->values);
    free(product);
    return CUSPARSE_STATUS_SUCCESS;
}

/* Count products, or without a buffer give its size. */
cusparseStatus_t cusparseSpGEMM_workEstimation(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstSpMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
    cudaDataType compute_type, cusparseSpGEMMAlg_t algorithm,
    cusparseSpGEMMDescr_t product, size_t *bytes, void *buffer)
{
    SOFTGPU_LIBRARY_CALL();
    struct step s;
    const cusparseStatus_t status = describe(
        &s, handle, op_a, op_b, alpha, a, b, beta, c, compute_type, algorithm,
        product);

    if (status)
        return status;
    SPARSE_REQUIRE_VALUE(bytes);
    if (buffer)
        return run(handle, &s, "cusparseSpGEMM_workEstimation", run_count,
                   read_arrays);
    *bytes = BUFFER_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}

/* 0 before the first step. */
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t product,
                                               int64_t *count)
{
    SPARSE_REQUIRE_VALUE(product && count);
    *count = product->products;
    return CUSPARSE_STATUS_SUCCESS;
}

/* Sizes alone. */
cusparseStatus_t cusparseSpGEMM_estimateMemory(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstSpMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
    cudaDataType compute_type, cusparseSpGEMMAlg_t algorithm,
    cusparseSpGEMMDescr_t product, float fraction, size_t *bytes3,
    void *buffer3, size_t *bytes2)
{
    SOFTGPU_LIBRARY_CALL();
    struct step s;
    const cusparseStatus_t status = describe(
        &s, handle, op_a, op_b, alpha, a, b, beta, c, compute_type, algorithm,
        product);

    if (status)
        return status;
    SPARSE_REQUIRE_VALUE(bytes3 && fraction > 0 && fraction <= 1
                         && (bytes2 || !buffer3));
    SPARSE_REQUIRE_SUPPORTED(algorithm == CUSPARSE_SPGEMM_ALG2
                                 || algorithm == CUSPARSE_SPGEMM_ALG3,
                             "the algorithm is not CUSPARSE_SPGEMM_ALG2 or 3");
    *bytes3 = BUFFER_BYTES;
    if (bytes2)
        *bytes2 = BUFFER_BYTES;
    return CUSPARSE_STATUS_SUCCESS;
}

/* Multiply, or without a buffer give its size. */
cusparseStatus_t cusparseSpGEMM_compute(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstSpMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
    cudaDataType compute_type, cusparseSpGEMMAlg_t algorithm,
    cusparseSpGEMMDescr_t product, size_t *bytes, void *buffer)
{
    SOFTGPU_LIBRARY_CALL();
    struct step s;
    cusparseStatus_t status = describe(
        &s, handle, op_a, op_b, alpha, a, b, beta, c, compute_type, algorithm,
        product);

    if (status)
        return status;
    SPARSE_REQUIRE_VALUE(bytes);
    if (!buffer) {
        *bytes = BUFFER_BYTES;
        return CUSPARSE_STATUS_SUCCESS;
    }
    SPARSE_REQUIRE(*bytes >= BUFFER_BYTES,
                   CUSPARSE_STATUS_INSUFFICIENT_RESOURCES);
    free(product->offsets);
    product->offsets = malloc(((size_t)a->rows + 1) * sizeof(int64_t));
    SPARSE_REQUIRE(product->offsets, CUSPARSE_STATUS_ALLOC_FAILED);
    product->rows = a->rows;
    status = run(handle, &s, "cusparseSpGEMM_compute", run_multiply,
                 read_arrays);
    if (!status)
        c->nnz = product->nnz;
    return status;
}

/* Write C; before the second step it is CUSPARSE_STATUS_INVALID_VALUE. */
cusparseStatus_t cusparseSpGEMM_copy(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstSpMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,
    cudaDataType compute_type, cusparseSpGEMMAlg_t algorithm,
    cusparseSpGEMMDescr_t product)
{
    SOFTGPU_LIBRARY_CALL();
    struct step s;
    const cusparseStatus_t status = describe(
        &s, handle, op_a, op_b, alpha, a, b, beta, c, compute_type, algorithm,
        product);

    if (status)
        return status;
    SPARSE_REQUIRE_VALUE(product->offsets && product->rows == c->rows
                         && product->nnz == c->nnz);
    return run(handle, &s, "cusparseSpGEMM_copy", run_copy, written_arrays);
}
