/* SPDX-License-Identifier: MIT */
/** @file
 *  Driver API: functions, launches, occupancy.  A CUfunction is the address of
 *  the kernel's record.
 */
#include "common/softgpu/core/core.h"
#include "driver.h"

enum { PARAMETERS = 4096 / 4, WARP = 32 };

/* The kernel of a handle, or NULL. */
static struct softgpu_kernel *kernel_of(CUfunction function)
{
    struct softgpu_kernel *k = softgpu_kernels();
    while (k && k != (struct softgpu_kernel *)(void *)function)
        k = k->next;
    return k;
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol)
{
    struct softgpu_kernel *k = softgpu_find_kernel(symbol);
    if (!function || !k)
        return function ? cudaErrorInvalidDeviceFunction
                        : cudaErrorInvalidValue;
    *function = (cudaFunction_t)(void *)k;
    return cudaSuccess;
}

/* --- attributes ----------------------------------------------------------- */

/* The attributes of the runtime, by the numbers of the driver. */
static cudaError_t get_attribute(int *to, CUfunction_attribute attribute,
                                 CUfunction function)
{
    const struct softgpu_kernel *k = kernel_of(function);
    struct cudaFuncAttributes a;
    if (!to || !k)
        return to ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
    const cudaError_t error = cudaFuncGetAttributes(&a, k->stub);
    if (error)
        return error;
    const int values[] = {
        a.maxThreadsPerBlock, (int)a.sharedSizeBytes, (int)a.constSizeBytes,
        (int)a.localSizeBytes, a.numRegs, a.ptxVersion, a.binaryVersion,
        a.cacheModeCA, a.maxDynamicSharedSizeBytes,
        a.preferredShmemCarveout};
    if ((unsigned)attribute >= sizeof values / sizeof *values)
        return cudaErrorInvalidValue;
    *to = values[attribute];
    return cudaSuccess;
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
                            CUfunction function)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, get_attribute(value, attribute, function));
}

/* Three can be set; their numbers are those of the runtime. */
static cudaError_t set_attribute(CUfunction function,
                                 CUfunction_attribute attribute, int value)
{
    const struct softgpu_kernel *k = kernel_of(function);
    if (!k)
        return cudaErrorInvalidResourceHandle;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        return cudaFuncSetAttribute(k->stub, (enum cudaFuncAttribute)attribute,
                                    value);
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        return cudaSuccess;
    default:
        return cudaErrorInvalidValue;
    }
}

CUresult cuFuncSetAttribute(CUfunction function,
                            CUfunction_attribute attribute, int value)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, set_attribute(function, attribute, value));
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config)
{
    SOFTGPU_DRIVER_CALL(CONTEXT,
                        kernel_of(function)
                            ? cudaFuncSetCacheConfig(
                                kernel_of(function)->stub,
                                (enum cudaFuncCache)config)
                            : cudaErrorInvalidResourceHandle);
}

/* As in the source, with template arguments. */
static cudaError_t get_name(const char **to, CUfunction function)
{
    const struct softgpu_kernel *k = kernel_of(function);
    if (!to || !k)
        return to ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
    *to = k->name;
    return cudaSuccess;
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, get_name(name, function));
}

/* --- launches ------------------------------------------------------------- */

/* Find the arguments in a buffer that is laid out as a struct.
 * @param[out] args  addresses of all arguments */
static cudaError_t read_buffer(void **args, const struct softgpu_kernel *k,
                               char *buffer, size_t bytes)
{
    size_t at = 0;
    if (k->params > PARAMETERS || (k->params && !k->param_aligns))
        return cudaErrorInvalidValue;
    for (uint32_t i = 0; i < k->params; i++) {
        const size_t align = k->param_aligns[i];
        at = (at + align - 1) / align * align;
        args[i] = buffer + at;
        at += k->param_bytes[i];
    }
    return at > bytes ? cudaErrorInvalidValue : cudaSuccess;
}

/* The form that names the buffer and its size. */
static cudaError_t read_extra(void **args, const struct softgpu_kernel *k,
                              void **extra)
{
    char *buffer = NULL;
    const size_t *bytes = NULL;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = extra[1];
        else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
            bytes = extra[1];
        else
            return cudaErrorInvalidValue;
    }
    return buffer && bytes ? read_buffer(args, k, buffer, *bytes)
                           : cudaErrorInvalidValue;
}

/* Launch with the form of arguments that is not NULL. */
static cudaError_t launch(CUfunction function, dim3 grid, dim3 block,
                          size_t shared, CUstream stream, void **parameters,
                          void **extra)
{
    void *args[PARAMETERS];
    const struct softgpu_kernel *k = kernel_of(function);
    if (!k)
        return cudaErrorInvalidResourceHandle;
    if (parameters && extra)
        return cudaErrorInvalidValue;
    if (extra) {
        const cudaError_t error = read_extra(args, k, extra);
        if (error)
            return error;
        parameters = args;
    }
    return cudaLaunchKernel(k->stub, grid, block, parameters, shared, stream);
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x,
                        unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes,
                        CUstream stream, void **parameters, void **extra)
{
    const dim3 grid = {grid_x, grid_y, grid_z},
               block = {block_x, block_y, block_z};
    SOFTGPU_DRIVER_CALL(CONTEXT, launch(function, grid, block, shared_bytes,
                                        stream, parameters, extra));
}

CUresult cuLaunchCooperativeKernel(
    CUfunction function, unsigned int grid_x, unsigned int grid_y,
    unsigned int grid_z, unsigned int block_x, unsigned int block_y,
    unsigned int block_z, unsigned int shared_bytes, CUstream stream,
    void **parameters)
{
    const dim3 grid = {grid_x, grid_y, grid_z},
               block = {block_x, block_y, block_z};
    const struct softgpu_kernel *k = kernel_of(function);
    SOFTGPU_DRIVER_CALL(CONTEXT,
                        k ? cudaLaunchCooperativeKernel(k->stub, grid, block,
                                                        parameters,
                                                        shared_bytes, stream)
                          : cudaErrorInvalidResourceHandle);
}

/* --- occupancy ------------------------------------------------------------ */

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, CUfunction function, int threads, size_t dynamic_bytes,
    unsigned int flags)
{
    const struct softgpu_kernel *k = kernel_of(function);
    SOFTGPU_DRIVER_CALL(
        CONTEXT, k ? cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                         blocks, k->stub, threads, dynamic_bytes, flags)
                   : cudaErrorInvalidResourceHandle);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                     CUfunction function,
                                                     int threads,
                                                     size_t dynamic_bytes)
{
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, function, threads, dynamic_bytes, 0);
}

/* Try all sizes of whole warps, the largest first. */
static cudaError_t best_block(int *grid, int *block,
                              const struct softgpu_kernel *k,
                              CUoccupancyB2DSize dynamic, size_t bytes,
                              int limit)
{
    struct cudaFuncAttributes a;
    int device = 0, sms = 0, best = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (!error)
        error = cudaDeviceGetAttribute(
            &sms, cudaDevAttrMultiProcessorCount, device);
    if (!error)
        error = cudaFuncGetAttributes(&a, k->stub);
    if (error)
        return error;
    const int most = limit > 0 && limit < a.maxThreadsPerBlock
                         ? limit
                         : a.maxThreadsPerBlock;
    for (int n = (most + WARP - 1) / WARP * WARP; n > 0; n -= WARP) {
        const int threads = n < most ? n : most;
        int blocks = 0;
        if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                &blocks, k->stub, threads, dynamic ? dynamic(threads) : bytes)
            || blocks * threads <= best)
            continue;
        best = blocks * threads;
        *block = threads;
        *grid = blocks * sms;
    }
    return best ? cudaSuccess : cudaErrorInvalidValue;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block,
                                          CUfunction function,
                                          CUoccupancyB2DSize dynamic,
                                          size_t dynamic_bytes, int limit)
{
    const struct softgpu_kernel *k = kernel_of(function);
    SOFTGPU_DRIVER_CALL(CONTEXT,
                        !k               ? cudaErrorInvalidResourceHandle
                        : !grid || !block ? cudaErrorInvalidValue
                                         : best_block(grid, block, k, dynamic,
                                                      dynamic_bytes, limit));
}
