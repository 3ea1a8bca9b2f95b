/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's __half and __half2 (half, half2) with their intrinsics, for host and
 *  device.  Every operation is rounded once, to nearest even unless its name
 *  has another rounding mode.
 */
#ifndef SOFTGPU_CUDA_FP16_H
#define SOFTGPU_CUDA_FP16_H

#include "softgpu/push_macros.h"
#define __CUDA_FP16_H__ /* programs ask for it */

#ifdef __cplusplus
#include "softgpu/math.h"
#include "softgpu/small/format.h"
#include "vector_functions.h"

#define SOFTGPU_T __half
#define SOFTGPU_T2 __half2
#define SOFTGPU_RAW __half_raw
#define SOFTGPU_RAW2 __half2_raw
#define SOFTGPU_FORMAT softgpu::half_encoding
#define SOFTGPU_OTHER __nv_bfloat16
#define SOFTGPU_SHORT half
#include "softgpu/small/all.h"

typedef __half half;             /**< the same by its short name */
typedef __half2 half2;           /**< the same by its short name */
typedef __half __nv_half;        /**< the same by another name */
typedef __half2 __nv_half2;      /**< the same by another name */
typedef __half nv_half;          /**< the same by another name */
typedef __half2 nv_half2;        /**< the same by another name */
typedef __half_raw __nv_half_raw;   /**< the same by another name */
typedef __half2_raw __nv_half2_raw; /**< the same by another name */

#define CUDART_INF_FP16 __ushort_as_half(0x7C00)        /**< infinity */
#define CUDART_NAN_FP16 __ushort_as_half(0x7FFF)        /**< not a number */
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001) /**< 2^-24 */
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7BFF) /**< 65504 */
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)   /**< -0 */
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)       /**< 0 */
#define CUDART_ONE_FP16 __ushort_as_half(0x3C00)        /**< 1 */
#endif

#include "softgpu/pop_macros.h"

#endif
