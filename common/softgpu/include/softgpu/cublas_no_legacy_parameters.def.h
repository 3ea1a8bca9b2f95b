/* SPDX-License-Identifier: MIT */
/** @file
 *  Undefines what cublas_legacy_parameters.def.h defines.
 */
/* no include guard: the header and the library include it */
#undef SOFTGPU_LEGACY_TAKES_trans
#undef SOFTGPU_LEGACY_TAKES_transa
#undef SOFTGPU_LEGACY_TAKES_transb
#undef SOFTGPU_LEGACY_TAKES_side
#undef SOFTGPU_LEGACY_TAKES_uplo
#undef SOFTGPU_LEGACY_TAKES_diag
#undef SOFTGPU_LEGACY_TAKES_m
#undef SOFTGPU_LEGACY_TAKES_n
#undef SOFTGPU_LEGACY_TAKES_k
#undef SOFTGPU_LEGACY_TAKES_kl
#undef SOFTGPU_LEGACY_TAKES_ku
#undef SOFTGPU_LEGACY_TAKES_alpha
#undef SOFTGPU_LEGACY_TAKES_beta
#undef SOFTGPU_LEGACY_TAKES_real_alpha
#undef SOFTGPU_LEGACY_TAKES_real_beta
#undef SOFTGPU_LEGACY_TAKES_A
#undef SOFTGPU_LEGACY_TAKES_A_out
#undef SOFTGPU_LEGACY_TAKES_B
#undef SOFTGPU_LEGACY_TAKES_B_out
#undef SOFTGPU_LEGACY_TAKES_C_out
#undef SOFTGPU_LEGACY_TAKES_AP
#undef SOFTGPU_LEGACY_TAKES_AP_out
#undef SOFTGPU_LEGACY_TAKES_x
#undef SOFTGPU_LEGACY_TAKES_x_out
#undef SOFTGPU_LEGACY_TAKES_y
#undef SOFTGPU_LEGACY_TAKES_y_out
#undef SOFTGPU_LEGACY_TAKES_result
#undef SOFTGPU_LEGACY_TAKES_real_result
#undef SOFTGPU_LEGACY_TAKES_index_result
#undef SOFTGPU_LEGACY_TAKES_c
#undef SOFTGPU_LEGACY_TAKES_s
#undef SOFTGPU_LEGACY_TAKES_real_s
#undef SOFTGPU_LEGACY_TAKES_param
#undef SOFTGPU_LEGACY_TAKES_a_out
#undef SOFTGPU_LEGACY_TAKES_b_out
#undef SOFTGPU_LEGACY_TAKES_b_complex
#undef SOFTGPU_LEGACY_TAKES_c_out
#undef SOFTGPU_LEGACY_TAKES_s_out
#undef SOFTGPU_LEGACY_TAKES_d1_out
#undef SOFTGPU_LEGACY_TAKES_d2_out
#undef SOFTGPU_LEGACY_TAKES_x1_out
#undef SOFTGPU_LEGACY_TAKES_y1
#undef SOFTGPU_LEGACY_TAKES_param_out
