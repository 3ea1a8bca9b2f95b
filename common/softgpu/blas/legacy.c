/* SPDX-License-Identifier: MIT */
/* The legacy interface: each call passes its arguments to that of cublas_v2.h,
 * with one handle for all of them. */
#include "cublas.h"

#include <ctype.h>
#include <string.h>

#include "blas.h"

static cublasHandle_t handle; /* NULL before cublasInit() */
static cublasStatus_t error;  /* of the last call that failed */

/* Keep a status for cublasGetError(). */
static void keep(cublasStatus_t status)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        error = status;
}

/* Keep and return it. */
static cublasStatus_t keep_and_return(cublasStatus_t status)
{
    keep(status);
    return status;
}

/* --- the helper functions ------------------------------------------------- */

cublasStatus_t cublasInit(void)
{
    return handle ? CUBLAS_STATUS_SUCCESS
                  : keep_and_return(cublasCreate_v2(&handle));
}

cublasStatus_t cublasShutdown(void)
{
    const cublasStatus_t status = cublasDestroy_v2(handle);

    handle = NULL;
    return status;
}

cublasStatus_t cublasGetError(void)
{
    const cublasStatus_t last = error;

    error = CUBLAS_STATUS_SUCCESS;
    return last;
}

cublasStatus_t cublasGetVersion(int *version)
{
    return cublasGetVersion_v2(handle, version);
}

cublasStatus_t cublasAlloc(int n, int elemSize, void **devicePtr)
{
    SOFTGPU_LIBRARY_CALL();
    BLAS_REQUIRE(handle, keep_and_return(CUBLAS_STATUS_NOT_INITIALIZED));
    BLAS_REQUIRE(n > 0 && elemSize > 0 && devicePtr,
                 keep_and_return(CUBLAS_STATUS_INVALID_VALUE));
    return cudaMalloc(devicePtr, (size_t)n * (size_t)elemSize) == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : keep_and_return(CUBLAS_STATUS_ALLOC_FAILED);
}

cublasStatus_t cublasFree(void *devicePtr)
{
    SOFTGPU_LIBRARY_CALL();
    BLAS_REQUIRE(handle, keep_and_return(CUBLAS_STATUS_NOT_INITIALIZED));
    return cudaFree(devicePtr) == cudaSuccess
               ? CUBLAS_STATUS_SUCCESS
               : keep_and_return(CUBLAS_STATUS_INTERNAL_ERROR);
}

cublasStatus_t cublasSetKernelStream(cudaStream_t stream)
{
    return keep_and_return(cublasSetStream_v2(handle, stream));
}

/* --- letters -------------------------------------------------------------- */

/* The position of a letter, in either case; -1 is no value of the types. */
static int position_of(char letter, const char *letters)
{
    const char *at = strchr(letters, toupper((unsigned char)letter));

    return letter && at ? (int)(at - letters) : -1;
}

static cublasOperation_t operation_of(char letter)
{
    return (cublasOperation_t)position_of(letter, "NTC");
}

static cublasSideMode_t side_of(char letter)
{
    return (cublasSideMode_t)position_of(letter, "LR");
}

static cublasFillMode_t uplo_of(char letter)
{
    return (cublasFillMode_t)position_of(letter, "LU");
}

static cublasDiagType_t diag_of(char letter)
{
    return (cublasDiagType_t)position_of(letter, "NU");
}

/* --- the calls ------------------------------------------------------------ */

/* How a parameter is passed on. */
#define PASS_trans , operation_of(trans)
#define PASS_transa , operation_of(transa)
#define PASS_transb , operation_of(transb)
#define PASS_side , side_of(side)
#define PASS_uplo , uplo_of(uplo)
#define PASS_diag , diag_of(diag)
#define PASS_m , m
#define PASS_n , n
#define PASS_k , k
#define PASS_kl , kl
#define PASS_ku , ku
#define PASS_alpha , &alpha
#define PASS_beta , &beta
#define PASS_real_alpha , &alpha
#define PASS_real_beta , &beta
#define PASS_A , A, lda
#define PASS_A_out , A, lda
#define PASS_B , B, ldb
#define PASS_B_out , B, ldb
#define PASS_C_out , C, ldc
#define PASS_AP , AP
#define PASS_AP_out , AP
#define PASS_x , x, incx
#define PASS_x_out , x, incx
#define PASS_y , y, incy
#define PASS_y_out , y, incy
#define PASS_result , &result
#define PASS_real_result , &result
#define PASS_index_result , &result
#define PASS_c , &c
#define PASS_s , &s
#define PASS_real_s , &s
#define PASS_param , param
#define PASS_a_out , a
#define PASS_b_out , b
#define PASS_b_complex , &b
#define PASS_c_out , c
#define PASS_s_out , s
#define PASS_d1_out , d1
#define PASS_d2_out , d2
#define PASS_x1_out , x1
#define PASS_y1 , y1
#define PASS_param_out , param

#define DROP_COMMA(...) REST(__VA_ARGS__)
#define REST(empty, ...) __VA_ARGS__
#define HEAD(type, prefix, name, ...)                           \
    type SOFTGPU_CUBLAS_NAME(prefix, name, )(DROP_COMMA(        \
        SOFTGPU_EACH(SOFTGPU_LEGACY_TAKES_, __VA_ARGS__)))
#define PASS(prefix, name, ...)                                 \
    SOFTGPU_LIBRARY_CALL();                                     \
    keep(SOFTGPU_CUBLAS_NAME(prefix, name, _v2)(                \
        handle SOFTGPU_EACH(PASS_, __VA_ARGS__)))
#define NO_RESULT(prefix, name, ...)     \
    HEAD(void, prefix, name, __VA_ARGS__) \
    {                                    \
        PASS(prefix, name, __VA_ARGS__); \
    }
#define RESULT(type, prefix, name, ...)   \
    HEAD(type, prefix, name, __VA_ARGS__) \
    {                                     \
        type result = {0};                \
        PASS(prefix, name, __VA_ARGS__);  \
        return result;                    \
    }

#define LEGACY_level1 NO_RESULT
#define LEGACY_reduction(...) RESULT(SOFTGPU_T, __VA_ARGS__)
#define LEGACY_real_reduction(...) RESULT(SOFTGPU_R, __VA_ARGS__)
#define LEGACY_index_reduction(...) RESULT(int, __VA_ARGS__)
#define LEGACY_scalars NO_RESULT
#define LEGACY_gemv NO_RESULT
#define LEGACY_ger NO_RESULT
#define LEGACY_fortran NO_RESULT
#define LEGACY_gemm NO_RESULT
/* In place. */
#define LEGACY_trmm(prefix, name, ...)                                        \
    HEAD(void, prefix, name, side, uplo, trans, diag, m, n, alpha, A, B_out)  \
    {                                                                         \
        PASS(prefix, name, side, uplo, trans, diag, m, n, alpha, A, B, B_out); \
    }
#define LEGACY_extension(...)
#define LEGACY_gemm3m(...)
#define LEGACY_geam(...)
#define LEGACY_dgmm(...)
#define LEGACY_packed(...)

#define ROUTINE(group, prefix, name, version, ...) \
    LEGACY_##group(prefix, name, __VA_ARGS__)
#define SOFTGPU_CUBLAS_INT_ONLY
#include "softgpu/cublas_legacy_parameters.def.h"
#include "softgpu/cublas_each.def.h"
