/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's runtime API on the software GPU, for C and C++.
 *
 *  Every call returns cudaSuccess or the error CUDA would return, and records
 *  an error for cudaGetLastError.  Once a kernel has failed, its error comes
 *  back from every call until cudaDeviceReset.  All calls are thread-safe.
 *  A pointer from any of them is good for host and kernels alike, as memory;
 *  copies check on which side it belongs.
 *
 *  The level is CUDA 12.8.  Textures, surfaces, arrays, graphics, IPC and
 *  external memory do not exist here.
 */
#ifndef SOFTGPU_CUDA_RUNTIME_API_H
#define SOFTGPU_CUDA_RUNTIME_API_H

#include "softgpu/names_hide.h"
#define __CUDA_RUNTIME_API_H__ /* programs ask for it */

#include <stddef.h>
#include <stdint.h>

#include "driver_types.h"
#include "vector_types.h"

#define CUDART_VERSION 12080 /**< 1000 * major + 10 * minor */
#define CUDARTAPI            /**< calling convention: the usual one */

/** Default argument, in C++ only. */
#ifdef __cplusplus
#define SOFTGPU_DEFAULT(value) = value
#else
#define SOFTGPU_DEFAULT(value)
#endif

#include "softgpu/api_device.h"
#include "softgpu/api_memory.h"
#include "softgpu/api_copy.h"
#include "softgpu/api_pool.h"
#include "softgpu/api_stream.h"
#include "softgpu/api_launch.h"
#include "softgpu/api_graph.h"

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
/** 1: stream 0 is one a host thread, in the whole program. */
extern int softgpu_per_thread_default; /* a C++ variable's name is C's */
/** Before main(): this file was compiled that way. */
__attribute__((constructor)) static void softgpu_choose_default_stream(void)
{
    softgpu_per_thread_default = 1;
}
#endif

#include "softgpu/names_show.h"

#endif
