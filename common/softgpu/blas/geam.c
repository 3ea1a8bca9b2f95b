/* SPDX-License-Identifier: MIT */
/* Element-wise operations on matrices: geam and dgmm. */
#include <limits.h>

#include "blas.h"

enum { TILE = 32 }; /* columns per part */

/** Arguments of a call. */
struct elementwise {
    struct softgpu_library_call call;
    struct blas_array a, b, c; /* as stored */
    bool ta, tb;
    struct blas_scalar alpha, beta;
    struct blas_vector x; /* dgmm's diagonal */
    bool left;
};

/* Load an element of op(A). */
static double load_op(const struct blas_array *a, bool transposed, int64_t row,
                      int64_t column)
{
    const int64_t at =
        transposed ? column + row * a->ld : row + column * a->ld;

    return blas_load_real(a->type, a->ptr, at);
}

/* Matrices are column-major. */
static void store_element(const struct elementwise *e, int64_t row,
                          int64_t column, double value)
{
    blas_store_real(e->c.type, (void *)(uintptr_t)e->c.ptr,
                    row + column * e->c.ld, value);
}

/* The smaller one. */
static int64_t min_size(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Compute a tile of C.  With a factor of 0 the matrix is not read. */
static void add_tile(const struct elementwise *e, const double factor[2],
                     int64_t row, int64_t column)
{
    const int64_t rows = min_size(row + TILE, e->c.rows);
    const int64_t columns = min_size(column + TILE, e->c.columns);

    for (int64_t j = column; j < columns; j++)
        for (int64_t i = row; i < rows; i++)
            store_element(
                e, i, j,
                (factor[0] != 0 ? factor[0] * load_op(&e->a, e->ta, i, j) : 0)
                    + (factor[1] != 0 ? factor[1] * load_op(&e->b, e->tb, i, j)
                                      : 0));
}

/* In tiles, for locality when an operand is transposed. */
static void run_geam(const void *self, unsigned part)
{
    const struct elementwise *e = self;
    const double factor[] = {blas_scalar_value(&e->alpha),
                             blas_scalar_value(&e->beta)};

    for (int64_t row = 0; row < e->c.rows; row += TILE)
        add_tile(e, factor, row, (int64_t)part * TILE);
}

/* Multiply by a diagonal matrix from the left or right. */
static void run_dgmm(const void *self, unsigned part)
{
    const struct elementwise *e = self;
    const int64_t first = (int64_t)part * TILE;

    for (int64_t j = first; j < first + TILE && j < e->c.columns; j++)
        for (int64_t i = 0; i < e->c.rows; i++) {
            const int64_t at = blas_index(&e->x, e->left ? i : j);

            store_element(e, i, j,
                          load_op(&e->a, false, i, j)
                              * blas_load_real(e->x.type, e->x.ptr, at));
        }
}

/* For the checks: an operand whose factor is 0 is not read. */
static void arrays_geam(const void *self)
{
    const struct elementwise *e = self;

    blas_scalar_array("alpha", &e->alpha);
    blas_scalar_array("beta", &e->beta);
    if (blas_scalar_value(&e->alpha) != 0)
        blas_array(&e->a);
    if (blas_scalar_value(&e->beta) != 0)
        blas_array(&e->b);
    blas_array(&e->c);
}

/* For the checks. */
static void arrays_dgmm(const void *self)
{
    const struct elementwise *e = self;

    blas_array(&e->a);
    blas_vector_array("x", &e->x, SOFTGPU_READS);
    blas_array(&e->c);
}

/* --- the calls ----------------------------------------------------------- */

/* Submit a call; a part is CHUNK columns. */
static cublasStatus_t submit(cublasHandle_t handle, struct elementwise *e)
{
    const double all = (double)e->c.rows * (double)e->c.columns;

    if (all == 0)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_REQUIRE_SUPPORTED(e->c.columns / TILE < INT_MAX, "n is too large");
    e->call.parts = (unsigned)((e->c.columns + TILE - 1) / TILE);
    e->call.site = softgpu_call_site;
    e->call.operations = 2 * all;
    e->call.bytes = 2 * all * (double)blas_bytes(e->c.type);
    return blas_submit(handle->stream, e, sizeof *e);
}

/* Is the leading dimension at least the number of rows? */
static bool is_leading_dimension(const struct blas_array *a)
{
    return a->ld >= blas_max(1, a->rows);
}

/* Change the shape of op(A) to that of A as stored. */
static void set_stored_shape(struct blas_array *a, bool transposed)
{
    const int64_t rows = a->rows;

    a->rows = transposed ? a->columns : rows;
    a->columns = transposed ? rows : a->columns;
}

/* C may be the same memory as an operand that is not transposed. */
static bool is_in_place_allowed(const struct elementwise *e,
                                const struct blas_array *a, bool transposed)
{
    return a->ptr != e->c.ptr || (!transposed && a->ld == e->c.ld);
}

/* C = alpha op(A) + beta op(B) */
static cublasStatus_t geam(cublasHandle_t handle, struct elementwise *e,
                           const cublasOperation_t op[2],
                           const void *const scalar[2])
{
    BLAS_REQUIRE_HANDLE(handle);
    BLAS_REQUIRE_VALUE(blas_is_operation(op[0]) && blas_is_operation(op[1]));
    BLAS_REQUIRE_VALUE(e->c.rows >= 0 && e->c.columns >= 0);
    BLAS_REQUIRE_VALUE(scalar[0] && scalar[1]);
    e->ta = op[0] != CUBLAS_OP_N;
    e->tb = op[1] != CUBLAS_OP_N;
    set_stored_shape(&e->a, e->ta);
    set_stored_shape(&e->b, e->tb);
    BLAS_REQUIRE_VALUE(is_leading_dimension(&e->a)
                       && is_leading_dimension(&e->b)
                       && is_leading_dimension(&e->c));
    BLAS_REQUIRE_VALUE(is_in_place_allowed(e, &e->a, e->ta)
                       && is_in_place_allowed(e, &e->b, e->tb));
    e->alpha = blas_scalar(handle, scalar[0], e->c.type);
    e->beta = blas_scalar(handle, scalar[1], e->c.type);
    e->call.run = run_geam;
    e->call.arrays = arrays_geam;
    return submit(handle, e);
}

/* C = diag(x) A, or A diag(x) */
static cublasStatus_t dgmm(cublasHandle_t handle, struct elementwise *e,
                           cublasSideMode_t side)
{
    BLAS_REQUIRE_HANDLE(handle);
    BLAS_REQUIRE_VALUE(side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT);
    BLAS_REQUIRE_VALUE(e->c.rows >= 0 && e->c.columns >= 0);
    BLAS_REQUIRE_VALUE(is_leading_dimension(&e->a)
                       && is_leading_dimension(&e->c));
    BLAS_REQUIRE_VALUE(is_in_place_allowed(e, &e->a, false));
    e->left = side == CUBLAS_SIDE_LEFT;
    e->x.n = e->left ? e->c.rows : e->c.columns;
    e->call.run = run_dgmm;
    e->call.arrays = arrays_dgmm;
    return submit(handle, e);
}

#define CALLS(S, s, T, t, I, E)                                             \
    cublasStatus_t cublas##S##geam##E(                                      \
        cublasHandle_t handle, cublasOperation_t transa,                    \
        cublasOperation_t transb, I m, I n, const T *alpha, const T *a,     \
        I lda, const T *beta, const T *b, I ldb, T *c, I ldc)               \
    {                                                                       \
        const cublasOperation_t op[] = {transa, transb};                    \
        const void *const scalar[] = {alpha, beta};                         \
        struct elementwise e = {                                            \
            .call.name = "cublas" #S "geam",                                \
            .a = {"A", a, t, m, n, lda, SOFTGPU_READS},                     \
            .b = {"B", b, t, m, n, ldb, SOFTGPU_READS},                     \
            .c = {"C", c, t, m, n, ldc, SOFTGPU_WRITES}};                   \
        SOFTGPU_LIBRARY_CALL();                                             \
        return geam(handle, &e, op, scalar);                                \
    }                                                                       \
    cublasStatus_t cublas##S##dgmm##E(                                      \
        cublasHandle_t handle, cublasSideMode_t mode, I m, I n, const T *a, \
        I lda, const T *x, I incx, T *c, I ldc)                             \
    {                                                                       \
        struct elementwise e = {                                            \
            .call.name = "cublas" #S "dgmm",                                \
            .a = {"A", a, t, m, n, lda, SOFTGPU_READS},                     \
            .c = {"C", c, t, m, n, ldc, SOFTGPU_WRITES},                    \
            .x = {(void *)(uintptr_t)x, 0, incx, t}};                       \
        SOFTGPU_LIBRARY_CALL();                                             \
        return dgmm(handle, &e, mode);                                      \
    }
BLAS_FOR_EACH_TYPE(CALLS)
