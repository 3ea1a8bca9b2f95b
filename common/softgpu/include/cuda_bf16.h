/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's __nv_bfloat16 and __nv_bfloat162 with their intrinsics, for host and
 *  device; includes cuda_fp16.h.
 */
#ifndef SOFTGPU_CUDA_BF16_H
#define SOFTGPU_CUDA_BF16_H
#define __CUDA_BF16_H__ /* programs ask for it */

#include "softgpu/push_macros.h"
#include "cuda_fp16.h"

#ifdef __cplusplus
#define SOFTGPU_T __nv_bfloat16
#define SOFTGPU_T2 __nv_bfloat162
#define SOFTGPU_RAW __nv_bfloat16_raw
#define SOFTGPU_RAW2 __nv_bfloat162_raw
#define SOFTGPU_FORMAT softgpu::bfloat16_encoding
#define SOFTGPU_OTHER __half
#define SOFTGPU_SHORT bfloat16
#include "softgpu/small/all.h"

/** To half, to the nearest. */
SOFTGPU_FN __half::__half(const __nv_bfloat16 &other) : __half(float(other)) {}
/** To bfloat16, to the nearest. */
SOFTGPU_FN __nv_bfloat16::__nv_bfloat16(const __half &other)
    : __nv_bfloat16(float(other))
{
}

typedef __nv_bfloat16 nv_bfloat16;   /**< the same by another name */
typedef __nv_bfloat162 nv_bfloat162; /**< the same by another name */

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7F80)        /**< infinity */
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7FFF)        /**< not a number */
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001) /**< 2^-133 */
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7F7F) /**< the largest */
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)   /**< -0 */
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)       /**< 0 */
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3F80)        /**< 1 */
#endif

#include "softgpu/pop_macros.h"

#endif
