/* SPDX-License-Identifier: MIT */
/* Element-wise operations on matrices: geam and dgmm. */
#include <limits.h>

#include "routines.h"

enum { TILE = 32 }; /* columns per part */

/** Arguments of a call. */
struct elementwise {
    struct softgpu_library_call call;
    struct blas_array a, b, c; /* as stored */
    cublasOperation_t op[2]; /* of A and B */
    struct blas_scalar alpha, beta;
    struct blas_vector x; /* dgmm's diagonal */
    bool left;
};

/* Index of an element of op(A). */
static int64_t op_index(const struct blas_array *a, bool transposed,
                        int64_t row, int64_t column)
{
    return transposed ? column + row * a->ld : row + column * a->ld;
}

/* Load an element of op(A). */
static double load_op(const struct blas_array *a, bool transposed, int64_t row,
                      int64_t column)
{
    return blas_load_real(a->type, a->ptr,
                          op_index(a, transposed, row, column));
}

/* The same of a complex matrix, times a factor; not read if that is 0. */
static double complex scale_op(const struct blas_array *a, cublasOperation_t op,
                               double complex factor, int64_t row,
                               int64_t column)
{
    if (factor == 0)
        return 0;
    const double complex value = blas_load_complex(
        a->type, a->ptr, op_index(a, op != CUBLAS_OP_N, row, column));
    return factor * (op == CUBLAS_OP_C ? conj(value) : value);
}

/* Matrices are column-major. */
static void store_element(const struct elementwise *e, int64_t row,
                          int64_t column, double value)
{
    blas_store_real(e->c.type, (void *)(uintptr_t)e->c.ptr,
                    row + column * e->c.ld, value);
}

/* The same of a complex matrix. */
static void store_complex(const struct elementwise *e, int64_t row,
                          int64_t column, double complex value)
{
    blas_store_complex(e->c.type, (void *)(uintptr_t)e->c.ptr,
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
    const bool ta = e->op[0] != CUBLAS_OP_N, tb = e->op[1] != CUBLAS_OP_N;

    for (int64_t j = column; j < columns; j++)
        for (int64_t i = row; i < rows; i++)
            store_element(
                e, i, j,
                (factor[0] != 0 ? factor[0] * load_op(&e->a, ta, i, j) : 0)
                    + (factor[1] != 0 ? factor[1] * load_op(&e->b, tb, i, j)
                                      : 0));
}

/* The same of complex matrices. */
static void add_complex_tile(const struct elementwise *e, int64_t row,
                             int64_t column)
{
    const double complex alpha = blas_scalar_complex(&e->alpha);
    const double complex beta = blas_scalar_complex(&e->beta);
    const int64_t rows = min_size(row + TILE, e->c.rows);
    const int64_t columns = min_size(column + TILE, e->c.columns);

    for (int64_t j = column; j < columns; j++)
        for (int64_t i = row; i < rows; i++)
            store_complex(e, i, j,
                          scale_op(&e->a, e->op[0], alpha, i, j)
                              + scale_op(&e->b, e->op[1], beta, i, j));
}

/* In tiles, for locality when an operand is transposed. */
static void run_geam(const void *self, unsigned part)
{
    const struct elementwise *e = self;
    const double factor[] = {blas_scalar_value(&e->alpha),
                             blas_scalar_value(&e->beta)};

    for (int64_t row = 0; row < e->c.rows; row += TILE)
        if (blas_is_complex(e->c.type))
            add_complex_tile(e, row, (int64_t)part * TILE);
        else
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

            if (blas_is_complex(e->c.type))
                store_complex(e, i, j,
                              scale_op(&e->a, CUBLAS_OP_N, 1, i, j)
                                  * blas_load_complex(e->x.type, e->x.ptr, at));
            else
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
    if (blas_scalar_complex(&e->alpha) != 0)
        blas_array(&e->a);
    if (blas_scalar_complex(&e->beta) != 0)
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

static const char in_place[] =
    "C may be an operand's matrix only with its leading dimension, not "
    "transposed";

cublasStatus_t blas_geam(cublasHandle_t handle,
                         const struct blas_routine *routine,
                         const struct blas_arguments *g)
{
    const cudaDataType t = routine->type;
    const bool ta = g->trans != CUBLAS_OP_N, tb = g->transb != CUBLAS_OP_N;
    struct elementwise e = {
        .call = {.name = routine->name, .run = run_geam,
                 .arrays = arrays_geam},
        .a = {"A", g->a.ptr, t, g->m, g->n, g->a.ld, SOFTGPU_READS},
        .b = {"B", g->b.ptr, t, g->m, g->n, g->b.ld, SOFTGPU_READS},
        .c = {"C", g->c.ptr, t, g->m, g->n, g->c.ld, SOFTGPU_WRITES},
        .op = {g->trans, g->transb}};

    BLAS_REQUIRE_THAT(blas_is_operation(g->trans)
                          && blas_is_operation(g->transb),
                      "transa or transb is no operation");
    BLAS_REQUIRE_VALUE(g->m >= 0 && g->n >= 0 && g->alpha && g->beta);
    set_stored_shape(&e.a, ta);
    set_stored_shape(&e.b, tb);
    BLAS_REQUIRE_LD("lda", e.a.ld, ta ? "n" : "m", e.a.rows);
    BLAS_REQUIRE_LD("ldb", e.b.ld, tb ? "n" : "m", e.b.rows);
    BLAS_REQUIRE_LD("ldc", e.c.ld, "m", e.c.rows);
    BLAS_REQUIRE_THAT(is_in_place_allowed(&e, &e.a, ta)
                          && is_in_place_allowed(&e, &e.b, tb), in_place);
    e.alpha = blas_scalar(handle, g->alpha, t);
    e.beta = blas_scalar(handle, g->beta, t);
    return submit(handle, &e);
}

cublasStatus_t blas_dgmm(cublasHandle_t handle,
                         const struct blas_routine *routine,
                         const struct blas_arguments *g)
{
    const cudaDataType t = routine->type;
    const bool left = g->side == CUBLAS_SIDE_LEFT;
    struct elementwise e = {
        .call = {.name = routine->name, .run = run_dgmm,
                 .arrays = arrays_dgmm},
        .a = {"A", g->a.ptr, t, g->m, g->n, g->a.ld, SOFTGPU_READS},
        .c = {"C", g->c.ptr, t, g->m, g->n, g->c.ld, SOFTGPU_WRITES},
        .x = {(void *)(uintptr_t)g->x.ptr, left ? g->m : g->n, g->x.ld, t},
        .left = left};

    BLAS_REQUIRE_VALUE((unsigned)g->side <= CUBLAS_SIDE_RIGHT);
    BLAS_REQUIRE_VALUE(g->m >= 0 && g->n >= 0);
    BLAS_REQUIRE_LD("lda", e.a.ld, "m", e.a.rows);
    BLAS_REQUIRE_LD("ldc", e.c.ld, "m", e.c.rows);
    BLAS_REQUIRE_THAT(is_in_place_allowed(&e, &e.a, false), in_place);
    return submit(handle, &e);
}
