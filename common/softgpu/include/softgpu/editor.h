/* SPDX-License-Identifier: MIT */
/** @file
 *  CUDA's specifiers for editors that parse .cu files with clang, such as
 *  clangd.
 *
 *  No program includes this file: compile_commands.json (grader/setup/editor)
 *  puts it before each .cu file, with clang's options `-x cuda --cuda-host-only
 *  -nocudainc -nocudalib`.  clang then knows `<<<...>>>` and the specifiers,
 *  and gets all declarations from the software GPU's headers, for the host and
 *  the device alike.  Nothing is compiled with it.
 */
#ifndef SOFTGPU_EDITOR_H
#define SOFTGPU_EDITOR_H

#pragma clang force_cuda_host_device begin

/* As softcc does; there they are removed, here clang checks them. */
#define __SOFTCC__ 1
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))

/* clang has a function of this name built in, for the device alone. */
#define __syncthreads softgpu_editor_syncthreads

/* Kernels must be able to call the functions that these declare. */
#include <math.h>
#include <stdio.h>

#include <cuda_runtime.h>

#include <cooperative_groups.h>
#include <cublas_v2.h>
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cudnn.h>
#include <curand_kernel.h>
#include <mma.h>

/** The call that clang makes of `<<<grid, block, shared, stream>>>`. */
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                                size_t shared = 0,
                                                cudaStream_t stream = 0);

#pragma clang force_cuda_host_device end

#endif
