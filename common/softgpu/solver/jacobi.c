/* SPDX-License-Identifier: MIT */
/* cuSOLVER's eigenvalues by Jacobi's method: the same numbers come from
 * LAPACK's divide and conquer, so tolerance and sweeps have no effect. */
#include <math.h>
#include <stdlib.h>

#include "common/softgpu/core/core.h"
#include "dense.h"
#include "letters.h"

/** Settings of a call, and what is known after it. */
struct syevjInfo {
    double residual; /**< negative: not known */
    bool is_batch;   /**< of the last call */
};

/* Element i of an array of the call's real type. */
static double real_at(const struct dense *d, const void *p, size_t i)
{
    return d->is_double ? ((const double *)p)[i]
                        : (double)((const float *)p)[i];
}

/* The lower triangle of A as a whole matrix of double, of which a call reads
 * the triangle `second`; the caller frees it. */
static double *copy_triangle(const struct dense *d)
{
    const size_t n = (size_t)d->a.rows, ld = (size_t)d->a.ld;
    double *to = malloc((n * n + 1) * sizeof *to);

    if (!to)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE, "no memory for a work area");
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++)
            to[j * n + i] = real_at(
                d, d->a.at, d->second == 'L' ? j * ld + i : i * ld + j);
    return to;
}

/* The norm of A - V W V', of a lower triangle of A, which is overwritten. */
static double residual(const struct dense *d, double *a)
{
    const size_t n = (size_t)d->a.rows, ld = (size_t)d->a.ld;
    double sum = 0;

    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < n; j++) {
            const double f = real_at(d, d->values, k)
                             * real_at(d, d->a.at, k * ld + j);
            for (size_t i = j; i < n; i++)
                a[j * n + i] -= f * real_at(d, d->a.at, k * ld + i);
        }
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++)
            sum += (i == j ? 1 : 2) * a[j * n + i] * a[j * n + i];
    return sqrt(sum);
}

/* One matrix, and its residual if there are vectors. */
static void run_syevj(const void *self, unsigned part)
{
    const struct dense *d = self;
    double *before = d->first == 'V' ? copy_triangle(d) : NULL;

    dense_run_syevd(self, part);
    d->jacobi->residual = before ? residual(d, before) : -1;
    free(before);
}

/* One matrix of a batch. */
static void run_syevjBatched(const void *self, unsigned part)
{
    struct dense d = *(const struct dense *)self;
    const size_t bytes = (size_t)d.a.ld * (size_t)d.a.columns
                         * dense_element(&d);

    d.a.at = (char *)d.a.at + part * bytes;
    d.values = (char *)d.values + part * (size_t)d.a.rows * dense_real(&d);
    d.info += part;
    dense_run_syevd(&d, 0);
}

/* --- settings ------------------------------------------------------------- */

/* No call yet. */
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *info)
{
    if (!info)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *info = malloc(sizeof **info);
    if (!*info)
        return CUSOLVER_STATUS_ALLOC_FAILED;
    **info = (struct syevjInfo){.residual = -1};
    return CUSOLVER_STATUS_SUCCESS;
}

/* A call that is queued stores its residual there, so it must end first. */
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info)
{
    cudaDeviceSynchronize();
    free(info);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info,
                                              double tolerance)
{
    return info && tolerance >= 0 ? CUSOLVER_STATUS_SUCCESS
                                  : CUSOLVER_STATUS_INVALID_VALUE;
}

cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info,
                                              int max_sweeps)
{
    return info && max_sweeps > 0 ? CUSOLVER_STATUS_SUCCESS
                                  : CUSOLVER_STATUS_INVALID_VALUE;
}

cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sort_eig)
{
    (void)sort_eig;
    return info ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

cusolverStatus_t cusolverDnXsyevjGetResidual(cusolverDnHandle_t handle,
                                             syevjInfo_t info,
                                             double *residual)
{
    SOFTGPU_LIBRARY_CALL();
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!info || !residual)
        return CUSOLVER_STATUS_INVALID_VALUE;
    cudaStreamSynchronize(handle->stream);
    if (info->is_batch || info->residual < 0) {
        softgpu_library_refuse("the last call had a batch or no eigenvectors");
        return CUSOLVER_STATUS_NOT_SUPPORTED;
    }
    *residual = info->residual;
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnXsyevjGetSweeps(cusolverDnHandle_t handle,
                                           syevjInfo_t info,
                                           int *executed_sweeps)
{
    SOFTGPU_LIBRARY_CALL();
    if (!handle)
        return CUSOLVER_STATUS_NOT_INITIALIZED;
    if (!info || !executed_sweeps)
        return CUSOLVER_STATUS_INVALID_VALUE;
    if (info->is_batch) {
        softgpu_library_refuse("the last call had a batch");
        return CUSOLVER_STATUS_NOT_SUPPORTED;
    }
    *executed_sweeps = 1;
    return CUSOLVER_STATUS_SUCCESS;
}

/* --- the calls ------------------------------------------------------------ */

/* Both calls; a batch of 0 is one matrix. */
static cusolverStatus_t submit(cusolverDnHandle_t handle, struct dense *d,
                               const char *name)
{
    if (!d->jacobi)
        return CUSOLVER_STATUS_INVALID_VALUE;
    d->jacobi->is_batch = d->batch > 0;
    d->value_count = d->a.rows;
    d->values_use = SOFTGPU_WRITES;
    return dense_submit(handle, d, name,
                        d->batch ? run_syevjBatched : run_syevj);
}

#define CALLS(P, T)                                                          \
    cusolverStatus_t cusolverDn##P##syevj_bufferSize(                        \
        cusolverDnHandle_t handle, cusolverEigMode_t mode,                   \
        cublasFillMode_t uplo, int n, const T *a, int lda, const T *w,       \
        int *lwork, syevjInfo_t params)                                      \
    {                                                                        \
        (void)a, (void)w;                                                    \
        return dense_work_size(handle,                                       \
                               params && of_mode(mode) && of_fill(uplo)      \
                                   && n >= 0 && lda >= n,                    \
                               lwork);                                       \
    }                                                                        \
    cusolverStatus_t cusolverDn##P##syevj(                                   \
        cusolverDnHandle_t handle, cusolverEigMode_t mode,                   \
        cublasFillMode_t uplo, int n, T *a, int lda, T *w, T *work,          \
        int lwork, int *info, syevjInfo_t params)                            \
    {                                                                        \
        SOFTGPU_LIBRARY_CALL();                                              \
        (void)work, (void)lwork;                                             \
        struct dense d = {                                                   \
            .is_double = sizeof(T) == sizeof(double),                        \
            .first = of_mode(mode), .second = of_fill(uplo), .values = w,    \
            .a = {"a", a, n, n, lda, SOFTGPU_READS | SOFTGPU_WRITES},        \
            .info = info, .jacobi = params};                                 \
        return submit(handle, &d, "cusolverDn" #P "syevj");                  \
    }                                                                        \
    cusolverStatus_t cusolverDn##P##syevjBatched_bufferSize(                 \
        cusolverDnHandle_t handle, cusolverEigMode_t mode,                   \
        cublasFillMode_t uplo, int n, const T *a, int lda, const T *w,       \
        int *lwork, syevjInfo_t params, int batch)                           \
    {                                                                        \
        return batch < 0 ? CUSOLVER_STATUS_INVALID_VALUE                     \
                         : cusolverDn##P##syevj_bufferSize(                  \
                               handle, mode, uplo, n, a, lda, w, lwork,      \
                               params);                                      \
    }                                                                        \
    cusolverStatus_t cusolverDn##P##syevjBatched(                            \
        cusolverDnHandle_t handle, cusolverEigMode_t mode,                   \
        cublasFillMode_t uplo, int n, T *a, int lda, T *w, T *work,          \
        int lwork, int *info, syevjInfo_t params, int batch)                 \
    {                                                                        \
        SOFTGPU_LIBRARY_CALL();                                              \
        (void)work, (void)lwork;                                             \
        struct dense d = {                                                   \
            .is_double = sizeof(T) == sizeof(double), .batch = batch,        \
            .first = of_mode(mode), .second = of_fill(uplo), .values = w,    \
            .a = {"a", a, n, n, lda, SOFTGPU_READS | SOFTGPU_WRITES},        \
            .info = info, .jacobi = params};                                 \
        return batch ? submit(handle, &d, "cusolverDn" #P "syevjBatched")    \
                     : CUSOLVER_STATUS_SUCCESS;                              \
    }

CALLS(S, float)
CALLS(D, double)
