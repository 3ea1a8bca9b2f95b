/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's runtime API on the software GPU, for C and C++.
 *
 *  Every call returns cudaSuccess or CUDA's error code, and records the error
 *  for cudaGetLastError().  After a kernel has failed, every call returns its
 *  error until cudaDeviceReset().  All calls are thread-safe.  Memory of any
 *  kind can be accessed by the host and by kernels; copies check the memory
 *  space.
 *
 *  The version is CUDA 12.8.  Graphics and external memory are not
 *  supported; texture references of CUDA 11 are.
 */
#ifndef SOFTGPU_CUDA_RUNTIME_API_H
#define SOFTGPU_CUDA_RUNTIME_API_H

#include "softgpu/push_macros.h"
#define __CUDA_RUNTIME_API_H__ /* tested by programs */

#include <stddef.h>
#include <stdint.h>

#include "driver_types.h"
#include "host_defines.h"
#include "vector_types.h"

#define CUDART_VERSION 12080 /**< 1000 * major + 10 * minor */
#define CUDARTAPI            /**< calling convention: the default */

/** Default argument, in C++ only. */
#ifdef __cplusplus
#define SOFTGPU_DEFAULT(value) = value
#else
#define SOFTGPU_DEFAULT(value)
#endif

#include "softgpu/api_device.h"
#include "softgpu/api_memory.h"
#include "softgpu/api_copy.h"
#include "softgpu/api_array.h"
#include "softgpu/api_pool.h"
#include "softgpu/api_ipc.h"
#include "softgpu/api_stream.h"
#include "softgpu/api_launch.h"
#include "softgpu/api_graph.h"

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
/** 1: each host thread has its own default stream. */
extern int softgpu_per_thread_default; /* the same symbol in C and C++ */
/** Select that before main(): this file was compiled for it. */
__attribute__((constructor)) static void softgpu_choose_default_stream(void)
{
    softgpu_per_thread_default = 1;
}
#endif

#include "softgpu/pop_macros.h"

#endif
