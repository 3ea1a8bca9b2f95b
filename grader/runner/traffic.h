/* SPDX-License-Identifier: MIT */
/** @file
 *  Counting what a student's code moves between host and device: the runner is
 *  linked with --wrap=NAME for each call of the runtime that does.
 */
#ifndef GRADER_RUNNER_TRAFFIC_H
#define GRADER_RUNNER_TRAFFIC_H

#include <cuda_runtime_api.h>

#include "device.h"

/** Is this plain or pinned memory of the host? */
static inline bool lies_on_host(const void *at)
{
    struct cudaPointerAttributes about;

    return cudaPointerGetAttributes(&about, at) == cudaSuccess
           && (about.type == cudaMemoryTypeUnregistered
               || about.type == cudaMemoryTypeHost);
}

/** Note a copy. */
static inline void count_copy(const void *to, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind)
{
    const bool told = kind != cudaMemcpyDefault;
    const bool up = told ? kind == cudaMemcpyHostToDevice : lies_on_host(from);
    const bool down = told ? kind == cudaMemcpyDeviceToHost : lies_on_host(to);

    device_moved(up ? bytes : 0, down ? bytes : 0);
}

/** Define the wrapper of a function: note `what`, then call it. */
#define WRAP_CALL(name, declared, passed, what)                               \
    cudaError_t __real_##name declared;                                       \
    cudaError_t __wrap_##name declared;                                       \
    cudaError_t __wrap_##name declared                                        \
    {                                                                         \
        what;                                                                 \
        return __real_##name passed;                                          \
    }

/** Likewise of one that makes something (`by` is 1) or gives it back (-1);
 *  `within` is an int of the thread. */
#define WRAP_HOLD(name, declared, passed, by, what)                           \
    cudaError_t __real_##name declared;                                       \
    cudaError_t __wrap_##name declared;                                       \
    cudaError_t __wrap_##name declared                                        \
    {                                                                         \
        cudaError_t error;                                                    \
                                                                              \
        what;                                                                 \
        within++; /* the runtime may call one of these to do it */            \
        error = __real_##name passed;                                         \
        within--;                                                             \
        if (error == cudaSuccess && !within)                                  \
            device_holds(by);                                                 \
        return error;                                                         \
    }

#endif
