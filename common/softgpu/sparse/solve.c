/* SPDX-License-Identifier: MIT */
/* Triangular solutions, each on one OS thread: a row waits for those before
 * it. */
#include <stdlib.h>
#include <string.h>

#include "common/softgpu/core/core.h"
#include "sparse.h"

/** Of cusparseSpSV_createDescr(). */
struct cusparseSpSVDescr {
    bool analyzed;
};

/** Arguments of a triangular solution. */
struct solution {
    struct softgpu_library_call call;
    struct cusparseSpMatDescr a;
    struct cusparseDnVecDescr x, y;
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

/* Solve in a copy of alpha X, from the first row on or from the last. */
static void solve(const struct solution *s)
{
    const int64_t n = s->a.rows;
    const bool transposed = s->op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const bool by_rows =
        (s->a.format == CUSPARSE_FORMAT_CSC) == transposed;
    const bool backward = s->a.upper != transposed;
    const struct sparse_number alpha = sparse_scalar_value(&s->alpha);
    static const struct sparse_number zero;
    struct sparse_number *y = malloc(((size_t)n + 1) * sizeof *y);

    if (!y)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "no memory for a solution");
    for (int64_t i = 0; i < n; i++)
        y[i] = sparse_add_product(
            alpha, sparse_load(s->x.type, s->x.values, i), zero);
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
        sparse_store(s->y.type, s->y.values, i, y[i]);
    free(y);
}

/* Sort the values of a COO matrix by rows, in `offsets` (rows + 2), `columns`
 * and `values`; those of a row keep their order. */
static void sort_rows(struct cusparseSpMatDescr *a, int64_t *offsets,
                      int64_t *columns, char *values)
{
    const size_t bytes = sparse_bytes(a->type);

    for (int64_t k = 0; k < a->nnz; k++)
        offsets[sparse_row(a, k) + 2]++;
    for (int64_t row = 0; row < a->rows; row++)
        offsets[row + 2] += offsets[row + 1];
    for (int64_t k = 0; k < a->nnz; k++) {
        const int64_t to = offsets[sparse_row(a, k) + 1]++;
        columns[to] = sparse_place(a, k);
        memcpy(values + (size_t)to * bytes,
               (const char *)a->values + (size_t)k * bytes, bytes);
    }
    a->format = CUSPARSE_FORMAT_CSR;
    a->first = offsets;
    a->second = columns;
    a->values = values;
    a->first_type = a->second_type = CUSPARSE_INDEX_64I;
    a->base = 0;
}

/* Solve; a COO matrix as a CSR one. */
static void run_solution(const void *self, unsigned part)
{
    struct solution s = *(const struct solution *)self;
    int64_t *offsets = NULL;
    const size_t nnz = (size_t)s.a.nnz, rows = (size_t)s.a.rows + 2;

    (void)part;
    if (s.a.format == CUSPARSE_FORMAT_COO) {
        offsets = calloc(rows + nnz + 2 * nnz, sizeof *offsets);
        if (!offsets)
            softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "no memory for a solution");
        sort_rows(&s.a, offsets, offsets + rows,
                  (char *)(offsets + rows + nnz));
    }
    solve(&s);
    free(offsets);
}

/* Declare the accesses of a solution. */
static void arrays_solution(const void *self)
{
    const struct solution *s = self;

    sparse_scalar_array("alpha", &s->alpha);
    sparse_matrix_arrays(&s->a, SOFTGPU_READS);
    sparse_array("X", s->x.values, s->x.size, sparse_bytes(s->x.type),
                 SOFTGPU_READS);
    sparse_array("Y", s->y.values, s->y.size, sparse_bytes(s->y.type),
                 SOFTGPU_WRITES);
}

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
    if (!a->rows)
        return CUSPARSE_STATUS_SUCCESS;
    const struct solution s = {
        .call = {.name = "cusparseSpSV_solve", .run = run_solution,
                 .arrays = arrays_solution, .parts = 1,
                 .operations = 2 * (double)a->nnz,
                 .bytes = 12 * (double)a->nnz, .site = softgpu_call_site},
        .a = *a, .x = *x, .y = *y, .op = op,
        .alpha = sparse_scalar(handle, alpha, compute_type)};
    return sparse_submit(handle, &s, sizeof s);
}
