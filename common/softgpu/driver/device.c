/* SPDX-License-Identifier: MIT */
/** @file
 *  Driver API: devices, and what concerns the current context's device.
 */
#include <string.h>

#include "driver.h"

/* The number itself, if there is such a device. */
static cudaError_t get_device(CUdevice *to, int ordinal)
{
    int count = 0;
    const cudaError_t error =
        to ? cudaGetDeviceCount(&count) : cudaErrorInvalidValue;
    if (error)
        return error;
    if (ordinal < 0 || ordinal >= count)
        return cudaErrorInvalidDevice;
    *to = ordinal;
    return cudaSuccess;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    SOFTGPU_DRIVER_CALL(INIT, get_device(device, ordinal));
}

CUresult cuDeviceGetCount(int *count)
{
    SOFTGPU_DRIVER_CALL(INIT, cudaGetDeviceCount(count));
}

/* Cut to the room of the caller, always with a NUL. */
static cudaError_t get_name(char *to, int room, int device)
{
    struct cudaDeviceProp p;
    const cudaError_t error = to && room > 0
                                  ? cudaGetDeviceProperties(&p, device)
                                  : cudaErrorInvalidValue;
    if (!error) {
        strncpy(to, p.name, (size_t)room - 1);
        to[room - 1] = 0;
    }
    return error;
}

CUresult cuDeviceGetName(char *name, int room, CUdevice device)
{
    SOFTGPU_DRIVER_CALL(INIT, get_name(name, room, device));
}

/* From the properties of the runtime. */
static cudaError_t get_uuid(CUuuid *to, int device)
{
    struct cudaDeviceProp p;
    const cudaError_t error =
        to ? cudaGetDeviceProperties(&p, device) : cudaErrorInvalidValue;
    if (!error)
        *to = p.uuid;
    return error;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    SOFTGPU_DRIVER_CALL(INIT, get_uuid(uuid, device));
}

/* From the properties of the runtime. */
static cudaError_t total_memory(size_t *to, int device)
{
    struct cudaDeviceProp p;
    const cudaError_t error =
        to ? cudaGetDeviceProperties(&p, device) : cudaErrorInvalidValue;
    if (!error)
        *to = p.totalGlobalMem;
    return error;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    SOFTGPU_DRIVER_CALL(INIT, total_memory(bytes, device));
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                              CUdevice device)
{
    SOFTGPU_DRIVER_CALL(
        INIT, cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute,
                                     device));
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    const CUresult result = cuDeviceGetAttribute(
        major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    return result ? result
                  : cuDeviceGetAttribute(
                      minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                      device);
}

CUresult cuDeviceGetPCIBusId(char *id, int room, CUdevice device)
{
    SOFTGPU_DRIVER_CALL(INIT, cudaDeviceGetPCIBusId(id, room, device));
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id)
{
    SOFTGPU_DRIVER_CALL(INIT, cudaDeviceGetByPCIBusId(device, id));
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    SOFTGPU_DRIVER_CALL(INIT, cudaDeviceCanAccessPeer(can, device, peer));
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaGetDevice(device));
}

/* Those that the context was made with. */
static cudaError_t get_flags(unsigned *to)
{
    if (!to)
        return cudaErrorInvalidValue;
    *to = softgpu_current_context()->flags;
    return cudaSuccess;
}

CUresult cuCtxGetFlags(unsigned int *flags)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, get_flags(flags));
}

/* That of the headers. */
static cudaError_t api_version(unsigned *to)
{
    if (!to)
        return cudaErrorInvalidValue;
    *to = CUDA_VERSION;
    return cudaSuccess;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version)
{
    (void)context; /* all contexts support the same version */
    SOFTGPU_DRIVER_CALL(INIT, api_version(version));
}

CUresult cuCtxSynchronize(void)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaDeviceSynchronize());
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    SOFTGPU_DRIVER_CALL(CONTEXT,
                        cudaDeviceSetLimit((enum cudaLimit)limit, value));
}

CUresult cuCtxGetLimit(size_t *value, CUlimit limit)
{
    SOFTGPU_DRIVER_CALL(CONTEXT,
                        cudaDeviceGetLimit(value, (enum cudaLimit)limit));
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    SOFTGPU_DRIVER_CALL(CONTEXT,
                        cudaDeviceSetCacheConfig((enum cudaFuncCache)config));
}

CUresult cuCtxGetCacheConfig(CUfunc_cache *config)
{
    SOFTGPU_DRIVER_CALL(
        CONTEXT, cudaDeviceGetCacheConfig((enum cudaFuncCache *)config));
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    SOFTGPU_DRIVER_CALL(CONTEXT,
                        cudaDeviceGetStreamPriorityRange(least, greatest));
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags)
{
    SOFTGPU_DRIVER_CALL(CONTEXT,
                        peer ? cudaDeviceEnablePeerAccess(peer->device, flags)
                             : cudaErrorInvalidValue);
}

CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
    SOFTGPU_DRIVER_CALL(CONTEXT,
                        peer ? cudaDeviceDisablePeerAccess(peer->device)
                             : cudaErrorInvalidValue);
}
