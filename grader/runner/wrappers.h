/* SPDX-License-Identifier: MIT */
/** @file
 *  Counting what a submission copies and allocates: the runner is linked with
 *  --wrap=NAME for each function of the CUDA runtime that does.
 */
#ifndef GRADER_RUNNER_TRAFFIC_H
#define GRADER_RUNNER_TRAFFIC_H

#include <cuda_runtime_api.h>

#include "device.h"

/** Does the pointer point to pageable or pinned host memory? */
static inline bool is_host_pointer(const void *pointer)
{
    struct cudaPointerAttributes attributes;

    return cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess
           && (attributes.type == cudaMemoryTypeUnregistered
               || attributes.type == cudaMemoryTypeHost);
}

/** Count the bytes of a copy by its direction. */
static inline void count_copy(const void *dst, const void *src, size_t bytes,
                              enum cudaMemcpyKind kind)
{
    const bool kind_is_explicit = kind != cudaMemcpyDefault;
    const bool to_device = kind_is_explicit ? kind == cudaMemcpyHostToDevice
                                            : is_host_pointer(src);
    const bool to_host = kind_is_explicit ? kind == cudaMemcpyDeviceToHost
                                          : is_host_pointer(dst);

    device_count_transfer(to_device ? bytes : 0, to_host ? bytes : 0);
}

/** Define the wrapper of a function: perform `action`, then call the
 *  function. */
#define WRAP_CALL(name, parameters, arguments, action)                        \
    cudaError_t __real_##name parameters;                                     \
    cudaError_t __wrap_##name parameters;                                     \
    cudaError_t __wrap_##name parameters                                      \
    {                                                                         \
        action;                                                               \
        return __real_##name arguments;                                       \
    }

/** Define the wrapper of a function that creates (`delta` is 1) or destroys
 *  (-1) a handle; `wrapper_depth` is a thread-local int. */
#define WRAP_HANDLE(name, parameters, arguments, delta, action)               \
    cudaError_t __real_##name parameters;                                     \
    cudaError_t __wrap_##name parameters;                                     \
    cudaError_t __wrap_##name parameters                                      \
    {                                                                         \
        cudaError_t error;                                                    \
                                                                              \
        action;                                                               \
        wrapper_depth++; /* the runtime may call another wrapped function */  \
        error = __real_##name arguments;                                      \
        wrapper_depth--;                                                      \
        if (error == cudaSuccess && !wrapper_depth)                           \
            device_count_handle(delta);                                       \
        return error;                                                         \
    }

#endif
