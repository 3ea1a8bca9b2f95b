/* SPDX-License-Identifier: MIT */
/* cuSOLVER's calls on dense matrices of elements T, whose names are
 * CALL(function); dense_calls.c includes this once for each type. */

/* LU factors, and the solution by them. */
cusolverStatus_t CALL(getrf_bufferSize)(
    cusolverDnHandle_t handle, int m, int n, T *a, int lda, int *lwork)
{
    (void)a;
    return dense_work_size(handle, m >= 0 && n >= 0 && lda >= m, lwork);
}

cusolverStatus_t CALL(getrf)(
    cusolverDnHandle_t handle, int m, int n, T *a, int lda, T *work,
    int *pivots, int *info)
{
    (void)work;
    SUBMIT(getrf, .first = 'N', .second = 'N',
           .a = MATRIX(a, a, m, n, BOTH), .pivots = pivots,
           .value_count = smaller(m, n), .pivots_use = SOFTGPU_WRITES);
}

cusolverStatus_t CALL(getrs)(
    cusolverDnHandle_t handle, cublasOperation_t op, int n, int columns,
    const T *a, int lda, const int *pivots, T *b, int ldb, int *info)
{
    SUBMIT(getrs, .first = of_operation(op), .second = 'N',
           .a = MATRIX(a, a, n, n, SOFTGPU_READS),
           .b = MATRIX(b, b, n, columns, BOTH), .pivots = (int *)pivots,
           .value_count = n, .pivots_use = SOFTGPU_READS);
}

/* Cholesky factors, and the solution by them. */
cusolverStatus_t CALL(potrf_bufferSize)(
    cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a,
    int lda, int *lwork)
{
    (void)a;
    return dense_work_size(handle, of_fill(uplo) && n >= 0 && lda >= n,
                           lwork);
}

cusolverStatus_t CALL(potrf)(
    cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T *a,
    int lda, T *work, int lwork, int *info)
{
    (void)work, (void)lwork;
    SUBMIT(potrf, .first = of_fill(uplo), .second = 'N',
           .a = MATRIX(a, a, n, n, BOTH));
}

cusolverStatus_t CALL(potrs)(
    cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, int columns,
    const T *a, int lda, T *b, int ldb, int *info)
{
    SUBMIT(potrs, .first = of_fill(uplo), .second = 'N',
           .a = MATRIX(a, a, n, n, SOFTGPU_READS),
           .b = MATRIX(b, b, n, columns, BOTH));
}

/* QR. */
cusolverStatus_t CALL(geqrf_bufferSize)(
    cusolverDnHandle_t handle, int m, int n, T *a, int lda, int *lwork)
{
    (void)a;
    return dense_work_size(handle, m >= 0 && n >= 0 && lda >= m, lwork);
}

cusolverStatus_t CALL(geqrf)(
    cusolverDnHandle_t handle, int m, int n, T *a, int lda, T *tau,
    T *work, int lwork, int *info)
{
    (void)work, (void)lwork;
    SUBMIT(geqrf, .first = 'N', .second = 'N',
           .a = MATRIX(a, a, m, n, BOTH), .values = tau,
           .value_count = smaller(m, n), .values_use = SOFTGPU_WRITES);
}

cusolverStatus_t CALL(ormqr_bufferSize)(
    cusolverDnHandle_t handle, cublasSideMode_t side,
    cublasOperation_t op, int m, int n, int k, const T *a, int lda,
    const T *tau, const T *c, int ldc, int *lwork)
{
    (void)a, (void)lda, (void)tau, (void)c;
    return dense_work_size(handle,
                           of_ormqr(side, m, n, k) && of_operation(op)
                               && m >= 0 && n >= 0 && ldc >= m,
                           lwork);
}

cusolverStatus_t CALL(ormqr)(
    cusolverDnHandle_t handle, cublasSideMode_t side,
    cublasOperation_t op, int m, int n, int k, const T *a, int lda,
    const T *tau, T *c, int ldc, T *work, int lwork, int *info)
{
    (void)work, (void)lwork;
    SUBMIT(ormqr, .first = of_ormqr(side, m, n, k),
           .second = of_operation(op), .k = k,
           .a = MATRIX(a, a, side == CUBLAS_SIDE_LEFT ? m : n, k,
                       SOFTGPU_READS),
           .b = MATRIX(c, c, m, n, BOTH), .values = (T *)tau,
           .value_count = k, .values_use = SOFTGPU_READS);
}

cusolverStatus_t CALL(orgqr_bufferSize)(
    cusolverDnHandle_t handle, int m, int n, int k, const T *a, int lda,
    const T *tau, int *lwork)
{
    (void)a, (void)tau;
    return dense_work_size(handle,
                           m >= n && n >= k && k >= 0 && lda >= m,
                           lwork);
}

cusolverStatus_t CALL(orgqr)(
    cusolverDnHandle_t handle, int m, int n, int k, T *a, int lda,
    const T *tau, T *work, int lwork, int *info)
{
    (void)work, (void)lwork;
    SUBMIT(orgqr, .first = m >= n && n >= k ? 'N' : 0, .second = 'N',
           .k = k, .a = MATRIX(a, a, m, n, BOTH), .values = (T *)tau,
           .value_count = k, .values_use = SOFTGPU_READS);
}

/* Eigenvalues and singular values. */
cusolverStatus_t CALL(syevd_bufferSize)(
    cusolverDnHandle_t handle, cusolverEigMode_t mode,
    cublasFillMode_t uplo, int n, const T *a, int lda, const T *w,
    int *lwork)
{
    (void)a, (void)w;
    return dense_work_size(handle,
                           of_mode(mode) && of_fill(uplo) && n >= 0
                               && lda >= n,
                           lwork);
}

cusolverStatus_t CALL(syevd)(
    cusolverDnHandle_t handle, cusolverEigMode_t mode,
    cublasFillMode_t uplo, int n, T *a, int lda, T *w, T *work,
    int lwork, int *info)
{
    (void)work, (void)lwork;
    SUBMIT(syevd, .first = of_mode(mode),
           .second = of_fill(uplo), .a = MATRIX(a, a, n, n, BOTH),
           .values = w, .value_count = n, .values_use = SOFTGPU_WRITES);
}

cusolverStatus_t CALL(gesvd_bufferSize)(
    cusolverDnHandle_t handle, int m, int n, int *lwork)
{
    return dense_work_size(handle, m >= n && n >= 0, lwork);
}

cusolverStatus_t CALL(gesvd)(
    cusolverDnHandle_t handle, signed char job_u, signed char job_vt,
    int m, int n, T *a, int lda, T *s, T *u, int ldu, T *vt, int ldvt,
    T *work, int lwork, T *rwork, int *info)
{
    (void)work, (void)lwork, (void)rwork;
    const int us = wanted(job_u, m, n), vs = wanted(job_vt, n, n);
    SUBMIT(gesvd, .first = m >= n ? of_job(job_u, job_vt) : 0,
           .second = of_job(job_vt, job_u),
           .a = MATRIX(a, a, m, n, BOTH),
           .b = MATRIX(u, u, us ? m : 0, us, SOFTGPU_WRITES),
           .vt = MATRIX(vt, vt, vs, vs ? n : 0, SOFTGPU_WRITES),
           .values = s, .value_count = smaller(m, n),
           .values_use = SOFTGPU_WRITES);
}
