/* SPDX-License-Identifier: MIT */
/** @file
 *  Counting what a submission copies, allocates and creates: the runner is
 *  linked with --wrap=NAME for each function of the CUDA runtime that does.
 */
#ifndef GRADER_RUNNER_TRAFFIC_H
#define GRADER_RUNNER_TRAFFIC_H

#include <cuda_runtime_api.h>

#include "device.h"
#include "resources.h"

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

#ifdef SOFTGPU_CUDA_RUNTIME_API_H
#include "common/softgpu/core/hooks.h"
#define WRAPPER(name) counted_##name /**< called by soft/remote_perform.c */
#define CALL_SITE SOFTGPU_CALLER     /**< return address in the submission */
#else
#define WRAPPER(name) __wrap_##name /**< called by the submission */
#define CALL_SITE __builtin_return_address(0) /**< in it */
#endif

/** Define the wrapper of a function that can be made to fail: perform `action`,
 *  then call the function. */
#define WRAP_CALL(name, parameters, arguments, action)                        \
    cudaError_t __real_##name parameters;                                     \
    cudaError_t WRAPPER(name) parameters;                                     \
    cudaError_t WRAPPER(name) parameters                                      \
    {                                                                         \
        if (!wrapper_depth                                                    \
            && resources_call_fails(#name, CALL_SITE)) {                      \
            device_leave_memory_error();                                      \
            return cudaErrorMemoryAllocation;                                 \
        }                                                                     \
        action;                                                               \
        return __real_##name arguments;                                       \
    }

/** Define the wrapper of a function that creates a resource.
 *  @param Status     what it returns; 0 is success
 *  @param failure    what it returns when it is made to fail
 *  @param handle     expression for the new handle, after success
 *  @param is_memory  see resources_created() */
#define WRAP_CREATE_AS(Status, failure, name, parameters, arguments, handle,  \
                       is_memory, action)                                     \
    Status __real_##name parameters;                                          \
    Status WRAPPER(name) parameters;                                          \
    Status WRAPPER(name) parameters                                           \
    {                                                                         \
        const void *site = CALL_SITE;                                         \
        Status error;                                                         \
                                                                              \
        if (!wrapper_depth && resources_call_fails(#name, site)) {            \
            device_leave_memory_error();                                      \
            return failure;                                                   \
        }                                                                     \
        action;                                                               \
        wrapper_depth++; /* it may call another wrapped function */           \
        error = __real_##name arguments;                                      \
        wrapper_depth--;                                                      \
        if (!error && !wrapper_depth)                                         \
            resources_created(#name, handle, site, is_memory);                \
        return error;                                                         \
    }

/** The same for a function of the runtime. */
#define WRAP_CREATE(name, parameters, arguments, handle, is_memory, action)   \
    WRAP_CREATE_AS(cudaError_t, cudaErrorMemoryAllocation, name, parameters,  \
                   arguments, handle, is_memory, action)

/** Define the wrapper of a function that releases a resource. */
#define WRAP_RELEASE_AS(Status, name, parameters, arguments, handle)          \
    Status __real_##name parameters;                                          \
    Status WRAPPER(name) parameters;                                          \
    Status WRAPPER(name) parameters                                           \
    {                                                                         \
        const void *site = CALL_SITE;                                         \
        Status error;                                                         \
                                                                              \
        if (!wrapper_depth && !resources_released(#name, handle, site))       \
            return (Status)0; /* recorded: costs the test of leaks only */    \
        wrapper_depth++;                                                      \
        error = __real_##name arguments;                                      \
        wrapper_depth--;                                                      \
        return error;                                                         \
    }

/** The same for a function of the runtime. */
#define WRAP_RELEASE(name, parameters, arguments, handle)                     \
    WRAP_RELEASE_AS(cudaError_t, name, parameters, arguments, handle)

/** Wrapped calls on this thread's stack; defined in handle_wrappers.c. */
extern __thread int wrapper_depth;

#endif
