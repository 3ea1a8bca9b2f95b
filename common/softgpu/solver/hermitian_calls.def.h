/* SPDX-License-Identifier: MIT */
/* cuSOLVER's calls on Hermitian matrices of complex elements T, of two REAL
 * numbers, whose names are CALL(function); dense_calls.c includes this once for
 * each type. */

cusolverStatus_t CALL(heevd_bufferSize)(
    cusolverDnHandle_t handle, cusolverEigMode_t mode,
    cublasFillMode_t uplo, int n, const T *a, int lda, const REAL *w,
    int *lwork)
{
    (void)a, (void)w;
    return dense_work_size(handle,
                           of_mode(mode) && of_fill(uplo) && n >= 0
                               && lda >= n,
                           lwork);
}

cusolverStatus_t CALL(heevd)(
    cusolverDnHandle_t handle, cusolverEigMode_t mode,
    cublasFillMode_t uplo, int n, T *a, int lda, REAL *w, T *work,
    int lwork, int *info)
{
    (void)work, (void)lwork;
    SUBMIT(heevd, .first = of_mode(mode),
           .second = of_fill(uplo), .a = MATRIX(a, a, n, n, BOTH),
           .values = w, .value_count = n, .values_use = SOFTGPU_WRITES);
}
