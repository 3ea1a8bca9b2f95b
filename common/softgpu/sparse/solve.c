/* SPDX-License-Identifier: MIT */
/* Triangular solutions, each vector on one OS thread: a row waits for those
 * before it. */
#include <stdlib.h>

#include "common/softgpu/core/core.h"
#include "sparse.h"

/** Of cusparseSpSV_createDescr(). */
struct cusparseSpSVDescr {
    bool analyzed;
};

/** Vectors: element i of vector j is values[i * step + j * next]. */
struct vectors {
    cudaDataType type;
    void *values;
    int64_t step, next;
    bool conjugate;
};

/** Arguments of a triangular solution. */
struct solution {
    struct softgpu_library_call call;
    struct cusparseSpMatDescr a;
    struct vectors x, y;
    struct cusparseDnMatDescr b, c;
    bool is_matrix; /**< else B and C are vectors */
    cusparseOperation_t op;
    struct sparse_scalar alpha;
};

/* a / b. */
static struct sparse_number divide(struct sparse_number a,
                                   struct sparse_number b)
{
    const double norm = b.re * b.re + b.im * b.im;

    if (a.im == 0 && b.im == 0)
        return (struct sparse_number){a.re / b.re, 0};
    return (struct sparse_number){(a.re * b.re + a.im * b.im) / norm,
                                  (a.im * b.re - a.re * b.im) / norm};
}

/* A value of op(A). */
static struct sparse_number value(const struct solution *s, int64_t k)
{
    struct sparse_number a = sparse_load(s->a.type, s->a.values, k);

    if (s->op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)
        a.im = -a.im;
    return a;
}

/* The diagonal's value in a line; 0 without one. */
static struct sparse_number diagonal(const struct solution *s, int64_t line)
{
    const int64_t end = sparse_begin(&s->a, line + 1);

    for (int64_t k = sparse_begin(&s->a, line); k < end; k++)
        if (sparse_place(&s->a, k) == line)
            return value(s, k);
    return (struct sparse_number){0, 0};
}

/* Subtract what a line and the solution so far add, or what the new element
 * adds to those that follow. */
static void use_line(const struct solution *s, int64_t line, bool by_rows,
                     struct sparse_number *y)
{
    const bool upper = s->a.format == CUSPARSE_FORMAT_CSC ? !s->a.upper
                                                          : s->a.upper;
    const int64_t end = sparse_begin(&s->a, line + 1);

    for (int64_t k = sparse_begin(&s->a, line); k < end; k++) {
        const int64_t place = sparse_place(&s->a, k);
        struct sparse_number a = value(s, k);
        if (place == line || (place > line) != upper)
            continue;
        a.re = -a.re;
        a.im = -a.im;
        if (by_rows)
            y[line] = sparse_add_product(a, y[place], y[line]);
        else
            y[place] = sparse_add_product(a, y[line], y[place]);
    }
}

/* alpha times element i of vector j. */
static struct sparse_number right_side(const struct solution *s, int64_t i,
                                       int64_t j)
{
    static const struct sparse_number zero;
    struct sparse_number x = sparse_load(
        s->x.type, s->x.values, i * s->x.step + j * s->x.next);

    if (s->x.conjugate)
        x.im = -x.im;
    return sparse_add_product(sparse_scalar_value(&s->alpha), x, zero);
}

/* Solve for vector j in a copy of alpha X, from the first row on or from the
 * last. */
static void solve(const struct solution *s, int64_t j)
{
    const int64_t n = s->a.rows;
    const bool transposed = s->op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const bool by_rows =
        (s->a.format == CUSPARSE_FORMAT_CSC) == transposed;
    const bool backward = s->a.upper != transposed;
    struct sparse_number *y = malloc(((size_t)n + 1) * sizeof *y);

    if (!y)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "no memory for a solution");
    for (int64_t i = 0; i < n; i++)
        y[i] = right_side(s, i, j);
    for (int64_t i = 0; i < n; i++) {
        const int64_t line = backward ? n - 1 - i : i;
        if (by_rows)
            use_line(s, line, true, y);
        if (!s->a.unit)
            y[line] = divide(y[line], diagonal(s, line));
        if (!by_rows)
            use_line(s, line, false, y);
    }
    for (int64_t i = 0; i < n; i++)
        sparse_store(s->y.type, s->y.values, i * s->y.step + j * s->y.next,
                     y[i]);
    free(y);
}

/* Solve for vector `part`; a COO matrix as a CSR one. */
static void run_solution(const void *self, unsigned part)
{
    struct solution s = *(const struct solution *)self;
    int64_t *offsets = NULL;
    const size_t nnz = (size_t)s.a.nnz, rows = (size_t)s.a.rows + 2;

    if (s.a.format == CUSPARSE_FORMAT_COO) {
        offsets = calloc(rows + nnz + 2 * nnz, sizeof *offsets);
        if (!offsets)
            softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "no memory for a solution");
        sparse_sort_rows(&s.a, offsets, offsets + rows,
                         (char *)(offsets + rows + nnz));
    }
    solve(&s, part);
    free(offsets);
}

/* Declare the accesses of a solution. */
static void arrays_solution(const void *self)
{
    const struct solution *s = self;

    sparse_scalar_array("alpha", &s->alpha);
    sparse_matrix_arrays(&s->a, SOFTGPU_READS);
    sparse_dense_array(s->is_matrix ? "B" : "X", &s->b, SOFTGPU_READS);
    sparse_dense_array(s->is_matrix ? "C" : "Y", &s->c, SOFTGPU_WRITES);
}

/* A vector as a matrix of one column. */
static struct cusparseDnMatDescr column(cusparseConstDnVecDescr_t x)
{
    return (struct cusparseDnMatDescr){x->size, 1, x->size ? x->size : 1,
                                       x->values, x->type,
                                       CUSPARSE_ORDER_COL};
}

/* The columns of op(B). */
static struct vectors vectors_of(const struct cusparseDnMatDescr *b,
                                 cusparseOperation_t op)
{
    const bool transposed = op != CUSPARSE_OPERATION_NON_TRANSPOSE,
               by_columns = (b->order == CUSPARSE_ORDER_COL) != transposed;

    return (struct vectors){b->type, b->values, by_columns ? 1 : b->ld,
                            by_columns ? b->ld : 1,
                            op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
}

/* Submit a solution for the columns of op(B). */
static cusparseStatus_t submit(cusparseHandle_t handle, struct solution *s,
                               const char *name, cusparseOperation_t op_b)
{
    const double work = (double)s->a.nnz * (double)s->c.cols;

    if (!s->a.rows || !s->c.cols)
        return CUSPARSE_STATUS_SUCCESS;
    s->call = (struct softgpu_library_call){
        .name = name, .run = run_solution, .arrays = arrays_solution,
        .parts = (unsigned)s->c.cols, .operations = 2 * work,
        .bytes = 12 * (double)s->a.nnz + 8 * (double)s->c.cols,
        .site = softgpu_call_site};
    s->x = vectors_of(&s->b, op_b);
    s->y = vectors_of(&s->c, CUSPARSE_OPERATION_NON_TRANSPOSE);
    return sparse_submit(handle, s, sizeof *s);
}

/* --- one vector ----------------------------------------------------------- */

/* A descriptor that cusparseSpSV_analysis() is to be given first. */
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *solution)
{
    SPARSE_REQUIRE_VALUE(solution);
    *solution = calloc(1, sizeof **solution);
    return *solution ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

/* Free one; NULL is CUSPARSE_STATUS_INVALID_VALUE. */
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t solution)
{
    SPARSE_REQUIRE_VALUE(solution);
    free(solution);
    return CUSPARSE_STATUS_SUCCESS;
}

/* The defect of the arguments. */
static cusparseStatus_t check(cusparseHandle_t handle, cusparseOperation_t op,
                              const void *alpha, cusparseConstSpMatDescr_t a,
                              cusparseConstDnVecDescr_t x,
                              cusparseConstDnVecDescr_t y,
                              cudaDataType compute_type)
{
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(alpha && a && x && y && a->rows == a->cols
                         && x->size == a->rows && y->size == a->rows
                         && sparse_is_operation(op));
    SPARSE_REQUIRE_SUPPORTED(
        sparse_types_fit(compute_type, a->type, x->type, y->type),
        SPARSE_TYPES);
    return CUSPARSE_STATUS_SUCCESS;
}

/* Bytes of the external buffer: 0. */
cusparseStatus_t cusparseSpSV_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
    cusparseDnVecDescr_t y, cudaDataType compute_type,
    cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t solution, size_t *bytes)
{
    SOFTGPU_LIBRARY_CALL();
    (void)algorithm;
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(solution && bytes);
    *bytes = 0;
    return check(handle, op, alpha, a, x, y, compute_type);
}

/* Check the arguments, and note that it was called. */
cusparseStatus_t cusparseSpSV_analysis(
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
    cusparseDnVecDescr_t y, cudaDataType compute_type,
    cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t solution, void *buffer)
{
    SOFTGPU_LIBRARY_CALL();
    (void)algorithm, (void)buffer;
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(solution);
    const cusparseStatus_t status = check(handle, op, alpha, a, x, y,
                                          compute_type);
    solution->analyzed = !status;
    return status;
}

/* Solve op(A) Y = alpha X.  Without an analysis before it is
 * CUSPARSE_STATUS_INVALID_VALUE. */
cusparseStatus_t cusparseSpSV_solve(
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
    cusparseDnVecDescr_t y, cudaDataType compute_type,
    cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t solution)
{
    SOFTGPU_LIBRARY_CALL();
    const cusparseStatus_t status = check(handle, op, alpha, a, x, y,
                                          compute_type);
    (void)algorithm;
    if (status)
        return status;
    SPARSE_REQUIRE_VALUE(solution && solution->analyzed);
    struct solution s = {
        .a = *a, .b = column(x), .c = column(y), .op = op,
        .alpha = sparse_scalar(handle, alpha, compute_type)};
    return submit(handle, &s, "cusparseSpSV_solve",
                  CUSPARSE_OPERATION_NON_TRANSPOSE);
}

/* --- the columns of a matrix ---------------------------------------------- */

/* A descriptor that cusparseSpSM_analysis() is to be given first. */
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *solution)
{
    return cusparseSpSV_createDescr((cusparseSpSVDescr_t *)solution);
}

/* Free one; NULL is CUSPARSE_STATUS_INVALID_VALUE. */
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t solution)
{
    return cusparseSpSV_destroyDescr((cusparseSpSVDescr_t)solution);
}

/* The defect of the arguments. */
static cusparseStatus_t check_matrices(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstDnMatDescr_t b, cusparseConstDnMatDescr_t c,
    cudaDataType compute_type)
{
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(alpha && a && b && c && a->rows == a->cols
                         && sparse_is_operation(op_a)
                         && sparse_is_operation(op_b) && c->rows == a->rows
                         && c->cols <= UINT32_MAX);
    const bool transposed = op_b != CUSPARSE_OPERATION_NON_TRANSPOSE;
    SPARSE_REQUIRE_VALUE((transposed ? b->cols : b->rows) == c->rows
                         && (transposed ? b->rows : b->cols) == c->cols);
    SPARSE_REQUIRE_SUPPORTED(
        sparse_types_fit(compute_type, a->type, b->type, c->type),
        SPARSE_TYPES);
    return CUSPARSE_STATUS_SUCCESS;
}

/* Bytes of the external buffer: 0. */
cusparseStatus_t cusparseSpSM_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c,
    cudaDataType compute_type, cusparseSpSMAlg_t algorithm,
    cusparseSpSMDescr_t solution, size_t *bytes)
{
    SOFTGPU_LIBRARY_CALL();
    (void)algorithm;
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(solution && bytes);
    *bytes = 0;
    return check_matrices(handle, op_a, op_b, alpha, a, b, c, compute_type);
}

/* Check the arguments, and note that it was called. */
cusparseStatus_t cusparseSpSM_analysis(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c,
    cudaDataType compute_type, cusparseSpSMAlg_t algorithm,
    cusparseSpSMDescr_t solution, void *buffer)
{
    SOFTGPU_LIBRARY_CALL();
    (void)algorithm, (void)buffer;
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(solution);
    const cusparseStatus_t status =
        check_matrices(handle, op_a, op_b, alpha, a, b, c, compute_type);
    ((cusparseSpSVDescr_t)solution)->analyzed = !status;
    return status;
}

/* Solve op(A) C = alpha op(B).  Without an analysis before it is
 * CUSPARSE_STATUS_INVALID_VALUE. */
cusparseStatus_t cusparseSpSM_solve(
    cusparseHandle_t handle, cusparseOperation_t op_a,
    cusparseOperation_t op_b, const void *alpha, cusparseConstSpMatDescr_t a,
    cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c,
    cudaDataType compute_type, cusparseSpSMAlg_t algorithm,
    cusparseSpSMDescr_t solution)
{
    SOFTGPU_LIBRARY_CALL();
    const cusparseStatus_t status =
        check_matrices(handle, op_a, op_b, alpha, a, b, c, compute_type);
    (void)algorithm;
    if (status)
        return status;
    SPARSE_REQUIRE_VALUE(solution
                         && ((cusparseSpSVDescr_t)solution)->analyzed);
    struct solution s = {
        .a = *a, .b = *b, .c = *c, .is_matrix = true, .op = op_a,
        .alpha = sparse_scalar(handle, alpha, compute_type)};
    return submit(handle, &s, "cusparseSpSM_solve", op_b);
}
