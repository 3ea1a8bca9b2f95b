/* SPDX-License-Identifier: MIT */
/* BLAS level 2: gemv and ger of real numbers, in parallel. */
#include <limits.h>
#include <stdlib.h>

#include "shapes.h"

enum { CHUNK = 512 }; /* elements of y, or columns of A, per part */

/** Arguments of a call. */
struct level2 {
    struct softgpu_library_call call;
    struct blas_array a;
    struct blas_vector x, y;
    struct blas_scalar alpha, beta;
    bool transposed;
};

/* Load element i of a vector. */
static double load_vector(const struct blas_vector *v, int64_t i)
{
    return blas_load_real(v->type, v->ptr, blas_index(v, i));
}

/* Load an element of A as stored. */
static double load_matrix(const struct level2 *l, int64_t row, int64_t column)
{
    return blas_load_real(l->a.type, l->a.ptr, row + column * l->a.ld);
}

/* --- gemv ---------------------------------------------------------------- */

/* Accumulate `count` elements of op(A) x from `first` on, column by column. */
static void multiply_chunk(const struct level2 *l, int64_t first, int64_t count,
                           double *sums)
{
    if (l->transposed) {
        for (int64_t j = 0; j < count; j++)
            for (int64_t i = 0; i < l->a.rows; i++)
                sums[j] += load_matrix(l, i, first + j) * load_vector(&l->x, i);
        return;
    }
    for (int64_t j = 0; j < l->a.columns; j++) {
        const double x = load_vector(&l->x, j);

        for (int64_t i = 0; i < count; i++)
            sums[i] += load_matrix(l, first + i, j) * x;
    }
}

/* Compute a chunk of y.  With beta = 0, y is not read and may contain NaN. */
static void run_gemv(const void *self, unsigned part)
{
    const struct level2 *l = self;
    const double alpha = blas_scalar_value(&l->alpha),
                 beta = blas_scalar_value(&l->beta);
    const int64_t first = (int64_t)part * CHUNK, left = l->y.n - first;
    const int64_t count = left < CHUNK ? left : CHUNK;
    double sums[CHUNK] = {0};

    if (alpha != 0)
        multiply_chunk(l, first, count, sums);
    for (int64_t i = 0; i < count; i++) {
        const int64_t to = blas_index(&l->y, first + i);
        const double old =
            beta != 0 ? beta * blas_load_real(l->y.type, l->y.ptr, to) : 0;

        blas_store_real(l->y.type, l->y.ptr, to, alpha * sums[i] + old);
    }
}

/* For the checks: an operand whose factor is 0 is not read. */
static void arrays_gemv(const void *self)
{
    const struct level2 *l = self;

    blas_scalar_array("alpha", &l->alpha);
    blas_scalar_array("beta", &l->beta);
    if (blas_scalar_value(&l->alpha) != 0) {
        blas_array(&l->a);
        blas_vector_array("x", &l->x, SOFTGPU_READS);
    }
    if (blas_scalar_value(&l->beta) != 0)
        blas_vector_array("y", &l->y, SOFTGPU_READS);
    blas_vector_array("y", &l->y, SOFTGPU_WRITES);
}

/* --- ger ----------------------------------------------------------------- */

/* Update a chunk of columns of A. */
static void run_ger(const void *self, unsigned part)
{
    const struct level2 *l = self;
    const double alpha = blas_scalar_value(&l->alpha);
    const int64_t first = (int64_t)part * CHUNK;
    void *a = (void *)(uintptr_t)l->a.ptr;

    for (int64_t j = first; j < first + CHUNK && j < l->a.columns; j++) {
        const double y = alpha * load_vector(&l->y, j);

        for (int64_t i = 0; y != 0 && i < l->a.rows; i++)
            blas_store_real(l->a.type, a, i + j * l->a.ld,
                            load_matrix(l, i, j) + load_vector(&l->x, i) * y);
    }
}

/* For the checks. */
static void arrays_ger(const void *self)
{
    const struct level2 *l = self;

    blas_scalar_array("alpha", &l->alpha);
    blas_vector_array("x", &l->x, SOFTGPU_READS);
    blas_vector_array("y", &l->y, SOFTGPU_READS);
    blas_array(&l->a);
}

/* --- the calls ----------------------------------------------------------- */

/* Checks common to gemv and ger. */
static cublasStatus_t check(const struct level2 *l)
{
    BLAS_REQUIRE_THAT(l->a.rows >= 0 && l->a.columns >= 0,
                      "m or n is negative");
    BLAS_REQUIRE_LD("lda", l->a.ld, "m", l->a.rows);
    BLAS_REQUIRE_THAT(l->x.inc && l->y.inc, "incx or incy is 0");
    return CUBLAS_STATUS_SUCCESS;
}

/* Submit a call; a part is a chunk of `elements`. */
static cublasStatus_t submit(cublasHandle_t handle, struct level2 *l,
                             int64_t elements)
{
    const double all = (double)l->a.rows * (double)l->a.columns;

    if (l->a.rows == 0 || l->a.columns == 0)
        return CUBLAS_STATUS_SUCCESS;
    BLAS_REQUIRE_SUPPORTED(elements / CHUNK < INT_MAX, "A is too large");
    l->call.parts = (unsigned)((elements + CHUNK - 1) / CHUNK);
    l->call.site = softgpu_call_site;
    l->call.operations = 2 * all;
    l->call.bytes = all * (double)blas_bytes(l->a.type);
    return blas_submit(handle->stream, l, sizeof *l);
}

/* The arguments of both calls; the lengths of x and y follow from op(A). */
static struct level2 level2_of(const struct blas_routine *routine,
                               const struct blas_arguments *g)
{
    return (struct level2){
        .call.name = routine->name,
        .a = {"A", g->a.ptr, routine->type, g->m, g->n, g->a.ld,
              SOFTGPU_READS},
        .x = blas_vector_of(routine, g, BLAS_X),
        .y = blas_vector_of(routine, g, BLAS_Y)};
}

cublasStatus_t blas_gemv(cublasHandle_t handle,
                         const struct blas_routine *routine,
                         const struct blas_arguments *g)
{
    struct level2 l = level2_of(routine, g);
    const cublasStatus_t status = check(&l);

    if (blas_is_complex(routine->type))
        return blas_fortran(handle, routine, g);
    if (status)
        return status;
    BLAS_REQUIRE_VALUE(blas_is_operation(g->trans) && g->alpha && g->beta);
    l.transposed = g->trans != CUBLAS_OP_N;
    l.alpha = blas_scalar(handle, g->alpha, routine->type);
    l.beta = blas_scalar(handle, g->beta, routine->type);
    l.call.run = run_gemv;
    l.call.arrays = arrays_gemv;
    return submit(handle, &l, l.y.n);
}

cublasStatus_t blas_ger(cublasHandle_t handle,
                        const struct blas_routine *routine,
                        const struct blas_arguments *g)
{
    struct level2 l = level2_of(routine, g);
    const cublasStatus_t status = check(&l);

    if (status)
        return status;
    BLAS_REQUIRE_VALUE(g->alpha);
    l.a.use = SOFTGPU_READS | SOFTGPU_WRITES;
    l.alpha = blas_scalar(handle, g->alpha, routine->type);
    l.call.run = run_ger;
    l.call.arrays = arrays_ger;
    return submit(handle, &l, g->n);
}
