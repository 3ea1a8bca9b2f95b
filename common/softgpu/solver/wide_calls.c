/* SPDX-License-Identifier: MIT */
/* The calls of cuSOLVER with 64-bit sizes, and types as arguments. */
#include <limits.h>
#include <stdlib.h>

#include "dense.h"
#include "letters.h"

#define BOTH (SOFTGPU_READS | SOFTGPU_WRITES)

/** Settings, which have no effect. */
struct cusolverDnParams {
    int unused;
};

/* --- settings ------------------------------------------------------------- */

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params)
{
    if (!params)
        return CUSOLVER_STATUS_INVALID_VALUE;
    *params = calloc(1, sizeof **params);
    return *params ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params)
{
    free(params);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params,
                                         cusolverDnFunction_t function,
                                         cusolverAlgMode_t algo)
{
    return params && (unsigned)function <= CUSOLVERDN_SYEVBATCHED
                   && (unsigned)algo <= CUSOLVER_ALG_2
               ? CUSOLVER_STATUS_SUCCESS
               : CUSOLVER_STATUS_INVALID_VALUE;
}

/* --- arguments ------------------------------------------------------------ */

/* A size as an int; -1, which no call accepts, for another number. */
static int narrow(int64_t size)
{
    return size >= 0 && size <= INT_MAX ? (int)size : -1;
}

/* Are both types that of a real matrix? */
static bool are_real(cudaDataType a, cudaDataType other)
{
    if (a == other && (a == CUDA_R_32F || a == CUDA_R_64F))
        return true;
    softgpu_library_refuse("its types are not float or double for all arrays");
    return false;
}

/* The type of both; if they differ, none that a call accepts. */
static cudaDataType common_type(cudaDataType a, cudaDataType b)
{
    return a == b ? a : CUDA_C_64F;
}

/* Answer how large the work areas are. */
static cusolverStatus_t work_size(cusolverDnHandle_t handle, bool good,
                                  size_t *device_bytes, size_t *host_bytes)
{
    int elements = 0;

    if (!device_bytes || !host_bytes)
        return handle ? CUSOLVER_STATUS_INVALID_VALUE
                      : CUSOLVER_STATUS_NOT_INITIALIZED;
    const cusolverStatus_t status = dense_work_size(handle, good, &elements);
    if (status == CUSOLVER_STATUS_SUCCESS) {
        *device_bytes = (size_t)elements * sizeof(double);
        *host_bytes = 0;
    }
    return status;
}

/* --- LU ------------------------------------------------------------------- */

/* Pivots of an int each; the caller frees them. */
static int *narrow_pivots(const struct dense *d)
{
    return dense_work_area(d, (size_t)d->value_count);
}

/* Pivots of 64 bits are made of LAPACK's. */
static void run_getrf(const void *self, unsigned part)
{
    struct dense d = *(const struct dense *)self;
    int64_t *wide = (void *)d.pivots;

    if (!wide) {
        dense_run_getrf(self, part);
        return;
    }
    d.pivots = narrow_pivots(&d);
    dense_run_getrf(&d, part);
    for (int i = 0; i < d.value_count; i++)
        wide[i] = d.pivots[i];
    free(d.pivots);
}

/* Likewise; a pivot that is no row is the last one. */
static void run_getrs(const void *self, unsigned part)
{
    struct dense d = *(const struct dense *)self;
    const int64_t *wide = (void *)d.pivots;

    if (!wide) {
        dense_run_getrs(self, part);
        return;
    }
    d.pivots = narrow_pivots(&d);
    for (int i = 0; i < d.value_count; i++)
        d.pivots[i] = wide[i] >= 1 && wide[i] <= d.a.rows ? (int)wide[i]
                                                          : d.a.rows;
    dense_run_getrs(&d, part);
    free(d.pivots);
}

/* --- the calls ------------------------------------------------------------ */

#define MATRIX(name, rows, columns, use) \
    {#name, (void *)(uintptr_t)name, rows, columns, narrow(ld##name), use}
/* Submit a call with a function that runs it; its arguments follow. */
#define SUBMIT(function, run, other_type, ...)                      \
    do {                                                            \
        SOFTGPU_LIBRARY_CALL();                                     \
        (void)params;                                               \
        struct dense d = {.is_double = a_type == CUDA_R_64F,        \
                          .is_wide = true, .info = info, __VA_ARGS__}; \
        if (!are_real(a_type, other_type))                          \
            return CUSOLVER_STATUS_NOT_SUPPORTED;                   \
        return dense_submit(handle, &d, "cusolverDn" #function, run); \
    } while (0)
#define WORK_SIZE(good)                                       \
    do {                                                      \
        SOFTGPU_LIBRARY_CALL();                               \
        (void)params, (void)a;                                \
        if (!are_real(a_type, compute))                       \
            return CUSOLVER_STATUS_NOT_SUPPORTED;             \
        return work_size(handle, good, device_bytes, host_bytes); \
    } while (0)
#define UNUSED_WORK \
    (void)compute, (void)device_work, (void)device_bytes, (void)host_work, \
        (void)host_bytes
#define SETTINGS cusolverDnHandle_t handle, cusolverDnParams_t params
#define TYPED(T, x) cudaDataType x##_type, T *x
#define SIZES cudaDataType compute, size_t *device_bytes, size_t *host_bytes
#define WORK                                                        \
    cudaDataType compute, void *device_work, size_t device_bytes,   \
        void *host_work, size_t host_bytes, int *info

cusolverStatus_t cusolverDnXgetrf_bufferSize(SETTINGS, int64_t m, int64_t n,
                                             TYPED(const void, a), int64_t lda,
                                             SIZES)
{
    WORK_SIZE(m >= 0 && n >= 0 && lda >= m);
}

cusolverStatus_t cusolverDnXgetrf(SETTINGS, int64_t m, int64_t n,
                                  TYPED(void, a), int64_t lda, int64_t *pivots,
                                  WORK)
{
    UNUSED_WORK;
    SUBMIT(Xgetrf, run_getrf, compute, .first = 'N', .second = 'N',
           .a = MATRIX(a, narrow(m), narrow(n), BOTH),
           .pivots = (void *)pivots, .value_count = narrow(m < n ? m : n),
           .pivots_use = SOFTGPU_WRITES);
}

cusolverStatus_t cusolverDnXgetrs(SETTINGS, cublasOperation_t op, int64_t n,
                                  int64_t columns, TYPED(const void, a),
                                  int64_t lda, const int64_t *pivots,
                                  TYPED(void, b), int64_t ldb, int *info)
{
    SUBMIT(Xgetrs, run_getrs, b_type, .first = of_operation(op),
           .second = 'N',
           .a = MATRIX(a, narrow(n), narrow(n), SOFTGPU_READS),
           .b = MATRIX(b, narrow(n), narrow(columns), BOTH),
           .pivots = (void *)(uintptr_t)pivots, .value_count = narrow(n),
           .pivots_use = SOFTGPU_READS);
}

cusolverStatus_t cusolverDnXpotrf_bufferSize(SETTINGS, cublasFillMode_t uplo,
                                             int64_t n, TYPED(const void, a),
                                             int64_t lda, SIZES)
{
    WORK_SIZE(of_fill(uplo) && n >= 0 && lda >= n);
}

cusolverStatus_t cusolverDnXpotrf(SETTINGS, cublasFillMode_t uplo, int64_t n,
                                  TYPED(void, a), int64_t lda, WORK)
{
    UNUSED_WORK;
    SUBMIT(Xpotrf, dense_run_potrf, compute, .first = of_fill(uplo),
           .second = 'N', .a = MATRIX(a, narrow(n), narrow(n), BOTH));
}

cusolverStatus_t cusolverDnXpotrs(SETTINGS, cublasFillMode_t uplo, int64_t n,
                                  int64_t columns, TYPED(const void, a),
                                  int64_t lda, TYPED(void, b), int64_t ldb,
                                  int *info)
{
    SUBMIT(Xpotrs, dense_run_potrs, b_type, .first = of_fill(uplo),
           .second = 'N',
           .a = MATRIX(a, narrow(n), narrow(n), SOFTGPU_READS),
           .b = MATRIX(b, narrow(n), narrow(columns), BOTH));
}

cusolverStatus_t cusolverDnXgeqrf_bufferSize(SETTINGS, int64_t m, int64_t n,
                                             TYPED(const void, a), int64_t lda,
                                             TYPED(const void, tau), SIZES)
{
    (void)tau;
    WORK_SIZE(m >= 0 && n >= 0 && lda >= m && tau_type == a_type);
}

cusolverStatus_t cusolverDnXgeqrf(SETTINGS, int64_t m, int64_t n,
                                  TYPED(void, a), int64_t lda,
                                  TYPED(void, tau), WORK)
{
    UNUSED_WORK;
    SUBMIT(Xgeqrf, dense_run_geqrf, common_type(tau_type, compute),
           .first = 'N', .second = 'N',
           .a = MATRIX(a, narrow(m), narrow(n), BOTH), .values = tau,
           .value_count = narrow(m < n ? m : n),
           .values_use = SOFTGPU_WRITES);
}

cusolverStatus_t cusolverDnXsyevd_bufferSize(SETTINGS, cusolverEigMode_t mode,
                                             cublasFillMode_t uplo, int64_t n,
                                             TYPED(const void, a), int64_t lda,
                                             TYPED(const void, w), SIZES)
{
    (void)w;
    WORK_SIZE(of_mode(mode) && of_fill(uplo) && n >= 0 && lda >= n
              && w_type == a_type);
}

cusolverStatus_t cusolverDnXsyevd(SETTINGS, cusolverEigMode_t mode,
                                  cublasFillMode_t uplo, int64_t n,
                                  TYPED(void, a), int64_t lda, TYPED(void, w),
                                  WORK)
{
    UNUSED_WORK;
    SUBMIT(Xsyevd, dense_run_syevd, common_type(w_type, compute),
           .first = of_mode(mode), .second = of_fill(uplo),
           .a = MATRIX(a, narrow(n), narrow(n), BOTH), .values = w,
           .value_count = narrow(n), .values_use = SOFTGPU_WRITES);
}
