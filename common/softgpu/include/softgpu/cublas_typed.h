/* SPDX-License-Identifier: MIT */
/** @file
 *  Prototypes of cublas_routines.def.h; part of cublas_api.h.
 */
#ifndef SOFTGPU_CUBLAS_TYPED_H
#define SOFTGPU_CUBLAS_TYPED_H

#include "cublas_parameters.def.h"

#define ROUTINE(group, prefix, name, version, ...)                     \
    cublasStatus_t SOFTGPU_CUBLAS_NAME(prefix, name, version)(         \
        cublasHandle_t handle SOFTGPU_EACH(SOFTGPU_CUBLAS_TAKES_,      \
                                           __VA_ARGS__));
#include "cublas_each.def.h"
#undef ROUTINE

#include "cublas_no_parameters.def.h"

#endif
