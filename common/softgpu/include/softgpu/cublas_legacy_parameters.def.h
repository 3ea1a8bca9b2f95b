/* SPDX-License-Identifier: MIT */
/** @file
 *  The parameters of cublas_routines.def.h in the legacy interface, with a
 *  comma before each: letters for operations, factors by value.  A result is
 *  returned.
 */
/* no include guard: the header and the library include it */
#define SOFTGPU_LEGACY_TAKES_trans , char trans
#define SOFTGPU_LEGACY_TAKES_transa , char transa
#define SOFTGPU_LEGACY_TAKES_transb , char transb
#define SOFTGPU_LEGACY_TAKES_side , char side
#define SOFTGPU_LEGACY_TAKES_uplo , char uplo
#define SOFTGPU_LEGACY_TAKES_diag , char diag
#define SOFTGPU_LEGACY_TAKES_m , SOFTGPU_I m
#define SOFTGPU_LEGACY_TAKES_n , SOFTGPU_I n
#define SOFTGPU_LEGACY_TAKES_k , SOFTGPU_I k
#define SOFTGPU_LEGACY_TAKES_kl , SOFTGPU_I kl
#define SOFTGPU_LEGACY_TAKES_ku , SOFTGPU_I ku
#define SOFTGPU_LEGACY_TAKES_alpha , SOFTGPU_LEGACY_VALUE(SOFTGPU_T) alpha
#define SOFTGPU_LEGACY_TAKES_beta , SOFTGPU_LEGACY_VALUE(SOFTGPU_T) beta
#define SOFTGPU_LEGACY_TAKES_real_alpha , SOFTGPU_R alpha
#define SOFTGPU_LEGACY_TAKES_real_beta , SOFTGPU_R beta
#define SOFTGPU_LEGACY_TAKES_A , const SOFTGPU_T *A, SOFTGPU_I lda
#define SOFTGPU_LEGACY_TAKES_A_out , SOFTGPU_T *A, SOFTGPU_I lda
#define SOFTGPU_LEGACY_TAKES_B , const SOFTGPU_T *B, SOFTGPU_I ldb
#define SOFTGPU_LEGACY_TAKES_B_out , SOFTGPU_T *B, SOFTGPU_I ldb
#define SOFTGPU_LEGACY_TAKES_C_out , SOFTGPU_T *C, SOFTGPU_I ldc
#define SOFTGPU_LEGACY_TAKES_AP , const SOFTGPU_T *AP
#define SOFTGPU_LEGACY_TAKES_AP_out , SOFTGPU_T *AP
#define SOFTGPU_LEGACY_TAKES_x , const SOFTGPU_T *x, SOFTGPU_I incx
#define SOFTGPU_LEGACY_TAKES_x_out , SOFTGPU_T *x, SOFTGPU_I incx
#define SOFTGPU_LEGACY_TAKES_y , const SOFTGPU_T *y, SOFTGPU_I incy
#define SOFTGPU_LEGACY_TAKES_y_out , SOFTGPU_T *y, SOFTGPU_I incy
#define SOFTGPU_LEGACY_TAKES_result
#define SOFTGPU_LEGACY_TAKES_real_result
#define SOFTGPU_LEGACY_TAKES_index_result
#define SOFTGPU_LEGACY_TAKES_c , SOFTGPU_R c
#define SOFTGPU_LEGACY_TAKES_s , SOFTGPU_LEGACY_VALUE(SOFTGPU_T) s
#define SOFTGPU_LEGACY_TAKES_real_s , SOFTGPU_R s
#define SOFTGPU_LEGACY_TAKES_param , const SOFTGPU_T *param
#define SOFTGPU_LEGACY_TAKES_a_out , SOFTGPU_T *a
#define SOFTGPU_LEGACY_TAKES_b_out , SOFTGPU_T *b
#define SOFTGPU_LEGACY_TAKES_b_complex , SOFTGPU_LEGACY_VALUE(SOFTGPU_T) b
#define SOFTGPU_LEGACY_TAKES_c_out , SOFTGPU_R *c
#define SOFTGPU_LEGACY_TAKES_s_out , SOFTGPU_T *s
#define SOFTGPU_LEGACY_TAKES_d1_out , SOFTGPU_T *d1
#define SOFTGPU_LEGACY_TAKES_d2_out , SOFTGPU_T *d2
#define SOFTGPU_LEGACY_TAKES_x1_out , SOFTGPU_T *x1
#define SOFTGPU_LEGACY_TAKES_y1 , const SOFTGPU_T *y1
#define SOFTGPU_LEGACY_TAKES_param_out , SOFTGPU_T *param
