/* SPDX-License-Identifier: MIT */
/** @file
 *  C++ templates of the runtime API that take a kernel by its own type.
 */
#ifndef SOFTGPU_RUNTIME_TEMPLATES_H
#define SOFTGPU_RUNTIME_TEMPLATES_H

#include "cuda_runtime_api.h"

/** cudaLaunchKernel for a kernel of any type. */
template <class T>
inline cudaError_t cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim,
                                    void **args, size_t sharedMem = 0,
                                    cudaStream_t stream = 0)
{
    return ::cudaLaunchKernel((const void *)func, gridDim, blockDim, args,
                              sharedMem, stream);
}

/** cudaLaunchCooperativeKernel for a kernel of any type. */
template <class T>
inline cudaError_t cudaLaunchCooperativeKernel(T *func, dim3 gridDim,
                                               dim3 blockDim, void **args,
                                               size_t sharedMem = 0,
                                               cudaStream_t stream = 0)
{
    return ::cudaLaunchCooperativeKernel((const void *)func, gridDim, blockDim,
                                         args, sharedMem, stream);
}

namespace softgpu {

/** The addresses of a kernel's arguments, each of its parameter's type. */
template <class... Args>
inline cudaError_t launch_ex(const cudaLaunchConfig_t *config,
                             const void *func, Args... args)
{
    void *addresses[sizeof...(Args) + 1] = {(void *)&args..., nullptr};
    return ::cudaLaunchKernelExC(config, func, addresses);
}

} // namespace softgpu

/** Queue a kernel with attributes; arguments convert as in a call. */
template <class... Params, class... Args>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                      void (*kernel)(Params...),
                                      Args &&...args)
{
    return softgpu::launch_ex<Params...>(config, (const void *)kernel,
                                         static_cast<Args &&>(args)...);
}

/** cudaFuncGetAttributes for a kernel of any type. */
template <class T>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes,
                                         T *func)
{
    return ::cudaFuncGetAttributes(attributes, (const void *)func);
}

/** cudaFuncSetAttribute for a kernel of any type. */
template <class T>
inline cudaError_t cudaFuncSetAttribute(T *func, cudaFuncAttribute attribute,
                                        int value)
{
    return ::cudaFuncSetAttribute((const void *)func, attribute, value);
}

/** cudaFuncSetCacheConfig for a kernel of any type. */
template <class T>
inline cudaError_t cudaFuncSetCacheConfig(T *func, cudaFuncCache config)
{
    return ::cudaFuncSetCacheConfig((const void *)func, config);
}

/** cudaFuncSetSharedMemConfig for a kernel of any type. */
template <class T>
inline cudaError_t cudaFuncSetSharedMemConfig(T *func,
                                              cudaSharedMemConfig config)
{
    return ::cudaFuncSetSharedMemConfig((const void *)func, config);
}

/** cudaFuncGetName for a kernel of any type. */
template <class T>
inline cudaError_t cudaFuncGetName(const char **name, T *func)
{
    return ::cudaFuncGetName(name, (const void *)func);
}

/** Blocks an SM, for a kernel of any type. */
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, T func, int blockSize, size_t dynamicBytes)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks, (const void *)func, blockSize, dynamicBytes);
}

/** The same with flags, which change nothing. */
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, T func, int blockSize, size_t dynamicBytes, unsigned int)
{
    return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks, (const void *)func, blockSize, dynamicBytes);
}

/** Dynamic bytes a block may have, for a kernel of any type. */
template <class T>
inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes,
                                                             T *func,
                                                             int blocks,
                                                             int blockSize)
{
    return ::cudaOccupancyAvailableDynamicSMemPerBlock(
        bytes, (const void *)func, blocks, blockSize);
}

/** Block size with the most threads an SM, and the smallest grid that fills
 *  the card; dynamic bytes are a function of the block size. */
template <class F, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int *grid, int *block, T func, F blockSizeToDynamicBytes, int limit = 0)
{
    const softgpu_occupancy_query question = {
        (const void *)func,
        [](void *f, int size) { return (size_t)(*(F *)f)(size); },
        (void *)&blockSizeToDynamicBytes, limit};
    return ::softgpu_max_potential_block(grid, block, &question);
}

/** The same; flags change nothing. */
template <class F, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *grid, int *block, T func, F blockSizeToDynamicBytes, int limit = 0,
    unsigned int = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid, block, func, blockSizeToDynamicBytes, limit);
}

/** The same with as many dynamic bytes for every block size. */
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block,
                                                      T func,
                                                      size_t dynamicBytes = 0,
                                                      int limit = 0)
{
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        grid, block, func, [=](int) { return dynamicBytes; }, limit);
}

/** The same; flags change nothing. */
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(
    int *grid, int *block, T func, size_t dynamicBytes = 0, int limit = 0,
    unsigned int = 0)
{
    return cudaOccupancyMaxPotentialBlockSize(grid, block, func, dynamicBytes,
                                              limit);
}

#endif
