/* SPDX-License-Identifier: MIT */
/** @file
 *  Counting launches: the runner is linked with --wrap=NAME, so that calls of
 *  NAME come to __wrap_NAME, and __real_NAME is the function itself.
 */
#ifndef GRADER_RUNNER_LAUNCH_H
#define GRADER_RUNNER_LAUNCH_H

#include <cuda_runtime_api.h>

#include "device.h"

/** Note the shape of a launch. */
static inline void count_launch(dim3 grid, dim3 block)
{
    device_launched((unsigned[]){grid.x, grid.y, grid.z},
                    (unsigned[]){block.x, block.y, block.z});
}

/** Define the wrapper of a function with cudaLaunchKernel's parameters. */
#define WRAP_LAUNCH(name)                                                     \
    cudaError_t __real_##name(const void *kernel, dim3 grid, dim3 block,      \
                              void **args, size_t bytes,                      \
                              cudaStream_t stream);                           \
    cudaError_t __wrap_##name(const void *kernel, dim3 grid, dim3 block,      \
                              void **args, size_t bytes,                      \
                              cudaStream_t stream);                           \
    cudaError_t __wrap_##name(const void *kernel, dim3 grid, dim3 block,      \
                              void **args, size_t bytes, cudaStream_t stream) \
    {                                                                         \
        count_launch(grid, block);                                            \
        return __real_##name(kernel, grid, block, args, bytes, stream);       \
    }

#endif
