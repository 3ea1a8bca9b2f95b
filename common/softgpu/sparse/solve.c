/* SPDX-License-Identifier: MIT */
/* Triangular solutions and incomplete LU, each on one OS thread: a row waits for
 * those before it. */
#include <stdlib.h>

#include "common/softgpu/core/core.h"
#include "sparse.h"

/** Of cusparseSpSV_createDescr(). */
struct cusparseSpSVDescr {
    bool analyzed;
};
/** Of cusparseCreateCsrilu02Info(). */
struct csrilu02Info {
    int unused;
};

/** Arguments of a triangular solution. */
struct solution {
    struct softgpu_library_call call;
    struct cusparseSpMatDescr a;
    struct cusparseDnVecDescr x, y;
    cusparseOperation_t op;
    struct sparse_scalar alpha;
};

/* --- triangular ----------------------------------------------------------------------- */

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
static void run_solution(const void *self, unsigned part)
{
    const struct solution *s = self;
    const int64_t n = s->a.rows;
    const bool transposed = s->op != CUSPARSE_OPERATION_NON_TRANSPOSE;
    const bool by_rows =
        (s->a.format == CUSPARSE_FORMAT_CSC) == transposed;
    const bool backward = s->a.upper != transposed;
    const struct sparse_number alpha = sparse_scalar_value(&s->alpha);
    static const struct sparse_number zero;
    struct sparse_number *y = malloc(((size_t)n + 1) * sizeof *y);

    (void)part;
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

/* What is wrong with the arguments. */
static cusparseStatus_t check(cusparseHandle_t handle, const void *alpha,
                              cusparseConstSpMatDescr_t a,
                              cusparseConstDnVecDescr_t x,
                              cusparseConstDnVecDescr_t y,
                              cudaDataType compute_type)
{
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(alpha && a && x && y && a->rows == a->cols
                         && x->size == a->rows && y->size == a->rows);
    SPARSE_REQUIRE(a->format != CUSPARSE_FORMAT_COO
                       && sparse_bytes(compute_type),
                   CUSPARSE_STATUS_NOT_SUPPORTED);
    return CUSPARSE_STATUS_SUCCESS;
}

/* Bytes of the external buffer: 0. */
cusparseStatus_t cusparseSpSV_bufferSize(
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
    cusparseDnVecDescr_t y, cudaDataType compute_type,
    cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t solution, size_t *bytes)
{
    (void)op, (void)algorithm;
    SPARSE_REQUIRE_VALUE(solution && bytes);
    *bytes = 0;
    return check(handle, alpha, a, x, y, compute_type);
}

/* Check the arguments, and note that it was called. */
cusparseStatus_t cusparseSpSV_analysis(
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
    cusparseDnVecDescr_t y, cudaDataType compute_type,
    cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t solution, void *buffer)
{
    (void)op, (void)algorithm, (void)buffer;
    SPARSE_REQUIRE_VALUE(solution);
    solution->analyzed = true;
    return check(handle, alpha, a, x, y, compute_type);
}

/* Solve op(A) Y = alpha X.  Without an analysis before it is
 * CUSPARSE_STATUS_INVALID_VALUE; COO is CUSPARSE_STATUS_NOT_SUPPORTED. */
cusparseStatus_t cusparseSpSV_solve(
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
    cusparseDnVecDescr_t y, cudaDataType compute_type,
    cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t solution)
{
    const cusparseStatus_t status = check(handle, alpha, a, x, y,
                                          compute_type);
    (void)algorithm;
    if (status)
        return status;
    SPARSE_REQUIRE_VALUE(solution && solution->analyzed);
    if (!a->rows)
        return CUSPARSE_STATUS_SUCCESS;
    softgpu_call_site = SOFTGPU_CALLER;
    const struct solution s = {
        .call = {.name = "cusparseSpSV_solve", .run = run_solution,
                 .arrays = arrays_solution, .parts = 1,
                 .operations = 2 * (double)a->nnz,
                 .bytes = 12 * (double)a->nnz, .site = softgpu_call_site},
        .a = *a, .x = *x, .y = *y, .op = op,
        .alpha = sparse_scalar(handle, alpha, compute_type)};
    return sparse_submit(handle, &s, sizeof s);
}

/* --- incomplete LU ---------------------------------------------------------------------- */

/** Arguments of a factorization. */
struct factorization {
    struct softgpu_library_call call;
    struct cusparseSpMatDescr a;
};

/* Subtract `factor` times row `from`, right of its diagonal, from the values
 * that row `to` has. */
static void subtract_row(const struct cusparseSpMatDescr *a, double factor,
                         int64_t from, int64_t to)
{
    static const struct sparse_number zero;
    const int64_t end = sparse_begin(a, to + 1);
    int64_t at = sparse_begin(a, to);

    for (int64_t k = sparse_begin(a, from); k < sparse_begin(a, from + 1);
         k++) {
        const int64_t place = sparse_place(a, k);
        while (at < end && sparse_place(a, at) < place)
            at++;
        if (place <= from || at == end || sparse_place(a, at) != place)
            continue;
        struct sparse_number v = sparse_load(a->type, a->values, at);
        v.re -= factor * sparse_load(a->type, a->values, k).re;
        sparse_store(a->type, a->values, at,
                     (struct sparse_number){v.re, zero.im});
    }
}

/* Row by row, from the rows above. */
static void run_factorization(const void *self, unsigned part)
{
    const struct cusparseSpMatDescr *a =
        &((const struct factorization *)self)->a;
    double *pivots = calloc((size_t)a->rows + 1, sizeof *pivots);

    (void)part;
    if (!pivots)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "no memory for the factors");
    for (int64_t row = 0; row < a->rows; row++)
        for (int64_t k = sparse_begin(a, row); k < sparse_begin(a, row + 1);
             k++) {
            const int64_t place = sparse_place(a, k);
            struct sparse_number v = sparse_load(a->type, a->values, k);
            if (place == row)
                pivots[row] = v.re;
            if (place >= row)
                continue;
            v.re /= pivots[place];
            sparse_store(a->type, a->values, k, v);
            v = sparse_load(a->type, a->values, k);
            subtract_row(a, v.re, place, row);
        }
    free(pivots);
}

/* Declare the accesses of a factorization, which is in place. */
static void arrays_factorization(const void *self)
{
    sparse_matrix_arrays(&((const struct factorization *)self)->a,
                         SOFTGPU_READS | SOFTGPU_WRITES);
}

/* What the analysis would fill in: nothing here. */
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info)
{
    SPARSE_REQUIRE_VALUE(info);
    *info = calloc(1, sizeof **info);
    return *info ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

/* Free one; NULL is CUSPARSE_STATUS_INVALID_VALUE. */
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info)
{
    SPARSE_REQUIRE_VALUE(info);
    free(info);
    return CUSPARSE_STATUS_SUCCESS;
}

/* Factorize, or with no name only check. */
static cusparseStatus_t factorize(cusparseHandle_t handle, const char *name,
                                  struct cusparseSpMatDescr a,
                                  const struct cusparseMatDescr *matrix,
                                  csrilu02Info_t info)
{
    SPARSE_REQUIRE_HANDLE(handle);
    SPARSE_REQUIRE_VALUE(matrix && info && a.rows >= 0 && a.nnz >= 0
                         && (!a.nnz || (a.first && a.second && a.values)));
    SPARSE_REQUIRE(matrix->type == CUSPARSE_MATRIX_TYPE_GENERAL,
                   CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
    if (!name || !a.rows)
        return CUSPARSE_STATUS_SUCCESS;
    a.base = matrix->base;
    const struct factorization f = {
        .call = {.name = name, .run = run_factorization,
                 .arrays = arrays_factorization, .parts = 1,
                 .operations = 8 * (double)a.nnz,
                 .bytes = 16 * (double)a.nnz, .site = softgpu_call_site},
        .a = a};
    return sparse_submit(handle, &f, sizeof f);
}

#define CSR(type)                                                             \
    (struct cusparseSpMatDescr){CUSPARSE_FORMAT_CSR, m, m, nnz,               \
                                (void *)offsets, (void *)columns,             \
                                (void *)values, CUSPARSE_INDEX_32I,           \
                                CUSPARSE_INDEX_32I, 0, type, false, false}
/* The three calls of a type. */
#define ILU(P, T, type)                                                       \
    cusparseStatus_t cusparse##P##csrilu02_bufferSize(                        \
        cusparseHandle_t handle, int m, int nnz,                              \
        const cusparseMatDescr_t matrix, T *values, const int *offsets,       \
        const int *columns, csrilu02Info_t info, int *bytes)                  \
    {                                                                         \
        SPARSE_REQUIRE_VALUE(bytes);                                          \
        *bytes = 0;                                                           \
        return factorize(handle, NULL, CSR(type), matrix, info);              \
    }                                                                         \
    cusparseStatus_t cusparse##P##csrilu02_analysis(                          \
        cusparseHandle_t handle, int m, int nnz,                              \
        const cusparseMatDescr_t matrix, const T *values, const int *offsets, \
        const int *columns, csrilu02Info_t info,                              \
        cusparseSolvePolicy_t policy, void *buffer)                           \
    {                                                                         \
        (void)policy, (void)buffer;                                           \
        return factorize(handle, NULL, CSR(type), matrix, info);              \
    }                                                                         \
    cusparseStatus_t cusparse##P##csrilu02(                                   \
        cusparseHandle_t handle, int m, int nnz,                              \
        const cusparseMatDescr_t matrix, T *values, const int *offsets,       \
        const int *columns, csrilu02Info_t info,                              \
        cusparseSolvePolicy_t policy, void *buffer)                           \
    {                                                                         \
        (void)policy, (void)buffer;                                           \
        softgpu_call_site = SOFTGPU_CALLER;                                   \
        return factorize(handle, "cusparse" #P "csrilu02", CSR(type), matrix, \
                         info);                                               \
    }
ILU(S, float, CUDA_R_32F)
ILU(D, double, CUDA_R_64F)
