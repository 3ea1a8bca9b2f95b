/* SPDX-License-Identifier: MIT */
/** @file
 *  The parameters of cublas_routines.def.h, with a comma before each.  Those
 *  that end in _out are written; real_... has the real type of a complex one.
 */
/* no include guard: the header and the library include it */
#define SOFTGPU_CUBLAS_TAKES_trans , cublasOperation_t trans
#define SOFTGPU_CUBLAS_TAKES_transa , cublasOperation_t transa
#define SOFTGPU_CUBLAS_TAKES_transb , cublasOperation_t transb
#define SOFTGPU_CUBLAS_TAKES_side , cublasSideMode_t side
#define SOFTGPU_CUBLAS_TAKES_uplo , cublasFillMode_t uplo
#define SOFTGPU_CUBLAS_TAKES_diag , cublasDiagType_t diag
#define SOFTGPU_CUBLAS_TAKES_m , SOFTGPU_I m
#define SOFTGPU_CUBLAS_TAKES_n , SOFTGPU_I n
#define SOFTGPU_CUBLAS_TAKES_k , SOFTGPU_I k
#define SOFTGPU_CUBLAS_TAKES_kl , SOFTGPU_I kl
#define SOFTGPU_CUBLAS_TAKES_ku , SOFTGPU_I ku
#define SOFTGPU_CUBLAS_TAKES_alpha , const SOFTGPU_T *alpha
#define SOFTGPU_CUBLAS_TAKES_beta , const SOFTGPU_T *beta
#define SOFTGPU_CUBLAS_TAKES_real_alpha , const SOFTGPU_R *alpha
#define SOFTGPU_CUBLAS_TAKES_real_beta , const SOFTGPU_R *beta
#define SOFTGPU_CUBLAS_TAKES_A , const SOFTGPU_T *A, SOFTGPU_I lda
#define SOFTGPU_CUBLAS_TAKES_A_out , SOFTGPU_T *A, SOFTGPU_I lda
#define SOFTGPU_CUBLAS_TAKES_B , const SOFTGPU_T *B, SOFTGPU_I ldb
#define SOFTGPU_CUBLAS_TAKES_B_out , SOFTGPU_T *B, SOFTGPU_I ldb
#define SOFTGPU_CUBLAS_TAKES_C_out , SOFTGPU_T *C, SOFTGPU_I ldc
#define SOFTGPU_CUBLAS_TAKES_AP , const SOFTGPU_T *AP
#define SOFTGPU_CUBLAS_TAKES_AP_out , SOFTGPU_T *AP
#define SOFTGPU_CUBLAS_TAKES_CP_out , SOFTGPU_T *CP
#define SOFTGPU_CUBLAS_TAKES_x , const SOFTGPU_T *x, SOFTGPU_I incx
#define SOFTGPU_CUBLAS_TAKES_x_out , SOFTGPU_T *x, SOFTGPU_I incx
#define SOFTGPU_CUBLAS_TAKES_y , const SOFTGPU_T *y, SOFTGPU_I incy
#define SOFTGPU_CUBLAS_TAKES_y_out , SOFTGPU_T *y, SOFTGPU_I incy
#define SOFTGPU_CUBLAS_TAKES_result , SOFTGPU_T *result
#define SOFTGPU_CUBLAS_TAKES_real_result , SOFTGPU_R *result
#define SOFTGPU_CUBLAS_TAKES_index_result , SOFTGPU_I *result
#define SOFTGPU_CUBLAS_TAKES_c , const SOFTGPU_R *c
#define SOFTGPU_CUBLAS_TAKES_s , const SOFTGPU_T *s
#define SOFTGPU_CUBLAS_TAKES_real_s , const SOFTGPU_R *s
#define SOFTGPU_CUBLAS_TAKES_param , const SOFTGPU_T *param
#define SOFTGPU_CUBLAS_TAKES_a_out , SOFTGPU_T *a
#define SOFTGPU_CUBLAS_TAKES_b_out , SOFTGPU_T *b
#define SOFTGPU_CUBLAS_TAKES_b_complex , SOFTGPU_T *b
#define SOFTGPU_CUBLAS_TAKES_c_out , SOFTGPU_R *c
#define SOFTGPU_CUBLAS_TAKES_s_out , SOFTGPU_T *s
#define SOFTGPU_CUBLAS_TAKES_d1_out , SOFTGPU_T *d1
#define SOFTGPU_CUBLAS_TAKES_d2_out , SOFTGPU_T *d2
#define SOFTGPU_CUBLAS_TAKES_x1_out , SOFTGPU_T *x1
#define SOFTGPU_CUBLAS_TAKES_y1 , const SOFTGPU_T *y1
#define SOFTGPU_CUBLAS_TAKES_param_out , SOFTGPU_T *param
