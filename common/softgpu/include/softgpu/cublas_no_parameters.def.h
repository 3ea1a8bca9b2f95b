/* SPDX-License-Identifier: MIT */
/** @file
 *  Undefines what cublas_parameters.def.h defines.
 */
/* no include guard: the header and the library include it */
#undef SOFTGPU_CUBLAS_TAKES_trans
#undef SOFTGPU_CUBLAS_TAKES_transa
#undef SOFTGPU_CUBLAS_TAKES_transb
#undef SOFTGPU_CUBLAS_TAKES_side
#undef SOFTGPU_CUBLAS_TAKES_uplo
#undef SOFTGPU_CUBLAS_TAKES_diag
#undef SOFTGPU_CUBLAS_TAKES_m
#undef SOFTGPU_CUBLAS_TAKES_n
#undef SOFTGPU_CUBLAS_TAKES_k
#undef SOFTGPU_CUBLAS_TAKES_kl
#undef SOFTGPU_CUBLAS_TAKES_ku
#undef SOFTGPU_CUBLAS_TAKES_alpha
#undef SOFTGPU_CUBLAS_TAKES_beta
#undef SOFTGPU_CUBLAS_TAKES_real_alpha
#undef SOFTGPU_CUBLAS_TAKES_real_beta
#undef SOFTGPU_CUBLAS_TAKES_A
#undef SOFTGPU_CUBLAS_TAKES_A_out
#undef SOFTGPU_CUBLAS_TAKES_B
#undef SOFTGPU_CUBLAS_TAKES_B_out
#undef SOFTGPU_CUBLAS_TAKES_C_out
#undef SOFTGPU_CUBLAS_TAKES_AP
#undef SOFTGPU_CUBLAS_TAKES_AP_out
#undef SOFTGPU_CUBLAS_TAKES_CP_out
#undef SOFTGPU_CUBLAS_TAKES_x
#undef SOFTGPU_CUBLAS_TAKES_x_out
#undef SOFTGPU_CUBLAS_TAKES_y
#undef SOFTGPU_CUBLAS_TAKES_y_out
#undef SOFTGPU_CUBLAS_TAKES_result
#undef SOFTGPU_CUBLAS_TAKES_real_result
#undef SOFTGPU_CUBLAS_TAKES_index_result
#undef SOFTGPU_CUBLAS_TAKES_c
#undef SOFTGPU_CUBLAS_TAKES_s
#undef SOFTGPU_CUBLAS_TAKES_real_s
#undef SOFTGPU_CUBLAS_TAKES_param
#undef SOFTGPU_CUBLAS_TAKES_a_out
#undef SOFTGPU_CUBLAS_TAKES_b_out
#undef SOFTGPU_CUBLAS_TAKES_c_out
#undef SOFTGPU_CUBLAS_TAKES_s_out
#undef SOFTGPU_CUBLAS_TAKES_d1_out
#undef SOFTGPU_CUBLAS_TAKES_d2_out
#undef SOFTGPU_CUBLAS_TAKES_x1_out
#undef SOFTGPU_CUBLAS_TAKES_y1
#undef SOFTGPU_CUBLAS_TAKES_param_out
