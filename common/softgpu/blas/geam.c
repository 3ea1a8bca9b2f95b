/* SPDX-License-Identifier: MIT */
/* Matrices, element by element: geam and dgmm. */
#include <limits.h>

#include "blas.h"

enum { CHUNK = 32 }; /* columns a part */

/** The call. */
struct elements {
    struct softgpu_library_call call;
    struct blas_area a, b, c; /* as they are stored */
    bool ta, tb;
    struct blas_scalar alpha, beta;
    struct blas_vector x; /* dgmm's diagonal */
    bool left;
};

/* Element of op(A). */
static double turned(const struct blas_area *a, bool transposed, int64_t row,
                     int64_t column)
{
    const int64_t at =
        transposed ? column + row * a->ld : row + column * a->ld;

    return blas_real(a->type, a->ptr, at);
}

static void put(const struct elements *e, int64_t row, int64_t column,
                double value)
{
    blas_put_real(e->c.type, (void *)(uintptr_t)e->c.ptr,
                  row + column * e->c.ld, value);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A square of C.  A factor of 0 leaves its matrix unread. */
static void add_square(const struct elements *e, const double factor[2],
                       int64_t row, int64_t column)
{
    const int64_t rows = least(row + CHUNK, e->c.rows);
    const int64_t columns = least(column + CHUNK, e->c.columns);

    for (int64_t j = column; j < columns; j++)
        for (int64_t i = row; i < rows; i++)
            put(e, i, j,
                (factor[0] != 0 ? factor[0] * turned(&e->a, e->ta, i, j) : 0)
                    + (factor[1] != 0 ? factor[1] * turned(&e->b, e->tb, i, j)
                                      : 0));
}

/* By squares: what is turned is read along its columns, too. */
static void run_geam(const void *self, unsigned part)
{
    const struct elements *e = self;
    const double factor[] = {blas_value(&e->alpha), blas_value(&e->beta)};

    for (int64_t row = 0; row < e->c.rows; row += CHUNK)
        add_square(e, factor, row, (int64_t)part * CHUNK);
}

/* The diagonal is by row or by column. */
static void run_dgmm(const void *self, unsigned part)
{
    const struct elements *e = self;
    const int64_t first = (int64_t)part * CHUNK;

    for (int64_t j = first; j < first + CHUNK && j < e->c.columns; j++)
        for (int64_t i = 0; i < e->c.rows; i++) {
            const int64_t at = blas_index(&e->x, e->left ? i : j);

            put(e, i, j,
                turned(&e->a, false, i, j)
                    * blas_real(e->x.type, e->x.ptr, at));
        }
}

static void arrays_geam(const void *self)
{
    const struct elements *e = self;

    blas_scalar_array("alpha", &e->alpha);
    blas_scalar_array("beta", &e->beta);
    if (blas_value(&e->alpha) != 0)
        blas_area(&e->a);
    if (blas_value(&e->beta) != 0)
        blas_area(&e->b);
    blas_area(&e->c);
}

static void arrays_dgmm(const void *self)
{
    const struct elements *e = self;

    blas_area(&e->a);
    blas_vector_array("x", &e->x, SOFTGPU_READS);
    blas_area(&e->c);
}

/* --- the calls ------------------------------------------------------------ */

/* Queue it, some columns a part. */
static cublasStatus_t submit(cublasHandle_t handle, struct elements *e)
{
    const double all = (double)e->c.rows * (double)e->c.columns;

    if (all == 0)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_NEED(e->c.columns / CHUNK < INT_MAX, CUBLAS_STATUS_NOT_SUPPORTED);
    e->call.parts = (unsigned)((e->c.columns + CHUNK - 1) / CHUNK);
    e->call.site = softgpu_call_site;
    e->call.operations = 2 * all;
    e->call.bytes = 2 * all * (double)blas_bytes(e->c.type);
    return blas_submit(handle->stream, e, sizeof *e);
}

/* Are its columns at least as far apart as they are long? */
static bool has_room(const struct blas_area *a)
{
    return a->ld >= blas_most(1, a->rows);
}

/* Turn the shape of a factor to how it is stored. */
static void store(struct blas_area *a, bool transposed)
{
    const int64_t rows = a->rows;

    a->rows = transposed ? a->columns : rows;
    a->columns = transposed ? rows : a->columns;
}

/* C may be a factor itself, element for element. */
static bool may_share(const struct elements *e, const struct blas_area *a,
                      bool transposed)
{
    return a->ptr != e->c.ptr || (!transposed && a->ld == e->c.ld);
}

static cublasStatus_t geam(cublasHandle_t handle, struct elements *e,
                           const cublasOperation_t op[2],
                           const void *const scalar[2])
{
    BLAS_HANDLE(handle);
    BLAS_LEGAL(blas_is_operation(op[0]) && blas_is_operation(op[1]));
    BLAS_LEGAL(e->c.rows >= 0 && e->c.columns >= 0);
    BLAS_LEGAL(scalar[0] && scalar[1]);
    e->ta = op[0] != CUBLAS_OP_N;
    e->tb = op[1] != CUBLAS_OP_N;
    store(&e->a, e->ta);
    store(&e->b, e->tb);
    BLAS_LEGAL(has_room(&e->a) && has_room(&e->b) && has_room(&e->c));
    BLAS_LEGAL(may_share(e, &e->a, e->ta) && may_share(e, &e->b, e->tb));
    e->alpha = blas_scalar(handle, scalar[0], e->c.type);
    e->beta = blas_scalar(handle, scalar[1], e->c.type);
    e->call.run = run_geam;
    e->call.arrays = arrays_geam;
    return submit(handle, e);
}

static cublasStatus_t dgmm(cublasHandle_t handle, struct elements *e,
                           cublasSideMode_t side)
{
    BLAS_HANDLE(handle);
    BLAS_LEGAL(side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT);
    BLAS_LEGAL(e->c.rows >= 0 && e->c.columns >= 0);
    BLAS_LEGAL(has_room(&e->a) && has_room(&e->c));
    BLAS_LEGAL(may_share(e, &e->a, false));
    e->left = side == CUBLAS_SIDE_LEFT;
    e->x.n = e->left ? e->c.rows : e->c.columns;
    e->call.run = run_dgmm;
    e->call.arrays = arrays_dgmm;
    return submit(handle, e);
}

#define CALLS(S, s, T, t, I, E)                                               \
    cublasStatus_t cublas##S##geam##E(                                        \
        cublasHandle_t handle, cublasOperation_t transa,                      \
        cublasOperation_t transb, I m, I n, const T *alpha, const T *a,       \
        I lda, const T *beta, const T *b, I ldb, T *c, I ldc)                 \
    {                                                                         \
        const cublasOperation_t op[] = {transa, transb};                      \
        const void *const scalar[] = {alpha, beta};                           \
        struct elements e = {                                                 \
            .call.name = "cublas" #S "geam",                                  \
            .a = {"A", a, t, m, n, lda, SOFTGPU_READS},                       \
            .b = {"B", b, t, m, n, ldb, SOFTGPU_READS},                       \
            .c = {"C", c, t, m, n, ldc, SOFTGPU_WRITES}};                     \
        BLAS_HERE();                                                          \
        return geam(handle, &e, op, scalar);                                  \
    }                                                                         \
    cublasStatus_t cublas##S##dgmm##E(                                        \
        cublasHandle_t handle, cublasSideMode_t mode, I m, I n, const T *a,   \
        I lda, const T *x, I incx, T *c, I ldc)                               \
    {                                                                         \
        struct elements e = {                                                 \
            .call.name = "cublas" #S "dgmm",                                  \
            .a = {"A", a, t, m, n, lda, SOFTGPU_READS},                       \
            .c = {"C", c, t, m, n, ldc, SOFTGPU_WRITES},                      \
            .x = {(void *)(uintptr_t)x, 0, incx, t}};                         \
        BLAS_HERE();                                                          \
        return dgmm(handle, &e, mode);                                        \
    }
BLAS_EACH(CALLS)
