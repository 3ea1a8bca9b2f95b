/* SPDX-License-Identifier: MIT */
/* The calls of cuSOLVER on dense matrices, once for both precisions. */
#include "dense.h"

#define BOTH (SOFTGPU_READS | SOFTGPU_WRITES)

/* LAPACK's letters; 0 for a value that is none. */
static char of_fill(cublasFillMode_t fill)
{
    return fill == CUBLAS_FILL_MODE_LOWER ? 'L'
           : fill == CUBLAS_FILL_MODE_UPPER ? 'U' : 0;
}

static char of_operation(cublasOperation_t op)
{
    return op == CUBLAS_OP_N ? 'N'
           : op == CUBLAS_OP_T || op == CUBLAS_OP_C ? 'T' : 0;
}

static char of_mode(cusolverEigMode_t mode)
{
    return mode == CUSOLVER_EIG_MODE_VECTOR ? 'V'
           : mode == CUSOLVER_EIG_MODE_NOVECTOR ? 'N' : 0;
}

/* The side of Q in ormqr; 0 also for more reflectors than Q has rows. */
static char of_ormqr(cublasSideMode_t side, int m, int n, int k)
{
    if (side == CUBLAS_SIDE_LEFT)
        return k >= 0 && k <= m ? 'L' : 0;
    return side == CUBLAS_SIDE_RIGHT && k >= 0 && k <= n ? 'R' : 0;
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* A matrix that a call reads or writes. */
#define MATRIX(name, at, rows, columns, use) \
    {#name, (void *)(at), rows, columns, ld##name, use}
/* Submit a call whose arguments follow. */
#define SUBMIT(P, function, ...)                                            \
    do {                                                                    \
        softgpu_call_site = SOFTGPU_CALLER;                                 \
        struct dense d = {.is_double = sizeof(*a) == sizeof(double),        \
                          .info = info, __VA_ARGS__};                       \
        return dense_submit(handle, &d, "cusolverDn" #P #function,          \
                            dense_run_##function);                          \
    } while (0)

/* LU factors, and the solution by them. */
#define LU(P, T)                                                              \
    cusolverStatus_t cusolverDn##P##getrf_bufferSize(                         \
        cusolverDnHandle_t handle, int m, int n, T *a, int lda, int *lwork)   \
    {                                                                         \
        (void)a;                                                              \
        return dense_work_size(handle, m >= 0 && n >= 0 && lda >= m, lwork);  \
    }                                                                         \
    cusolverStatus_t cusolverDn##P##getrf(cusolverDnHandle_t handle, int m,   \
                                          int n, T *a, int lda, T *work,      \
                                          int *pivots, int *info)             \
    {                                                                         \
        (void)work;                                                           \
        SUBMIT(P, getrf, .first = 'N', .second = 'N',                         \
               .a = MATRIX(a, a, m, n, BOTH), .pivots = pivots,               \
               .value_count = smaller(m, n), .pivots_use = SOFTGPU_WRITES);   \
    }                                                                         \
    cusolverStatus_t cusolverDn##P##getrs(                                    \
        cusolverDnHandle_t handle, cublasOperation_t op, int n, int columns,  \
        const T *a, int lda, const int *pivots, T *b, int ldb, int *info)     \
    {                                                                         \
        SUBMIT(P, getrs, .first = of_operation(op), .second = 'N',            \
               .a = MATRIX(a, a, n, n, SOFTGPU_READS),                        \
               .b = MATRIX(b, b, n, columns, BOTH), .pivots = (int *)pivots,  \
               .value_count = n, .pivots_use = SOFTGPU_READS);                \
    }
LU(S, float)
LU(D, double)

/* Cholesky factors, and the solution by them. */
#define CHOLESKY(P, T)                                                        \
    cusolverStatus_t cusolverDn##P##potrf_bufferSize(                         \
        cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a,        \
        int lda, int *lwork)                                                  \
    {                                                                         \
        (void)a;                                                              \
        return dense_work_size(handle, of_fill(uplo) && n >= 0 && lda >= n,   \
                               lwork);                                        \
    }                                                                         \
    cusolverStatus_t cusolverDn##P##potrf(                                    \
        cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a,        \
        int lda, T *work, int lwork, int *info)                               \
    {                                                                         \
        (void)work, (void)lwork;                                              \
        SUBMIT(P, potrf, .first = of_fill(uplo), .second = 'N',               \
               .a = MATRIX(a, a, n, n, BOTH));                                \
    }                                                                         \
    cusolverStatus_t cusolverDn##P##potrs(                                    \
        cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int columns, \
        const T *a, int lda, T *b, int ldb, int *info)                        \
    {                                                                         \
        SUBMIT(P, potrs, .first = of_fill(uplo), .second = 'N',               \
               .a = MATRIX(a, a, n, n, SOFTGPU_READS),                        \
               .b = MATRIX(b, b, n, columns, BOTH));                          \
    }
CHOLESKY(S, float)
CHOLESKY(D, double)

/* QR. */
#define QR(P, T)                                                              \
    cusolverStatus_t cusolverDn##P##geqrf_bufferSize(                         \
        cusolverDnHandle_t handle, int m, int n, T *a, int lda, int *lwork)   \
    {                                                                         \
        (void)a;                                                              \
        return dense_work_size(handle, m >= 0 && n >= 0 && lda >= m, lwork);  \
    }                                                                         \
    cusolverStatus_t cusolverDn##P##geqrf(                                    \
        cusolverDnHandle_t handle, int m, int n, T *a, int lda, T *tau,       \
        T *work, int lwork, int *info)                                        \
    {                                                                         \
        (void)work, (void)lwork;                                              \
        SUBMIT(P, geqrf, .first = 'N', .second = 'N',                         \
               .a = MATRIX(a, a, m, n, BOTH), .values = tau,                  \
               .value_count = smaller(m, n), .values_use = SOFTGPU_WRITES);   \
    }                                                                         \
    cusolverStatus_t cusolverDn##P##ormqr_bufferSize(                         \
        cusolverDnHandle_t handle, cublasSideMode_t side,                     \
        cublasOperation_t op, int m, int n, int k, const T *a, int lda,       \
        const T *tau, const T *c, int ldc, int *lwork)                        \
    {                                                                         \
        (void)a, (void)lda, (void)tau, (void)c;                               \
        return dense_work_size(handle,                                        \
                               of_ormqr(side, m, n, k) && of_operation(op)    \
                                   && m >= 0 && n >= 0 && ldc >= m,           \
                               lwork);                                        \
    }                                                                         \
    cusolverStatus_t cusolverDn##P##ormqr(                                    \
        cusolverDnHandle_t handle, cublasSideMode_t side,                     \
        cublasOperation_t op, int m, int n, int k, const T *a, int lda,       \
        const T *tau, T *c, int ldc, T *work, int lwork, int *info)           \
    {                                                                         \
        (void)work, (void)lwork;                                              \
        SUBMIT(P, ormqr, .first = of_ormqr(side, m, n, k),                    \
               .second = of_operation(op), .k = k,                            \
               .a = MATRIX(a, a, side == CUBLAS_SIDE_LEFT ? m : n, k,         \
                           SOFTGPU_READS),                                    \
               .b = MATRIX(c, c, m, n, BOTH), .values = (T *)tau,             \
               .value_count = k, .values_use = SOFTGPU_READS);                \
    }                                                                         \
    cusolverStatus_t cusolverDn##P##orgqr_bufferSize(                         \
        cusolverDnHandle_t handle, int m, int n, int k, const T *a, int lda,  \
        const T *tau, int *lwork)                                             \
    {                                                                         \
        (void)a, (void)tau;                                                   \
        return dense_work_size(handle,                                        \
                               m >= n && n >= k && k >= 0 && lda >= m,        \
                               lwork);                                        \
    }                                                                         \
    cusolverStatus_t cusolverDn##P##orgqr(                                    \
        cusolverDnHandle_t handle, int m, int n, int k, T *a, int lda,        \
        const T *tau, T *work, int lwork, int *info)                          \
    {                                                                         \
        (void)work, (void)lwork;                                              \
        SUBMIT(P, orgqr, .first = m >= n && n >= k ? 'N' : 0, .second = 'N',  \
               .k = k, .a = MATRIX(a, a, m, n, BOTH), .values = (T *)tau,     \
               .value_count = k, .values_use = SOFTGPU_READS);                \
    }
QR(S, float)
QR(D, double)

/* Letters of gesvd: all or the first columns are computed, or none.  'O' in
 * both places would have two results in A. */
static char of_job(signed char job, signed char other)
{
    return job == 'A' || job == 'S' || job == 'N' || (job == 'O' && other != 'O')
               ? (char)job : 0;
}

/* Columns of U, or rows of VT. */
static int wanted(signed char job, int all, int some)
{
    return job == 'A' ? all : job == 'S' ? some : 0;
}

/* Eigenvalues and singular values. */
#define VALUES(P, T)                                                          \
    cusolverStatus_t cusolverDn##P##syevd_bufferSize(                         \
        cusolverDnHandle_t handle, cusolverEigMode_t mode,                    \
        cublasFillMode_t uplo, int n, const T *a, int lda, const T *w,        \
        int *lwork)                                                           \
    {                                                                         \
        (void)a, (void)w;                                                     \
        return dense_work_size(handle,                                        \
                               of_mode(mode) && of_fill(uplo) && n >= 0       \
                                   && lda >= n,                               \
                               lwork);                                        \
    }                                                                         \
    cusolverStatus_t cusolverDn##P##syevd(                                    \
        cusolverDnHandle_t handle, cusolverEigMode_t mode,                    \
        cublasFillMode_t uplo, int n, T *a, int lda, T *w, T *work,           \
        int lwork, int *info)                                                 \
    {                                                                         \
        (void)work, (void)lwork;                                              \
        SUBMIT(P, syevd, .first = of_mode(mode),                              \
               .second = of_fill(uplo), .a = MATRIX(a, a, n, n, BOTH),        \
               .values = w, .value_count = n, .values_use = SOFTGPU_WRITES);  \
    }                                                                         \
    cusolverStatus_t cusolverDn##P##gesvd_bufferSize(                         \
        cusolverDnHandle_t handle, int m, int n, int *lwork)                  \
    {                                                                         \
        return dense_work_size(handle, m >= n && n >= 0, lwork);              \
    }                                                                         \
    cusolverStatus_t cusolverDn##P##gesvd(                                    \
        cusolverDnHandle_t handle, signed char job_u, signed char job_vt,     \
        int m, int n, T *a, int lda, T *s, T *u, int ldu, T *vt, int ldvt,    \
        T *work, int lwork, T *rwork, int *info)                              \
    {                                                                         \
        (void)work, (void)lwork, (void)rwork;                                 \
        const int us = wanted(job_u, m, n), vs = wanted(job_vt, n, n);        \
        SUBMIT(P, gesvd, .first = m >= n ? of_job(job_u, job_vt) : 0,         \
               .second = of_job(job_vt, job_u),                               \
               .a = MATRIX(a, a, m, n, BOTH),                                 \
               .b = MATRIX(u, u, us ? m : 0, us, SOFTGPU_WRITES),             \
               .vt = MATRIX(vt, vt, vs, vs ? n : 0, SOFTGPU_WRITES),          \
               .values = s, .value_count = smaller(m, n),                     \
               .values_use = SOFTGPU_WRITES);                                 \
    }
VALUES(S, float)
VALUES(D, double)
