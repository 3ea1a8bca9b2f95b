/* SPDX-License-Identifier: MIT */
/** @file
 *  Counting kernel launches, and letting one fail: the runner is linked with
 *  --wrap=NAME, so that calls of NAME reach __wrap_NAME, and __real_NAME is the
 *  wrapped function.
 */
#ifndef GRADER_RUNNER_LAUNCH_H
#define GRADER_RUNNER_LAUNCH_H

#include <cuda_runtime_api.h>

#include "device.h"
#include "wrappers.h"

/** Count a launch and its grid and block. */
static inline void count_launch(dim3 grid, dim3 block)
{
    device_count_launch((unsigned[]){grid.x, grid.y, grid.z},
                        (unsigned[]){block.x, block.y, block.z});
}

/** Must this launch not run?  It is made to fail, and cudaGetLastError()
 *  returns an error; or one before it did, and it would read what that one did
 *  not write. */
static inline bool launch_fails(const void *site)
{
    static const char name[] = "kernel launch";

    if (resources_has_failed(name))
        return true;
    if (!resources_call_fails(name, site))
        return false;
    device_leave_memory_error();
    return true;
}

/** Define the wrapper of a function that has cudaLaunchKernel's parameters. */
#define WRAP_LAUNCH(name)                                                     \
    cudaError_t __real_##name(const void *kernel, dim3 grid, dim3 block,      \
                              void **args, size_t bytes,                      \
                              cudaStream_t stream);                           \
    cudaError_t WRAPPER(name)(const void *kernel, dim3 grid, dim3 block,      \
                              void **args, size_t bytes,                      \
                              cudaStream_t stream);                           \
    cudaError_t WRAPPER(name)(const void *kernel, dim3 grid, dim3 block,      \
                              void **args, size_t bytes, cudaStream_t stream) \
    {                                                                         \
        if (launch_fails(CALL_SITE))                        \
            return cudaErrorMemoryAllocation;                                 \
        count_launch(grid, block);                                            \
        return __real_##name(kernel, grid, block, args, bytes, stream);       \
    }

/** Define the wrapper of cudaLaunchKernelExC(). */
#define WRAP_LAUNCH_EX(name)                                                  \
    cudaError_t __real_##name(const cudaLaunchConfig_t *config,               \
                              const void *kernel, void **args);               \
    cudaError_t WRAPPER(name)(const cudaLaunchConfig_t *config,               \
                              const void *kernel, void **args);               \
    cudaError_t WRAPPER(name)(const cudaLaunchConfig_t *config,               \
                              const void *kernel, void **args)                \
    {                                                                         \
        if (launch_fails(CALL_SITE))                                          \
            return cudaErrorMemoryAllocation;                                 \
        if (config)                                                           \
            count_launch(config->gridDim, config->blockDim);                  \
        return __real_##name(config, kernel, args);                           \
    }

#endif
