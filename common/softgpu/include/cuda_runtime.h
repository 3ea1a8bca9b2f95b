/* SPDX-License-Identifier: MIT */
/** @file
 *  The CUDA runtime: types, API, and in C++ the device functions and the
 *  overloads.  softcc includes it before any .cu file.
 */
#ifndef SOFTGPU_CUDA_RUNTIME_H
#define SOFTGPU_CUDA_RUNTIME_H

#include "softgpu/push_macros.h"
#define SOFTGPU_IN_CUDA_RUNTIME_H /* read by <cmath> */
#define __CUDA_RUNTIME_H__ /* tested by programs */

#define __cudart_builtin__
#define __device_builtin__

/* nvcc includes these. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __cplusplus
#ifndef SOFTGPU_EDITOR_H /* clang's own wrapper declares these otherwise */
#include <new>
#endif
#if __cplusplus >= 201103L
#include <utility>
#endif
#endif

/* memset() is a call of a function, which the checks see; so is this one, which
 * headers of C++ use. */
#if defined SOFTGPU_INSTRUMENTED && defined __cplusplus && !defined __clang__
#define __builtin_memset(...) ::memset(__VA_ARGS__)
#endif

#include "cuda_runtime_api.h"
#include "vector_functions.h"
#include "device_types.h"
#include "softgpu/abi.h"

#ifdef __cplusplus
#include "softgpu/runtime_overloads.h"
#include "softgpu/runtime_templates.h"
#include "softgpu/runtime_graph.h"
#include "softgpu/launch.h"
#include "softgpu/shared.h"
#include "softgpu/lockstep.h"
#include "softgpu/aligned.h"
#include "softgpu/warp.h"
#include "softgpu/atomic.h"
#include "softgpu/nv_atomic.h"
#include "softgpu/math.h"
#include "softgpu/channel_desc.h"
#include "softgpu/texture.h"
#include "softgpu/texture_reference.h"
#include "softgpu/surface.h"
#include "softgpu/inline_ptx.h"
#endif

#undef SOFTGPU_IN_CUDA_RUNTIME_H
#include "softgpu/pop_macros.h"

#endif
