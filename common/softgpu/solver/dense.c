/* SPDX-License-Identifier: MIT */
/* cuSOLVER for dense matrices: each call is one of LAPACK's, by its Fortran
 * interface, with a work area of its own. */
#include <stdio.h>
#include <stdlib.h>

#include "common/softgpu/blas/openblas.h"
#include "common/softgpu/core/core.h"
#include "dense.h"

/** LAPACK's functions of one precision.  Lengths of texts, which C's callers
 *  append, are 1. */
struct lapack {
    void (*getrf)(const int *m, const int *n, void *a, const int *lda,
                  int *pivots, int *info);
    void (*getrs)(const char *op, const int *n, const int *columns,
                  const void *a, const int *lda, const int *pivots, void *b,
                  const int *ldb, int *info, size_t length);
    void (*potrf)(const char *uplo, const int *n, void *a, const int *lda,
                  int *info, size_t length);
    void (*potrs)(const char *uplo, const int *n, const int *columns,
                  const void *a, const int *lda, void *b, const int *ldb,
                  int *info, size_t length);
    void (*geqrf)(const int *m, const int *n, void *a, const int *lda,
                  void *tau, void *work, const int *lwork, int *info);
    void (*ormqr)(const char *side, const char *op, const int *m, const int *n,
                  const int *k, const void *a, const int *lda, const void *tau,
                  void *c, const int *ldc, void *work, const int *lwork,
                  int *info, size_t length_1, size_t length_2);
    void (*orgqr)(const int *m, const int *n, const int *k, void *a,
                  const int *lda, const void *tau, void *work,
                  const int *lwork, int *info);
    void (*syevd)(const char *mode, const char *uplo, const int *n, void *a,
                  const int *lda, void *w, void *work, const int *lwork,
                  int *iwork, const int *liwork, int *info, size_t length_1,
                  size_t length_2);
    void (*gesvd)(const char *job_u, const char *job_vt, const int *m,
                  const int *n, void *a, const int *lda, void *s, void *u,
                  const int *ldu, void *vt, const int *ldvt, void *work,
                  const int *lwork, int *info, size_t length_1,
                  size_t length_2);
};

static struct lapack lapack[2]; /* float, double */

/* --- the runs ------------------------------------------------------------- */

/* LAPACK's functions of the call's precision. */
static const struct lapack *functions_of(const struct dense *d)
{
    return &lapack[d->is_double];
}

void *dense_work_area(const struct dense *d, size_t n)
{
    void *work = malloc((n + 1) * dense_real(d));

    if (!work)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "no memory for a work area");
    return work;
}

/* An element of A, which is stored by columns. */
static double get(const struct dense *d, int row, int column)
{
    const size_t at = (size_t)column * (size_t)d->a.ld + (size_t)row;

    return d->is_double ? ((const double *)d->a.at)[at]
                        : (double)((const float *)d->a.at)[at];
}

/* Set an element of A, rounded to its type. */
static void set(const struct dense *d, int row, int column, double value)
{
    const size_t at = (size_t)column * (size_t)d->a.ld + (size_t)row;

    if (d->is_double)
        ((double *)d->a.at)[at] = value;
    else
        ((float *)d->a.at)[at] = (float)value;
}

/* LU without pivots, which LAPACK does not have. */
static void factorize_in_order(const struct dense *d)
{
    const int m = d->a.rows, n = d->a.columns, steps = m < n ? m : n;

    *d->info = 0;
    for (int k = 0; k < steps; k++) {
        if (get(d, k, k) == 0 && !*d->info)
            *d->info = k + 1;
        for (int i = k + 1; i < m; i++)
            set(d, i, k, get(d, i, k) / get(d, k, k));
        for (int j = k + 1; j < n; j++)
            for (int i = k + 1; i < m; i++)
                set(d, i, j, get(d, i, j) - get(d, i, k) * get(d, k, j));
    }
}

/* P A = L U; without an array of pivots, A = L U. */
void dense_run_getrf(const void *self, unsigned part)
{
    const struct dense *d = self;

    (void)part;
    if (d->pivots)
        functions_of(d)->getrf(&d->a.rows, &d->a.columns, d->a.at, &d->a.ld,
                               d->pivots, d->info);
    else
        factorize_in_order(d);
}

/* Solve op(A) X = B by the factors of getrf. */
void dense_run_getrs(const void *self, unsigned part)
{
    const struct dense *d = self;
    int *order = d->pivots;

    (void)part;
    if (!order) { /* the factors are in order */
        order = dense_work_area(d, (size_t)d->a.rows);
        for (int i = 0; i < d->a.rows; i++)
            order[i] = i + 1;
    }
    functions_of(d)->getrs(&d->first, &d->a.rows, &d->b.columns, d->a.at,
                           &d->a.ld, order, d->b.at, &d->b.ld, d->info, 1);
    if (!d->pivots)
        free(order);
}

/* A = L L' or U' U, of one triangle of A. */
void dense_run_potrf(const void *self, unsigned part)
{
    const struct dense *d = self;

    (void)part;
    functions_of(d)->potrf(&d->first, &d->a.rows, d->a.at, &d->a.ld, d->info,
                           1);
}

/* Solve A X = B by the factor of potrf. */
void dense_run_potrs(const void *self, unsigned part)
{
    const struct dense *d = self;

    (void)part;
    functions_of(d)->potrs(&d->first, &d->a.rows, &d->b.columns, d->a.at,
                           &d->a.ld, d->b.at, &d->b.ld, d->info, 1);
}

/* A = Q R: R on and above the diagonal, Householder vectors below it, and
 * tau. */
void dense_run_geqrf(const void *self, unsigned part)
{
    const struct dense *d = self;
    const int size = 64 * (d->a.columns + 1);
    void *work = dense_work_area(d, (size_t)size);

    (void)part;
    functions_of(d)->geqrf(&d->a.rows, &d->a.columns, d->a.at, &d->a.ld,
                           d->values, work, &size, d->info);
    free(work);
}

/* op(Q) C or C op(Q), where Q is given by the vectors of geqrf. */
void dense_run_ormqr(const void *self, unsigned part)
{
    const struct dense *d = self;
    const int longest =
        d->b.rows > d->b.columns ? d->b.rows : d->b.columns;
    const int size = 64 * (longest + 65);
    void *work = dense_work_area(d, (size_t)size);

    (void)part;
    functions_of(d)->ormqr(&d->first, &d->second, &d->b.rows, &d->b.columns,
                           &d->k, d->a.at, &d->a.ld, d->values, d->b.at,
                           &d->b.ld, work, &size, d->info, 1, 1);
    free(work);
}

/* The first columns of Q, in place of the vectors of geqrf. */
void dense_run_orgqr(const void *self, unsigned part)
{
    const struct dense *d = self;
    const int size = 64 * (d->a.columns + 1);
    void *work = dense_work_area(d, (size_t)size);

    (void)part;
    functions_of(d)->orgqr(&d->a.rows, &d->a.columns, &d->k, d->a.at,
                           &d->a.ld, d->values, work, &size, d->info);
    free(work);
}

/* Eigenvalues in ascending order; for the mode V also eigenvectors, in A. */
void dense_run_syevd(const void *self, unsigned part)
{
    const struct dense *d = self;
    const int n = d->a.rows, size = 1 + 6 * n + 2 * n * n + 64 * n,
              integers = 3 + 5 * n;
    void *work = dense_work_area(d, (size_t)size);
    int *more = dense_work_area(d, (size_t)integers);

    (void)part;
    functions_of(d)->syevd(&d->first, &d->second, &n, d->a.at, &d->a.ld,
                           d->values, work, &size, more, &integers, d->info, 1,
                           1);
    free(more);
    free(work);
}

/* A = U S V': singular values in descending order, U, and V transposed. */
void dense_run_gesvd(const void *self, unsigned part)
{
    const struct dense *d = self;
    const int size = 5 * d->a.rows + 64 * (d->a.rows + d->a.columns);
    void *work = dense_work_area(d, (size_t)size);

    (void)part;
    functions_of(d)->gesvd(&d->first, &d->second, &d->a.rows, &d->a.columns,
                           d->a.at, &d->a.ld, d->values, d->b.at, &d->b.ld,
                           d->vt.at, &d->vt.ld, work, &size, d->info, 1, 1);
    free(work);
}

/* --- handles -------------------------------------------------------------- */

/* Look up LAPACK's functions of a precision. */
static bool load(struct lapack *l, char precision)
{
    static const char *const names[] = {"getrf", "getrs", "potrf",
                                        "potrs", "geqrf", "ormqr",
                                        "orgqr", "syevd", "gesvd"};
    void **to = (void **)l;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char symbol[16];
        snprintf(symbol, sizeof symbol, "%c%s_", precision, names[i]);
        to[i] = openblas_symbol(symbol);
        if (!to[i])
            return false;
    }
    return true;
}

/* CUSOLVER_STATUS_NOT_INITIALIZED where OpenBLAS or the device is missing. */
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle)
{
    if (!handle)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *handle = NULL;
    if (!load(&lapack[0], 's') || !load(&lapack[1], 'd')
        || cudaFree(NULL) != cudaSuccess)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    *handle = calloc(1, sizeof **handle);
    return *handle ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

/* Wait for the device, then free the handle. */
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle)
{
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    cudaDeviceSynchronize();
    free(handle);
    return CUSOLVER_STATUS_SUCCESS;
}

/* The stream of the calls that follow; NULL is the default stream. */
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle,
                                     cudaStream_t stream)
{
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    handle->stream = stream;
    return CUSOLVER_STATUS_SUCCESS;
}

/* The stream that was set, or NULL. */
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle,
                                     cudaStream_t *stream)
{
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!stream)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *stream = handle->stream;
    return CUSOLVER_STATUS_SUCCESS;
}

/* One element: each run allocates its own work area, and the caller's is
 * not used. */
cusolverStatus_t dense_work_size(cusolverDnHandle_t handle, bool good,
                                 int *lwork)
{
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!good || !lwork)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *lwork = 1;
    return CUSOLVER_STATUS_SUCCESS;
}
