/* SPDX-License-Identifier: MIT */
/* A matrix and vectors: gemv and ger. */
#include <limits.h>
#include <stdlib.h>

#include "blas.h"

enum { CHUNK = 512 }; /* elements of y, or columns of A, a part */

/** The call. */
struct level2 {
    struct softgpu_library_call call;
    struct blas_area a;
    struct blas_vector x, y;
    struct blas_scalar alpha, beta;
    bool transposed;
};

/* Element i of a vector. */
static double at(const struct blas_vector *v, int64_t i)
{
    return blas_real(v->type, v->ptr, blas_index(v, i));
}

/* Of A as it is stored. */
static double element(const struct level2 *l, int64_t row, int64_t column)
{
    return blas_real(l->a.type, l->a.ptr, row + column * l->a.ld);
}

/* --- gemv ----------------------------------------------------------------- */

/* Sums of `count` elements of op(A) x from `first` on; along columns. */
static void add_up(const struct level2 *l, int64_t first, int64_t count,
                   double *sums)
{
    if (l->transposed) {
        for (int64_t j = 0; j < count; j++)
            for (int64_t i = 0; i < l->a.rows; i++)
                sums[j] += element(l, i, first + j) * at(&l->x, i);
        return;
    }
    for (int64_t j = 0; j < l->a.columns; j++) {
        const double x = at(&l->x, j);

        for (int64_t i = 0; i < count; i++)
            sums[i] += element(l, first + i, j) * x;
    }
}

/* One chunk of y; with beta 0 what it holds is not read, be it NaN. */
static void run_gemv(const void *self, unsigned part)
{
    const struct level2 *l = self;
    const double alpha = blas_value(&l->alpha), beta = blas_value(&l->beta);
    const int64_t first = (int64_t)part * CHUNK, left = l->y.n - first;
    const int64_t count = left < CHUNK ? left : CHUNK;
    double sums[CHUNK] = {0};

    if (alpha != 0)
        add_up(l, first, count, sums);
    for (int64_t i = 0; i < count; i++) {
        const int64_t to = blas_index(&l->y, first + i);
        const double old =
            beta != 0 ? beta * blas_real(l->y.type, l->y.ptr, to) : 0;

        blas_put_real(l->y.type, l->y.ptr, to, alpha * sums[i] + old);
    }
}

static void arrays_gemv(const void *self)
{
    const struct level2 *l = self;

    blas_scalar_array("alpha", &l->alpha);
    blas_scalar_array("beta", &l->beta);
    if (blas_value(&l->alpha) != 0) {
        blas_area(&l->a);
        blas_vector_array("x", &l->x, SOFTGPU_READS);
    }
    if (blas_value(&l->beta) != 0)
        blas_vector_array("y", &l->y, SOFTGPU_READS);
    blas_vector_array("y", &l->y, SOFTGPU_WRITES);
}

/* --- ger ------------------------------------------------------------------ */

/* Some columns of A. */
static void run_ger(const void *self, unsigned part)
{
    const struct level2 *l = self;
    const double alpha = blas_value(&l->alpha);
    const int64_t first = (int64_t)part * CHUNK;
    void *a = (void *)(uintptr_t)l->a.ptr;

    for (int64_t j = first; j < first + CHUNK && j < l->a.columns; j++) {
        const double y = alpha * at(&l->y, j);

        for (int64_t i = 0; y != 0 && i < l->a.rows; i++)
            blas_put_real(l->a.type, a, i + j * l->a.ld,
                          element(l, i, j) + at(&l->x, i) * y);
    }
}

static void arrays_ger(const void *self)
{
    const struct level2 *l = self;

    blas_scalar_array("alpha", &l->alpha);
    blas_vector_array("x", &l->x, SOFTGPU_READS);
    blas_vector_array("y", &l->y, SOFTGPU_READS);
    blas_area(&l->a);
}

/* --- the calls ------------------------------------------------------------ */

/* What both calls ask of their arguments. */
static cublasStatus_t check(cublasHandle_t handle, const struct level2 *l)
{
    BLAS_HANDLE(handle);
    BLAS_LEGAL(l->a.rows >= 0 && l->a.columns >= 0);
    BLAS_LEGAL(l->a.ld >= blas_most(1, l->a.rows));
    BLAS_LEGAL(l->x.step && l->y.step);
    return CUBLAS_STATUS_SUCCESS;
}

/* Queue it; parts are chunks of so many elements. */
static cublasStatus_t submit(cublasHandle_t handle, struct level2 *l,
                             int64_t elements)
{
    const double all = (double)l->a.rows * (double)l->a.columns;

    if (l->a.rows == 0 || l->a.columns == 0)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_NEED(elements / CHUNK < INT_MAX, CUBLAS_STATUS_NOT_SUPPORTED);
    l->call.parts = (unsigned)((elements + CHUNK - 1) / CHUNK);
    l->call.site = softgpu_call_site;
    l->call.operations = 2 * all;
    l->call.bytes = all * (double)blas_bytes(l->a.type);
    return blas_submit(handle->stream, l, sizeof *l);
}

/* op(A) decides how long x and y are. */
static cublasStatus_t gemv(cublasHandle_t handle, struct level2 *l,
                           cublasOperation_t op, const void *alpha,
                           const void *beta)
{
    const cublasStatus_t bad = check(handle, l);

    if (bad)
        return bad;
    BLAS_LEGAL(blas_is_operation(op) && alpha && beta);
    l->transposed = op != CUBLAS_OP_N;
    l->x.n = l->transposed ? l->a.rows : l->a.columns;
    l->y.n = l->transposed ? l->a.columns : l->a.rows;
    l->alpha = blas_scalar(handle, alpha, l->a.type);
    l->beta = blas_scalar(handle, beta, l->a.type);
    l->call.run = run_gemv;
    l->call.arrays = arrays_gemv;
    return submit(handle, l, l->y.n);
}

static cublasStatus_t ger(cublasHandle_t handle, struct level2 *l,
                          const void *alpha)
{
    const cublasStatus_t bad = check(handle, l);

    if (bad)
        return bad;
    BLAS_LEGAL(alpha);
    l->x.n = l->a.rows;
    l->y.n = l->a.columns;
    l->a.use = SOFTGPU_READS | SOFTGPU_WRITES;
    l->alpha = blas_scalar(handle, alpha, l->a.type);
    l->call.run = run_ger;
    l->call.arrays = arrays_ger;
    return submit(handle, l, l->a.columns);
}

#define LEVEL2(words, t)                                                      \
    {.call.name = words, .a = {"A", a, t, m, n, lda, SOFTGPU_READS},          \
     .x = {(void *)(uintptr_t)x, 0, incx, t},                                 \
     .y = {(void *)(uintptr_t)y, 0, incy, t}}
#define CALLS(S, s, T, t, I, E)                                               \
    cublasStatus_t cublas##S##gemv_v2##E(                                     \
        cublasHandle_t handle, cublasOperation_t trans, I m, I n,             \
        const T *alpha, const T *a, I lda, const T *x, I incx, const T *beta, \
        T *y, I incy)                                                         \
    {                                                                         \
        struct level2 l = LEVEL2("cublas" #S "gemv", t);                      \
        BLAS_HERE();                                                          \
        return gemv(handle, &l, trans, alpha, beta);                          \
    }                                                                         \
    cublasStatus_t cublas##S##ger_v2##E(                                      \
        cublasHandle_t handle, I m, I n, const T *alpha, const T *x, I incx,  \
        const T *y, I incy, T *a, I lda)                                      \
    {                                                                         \
        struct level2 l = LEVEL2("cublas" #S "ger", t);                       \
        BLAS_HERE();                                                          \
        return ger(handle, &l, alpha);                                        \
    }
BLAS_EACH(CALLS)
