/* SPDX-License-Identifier: MIT */
/** @file
 *  Prototypes of the legacy interface, from cublas_routines.def.h; part of
 *  cublas.h.  What came after it has none.
 */
#ifndef SOFTGPU_CUBLAS_LEGACY_H
#define SOFTGPU_CUBLAS_LEGACY_H

#include "cublas_legacy_parameters.def.h"

#define SOFTGPU_DROP_COMMA(...) SOFTGPU_REST(__VA_ARGS__)
#define SOFTGPU_REST(empty, ...) __VA_ARGS__
#define SOFTGPU_LEGACY_NAME(prefix, name) SOFTGPU_CUBLAS_NAME(prefix, name, )
#define SOFTGPU_LEGACY_CALL(type, prefix, name, ...)           \
    type SOFTGPU_LEGACY_NAME(prefix, name)(SOFTGPU_DROP_COMMA( \
        SOFTGPU_EACH(SOFTGPU_LEGACY_TAKES_, __VA_ARGS__)));

/* The type of a result, by group. */
#define SOFTGPU_LEGACY_level1(...) SOFTGPU_LEGACY_CALL(void, __VA_ARGS__)
#define SOFTGPU_LEGACY_reduction(...) \
    SOFTGPU_LEGACY_CALL(SOFTGPU_LEGACY_VALUE(SOFTGPU_T), __VA_ARGS__)
#define SOFTGPU_LEGACY_real_reduction(...) \
    SOFTGPU_LEGACY_CALL(SOFTGPU_R, __VA_ARGS__)
#define SOFTGPU_LEGACY_index_reduction(...) \
    SOFTGPU_LEGACY_CALL(int, __VA_ARGS__)
#define SOFTGPU_LEGACY_scalars(...) SOFTGPU_LEGACY_CALL(void, __VA_ARGS__)
#define SOFTGPU_LEGACY_gemv(...) SOFTGPU_LEGACY_CALL(void, __VA_ARGS__)
#define SOFTGPU_LEGACY_ger(...) SOFTGPU_LEGACY_CALL(void, __VA_ARGS__)
#define SOFTGPU_LEGACY_fortran(...) SOFTGPU_LEGACY_CALL(void, __VA_ARGS__)
#define SOFTGPU_LEGACY_gemm(...) SOFTGPU_LEGACY_CALL(void, __VA_ARGS__)
/* In place. */
#define SOFTGPU_LEGACY_trmm(prefix, name, ...)                               \
    SOFTGPU_LEGACY_CALL(void, prefix, name, side, uplo, trans, diag, m, n,   \
                        alpha, A, B_out)
#define SOFTGPU_LEGACY_extension(...)
#define SOFTGPU_LEGACY_gemm3m(...)
#define SOFTGPU_LEGACY_geam(...)
#define SOFTGPU_LEGACY_dgmm(...)
#define SOFTGPU_LEGACY_packed(...)

#define ROUTINE(group, prefix, name, version, ...) \
    SOFTGPU_LEGACY_##group(prefix, name, __VA_ARGS__)
#define SOFTGPU_CUBLAS_INT_ONLY
#include "cublas_each.def.h"
#undef SOFTGPU_CUBLAS_INT_ONLY
#undef ROUTINE
#include "cublas_no_legacy_parameters.def.h"
#undef SOFTGPU_LEGACY_level1
#undef SOFTGPU_LEGACY_reduction
#undef SOFTGPU_LEGACY_real_reduction
#undef SOFTGPU_LEGACY_index_reduction
#undef SOFTGPU_LEGACY_scalars
#undef SOFTGPU_LEGACY_gemv
#undef SOFTGPU_LEGACY_ger
#undef SOFTGPU_LEGACY_fortran
#undef SOFTGPU_LEGACY_gemm
#undef SOFTGPU_LEGACY_trmm
#undef SOFTGPU_LEGACY_extension
#undef SOFTGPU_LEGACY_gemm3m
#undef SOFTGPU_LEGACY_geam
#undef SOFTGPU_LEGACY_dgmm
#undef SOFTGPU_LEGACY_packed
#undef SOFTGPU_LEGACY_CALL
#undef SOFTGPU_LEGACY_NAME
#undef SOFTGPU_DROP_COMMA
#undef SOFTGPU_REST

#endif
