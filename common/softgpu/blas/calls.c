/* SPDX-License-Identifier: MIT */
/* Definitions of the calls in cublas_routines.def.h: each fills a struct
 * blas_arguments and passes it to its group. */
#include "routines.h"

/* How a parameter is stored in struct blas_arguments. */
#define FILL_trans .trans = trans,
#define FILL_transa .trans = transa,
#define FILL_transb .transb = transb,
#define FILL_side .side = side,
#define FILL_uplo .uplo = uplo,
#define FILL_diag .diag = diag,
#define FILL_m .m = m,
#define FILL_n .n = n,
#define FILL_k .k = k,
#define FILL_kl .kl = kl,
#define FILL_ku .ku = ku,
#define FILL_alpha .alpha = alpha,
#define FILL_real_alpha .alpha = alpha,
#define FILL_beta .beta = beta,
#define FILL_real_beta .beta = beta,
#define FILL_A .a = {A, lda},
#define FILL_A_out .a = {A, lda},
#define FILL_B .b = {B, ldb},
#define FILL_B_out .b = {B, ldb},
#define FILL_C_out .c = {C, ldc},
#define FILL_AP .a = {AP, 0},
#define FILL_AP_out .a = {AP, 0},
#define FILL_CP_out .c = {CP, 0},
#define FILL_x .x = {x, incx},
#define FILL_x_out .x = {x, incx},
#define FILL_y .y = {y, incy},
#define FILL_y_out .y = {y, incy},
#define FILL_result .result = result,
#define FILL_real_result .result = result,
#define FILL_index_result .result = result,
#define FILL_c .cosine = c,
#define FILL_s .sine = s,
#define FILL_real_s .sine = s,
#define FILL_param .param = param,
#define FILL_a_out .scalars[0] = a,
#define FILL_b_out .scalars[1] = b,
#define FILL_b_complex .scalars[1] = b,
#define FILL_c_out .scalars[2] = c,
#define FILL_s_out .scalars[3] = s,
#define FILL_d1_out .scalars[0] = d1,
#define FILL_d2_out .scalars[1] = d2,
#define FILL_x1_out .scalars[2] = x1,
#define FILL_y1 .scalars[3] = y1,
#define FILL_param_out .scalars[4] = param,

/* Its place in struct blas_routine. */
#define KIND_trans BLAS_TRANS,
#define KIND_transa BLAS_TRANS,
#define KIND_transb BLAS_TRANSB,
#define KIND_side BLAS_SIDE,
#define KIND_uplo BLAS_UPLO,
#define KIND_diag BLAS_DIAG,
#define KIND_m BLAS_M,
#define KIND_n BLAS_N,
#define KIND_k BLAS_K,
#define KIND_kl BLAS_KL,
#define KIND_ku BLAS_KU,
#define KIND_alpha BLAS_ALPHA,
#define KIND_real_alpha BLAS_ALPHA | BLAS_IS_REAL,
#define KIND_beta BLAS_BETA,
#define KIND_real_beta BLAS_BETA | BLAS_IS_REAL,
#define KIND_A BLAS_A,
#define KIND_A_out BLAS_A | BLAS_IS_WRITTEN,
#define KIND_B BLAS_B,
#define KIND_B_out BLAS_B | BLAS_IS_WRITTEN,
#define KIND_C_out BLAS_C | BLAS_IS_WRITTEN,
#define KIND_AP BLAS_A,
#define KIND_AP_out BLAS_A | BLAS_IS_WRITTEN,
#define KIND_CP_out BLAS_C | BLAS_IS_WRITTEN,
#define KIND_x BLAS_X,
#define KIND_x_out BLAS_X | BLAS_IS_WRITTEN,
#define KIND_y BLAS_Y,
#define KIND_y_out BLAS_Y | BLAS_IS_WRITTEN,
#define KIND_result BLAS_ELSE,
#define KIND_real_result BLAS_ELSE | BLAS_IS_REAL,
#define KIND_index_result BLAS_ELSE,
#define KIND_c BLAS_ELSE | BLAS_IS_REAL,
#define KIND_s BLAS_ELSE,
#define KIND_real_s BLAS_ELSE | BLAS_IS_REAL,
#define KIND_param BLAS_ELSE,
#define KIND_a_out BLAS_ELSE | BLAS_IS_WRITTEN,
#define KIND_b_out BLAS_ELSE | BLAS_IS_WRITTEN,
#define KIND_b_complex BLAS_ELSE | BLAS_IS_WRITTEN,
#define KIND_c_out BLAS_ELSE | BLAS_IS_WRITTEN | BLAS_IS_REAL,
#define KIND_s_out BLAS_ELSE | BLAS_IS_WRITTEN,
#define KIND_d1_out BLAS_ELSE | BLAS_IS_WRITTEN,
#define KIND_d2_out BLAS_ELSE | BLAS_IS_WRITTEN,
#define KIND_x1_out BLAS_ELSE | BLAS_IS_WRITTEN,
#define KIND_y1 BLAS_ELSE,
#define KIND_param_out BLAS_ELSE | BLAS_IS_WRITTEN,

/* The function of a group. */
#define GROUP_level1 blas_level1
#define GROUP_reduction blas_level1
#define GROUP_real_reduction blas_level1
#define GROUP_index_reduction blas_level1
#define GROUP_scalars blas_scalars
#define GROUP_gemv blas_gemv
#define GROUP_ger blas_ger
#define GROUP_fortran blas_fortran
#define GROUP_extension blas_fortran
#define GROUP_trmm blas_fortran
#define GROUP_gemm blas_gemm
#define GROUP_gemm3m blas_gemm
#define GROUP_geam blas_geam
#define GROUP_dgmm blas_dgmm
#define GROUP_packed blas_packed

#define TEXT(prefix) TEXT_OF(prefix)
#define TEXT_OF(prefix) #prefix
#define ROUTINE(group, prefix, function, version, ...)                       \
    cublasStatus_t SOFTGPU_CUBLAS_NAME(prefix, function, version)(           \
        cublasHandle_t handle SOFTGPU_EACH(SOFTGPU_CUBLAS_TAKES_,            \
                                           __VA_ARGS__))                     \
    {                                                                        \
        static const struct blas_routine routine = {                         \
            "cublas" TEXT(prefix) #function, #function, SOFTGPU_DATA,        \
            sizeof(SOFTGPU_I), {SOFTGPU_EACH(KIND_, __VA_ARGS__) BLAS_END}}; \
        const struct blas_arguments arguments = {                            \
            SOFTGPU_EACH(FILL_, __VA_ARGS__)};                               \
        SOFTGPU_LIBRARY_CALL();                                              \
        BLAS_REQUIRE_HANDLE(handle);                                         \
        return GROUP_##group(handle, &routine, &arguments);                  \
    }
#include "softgpu/cublas_parameters.def.h"
#include "softgpu/cublas_each.def.h"
