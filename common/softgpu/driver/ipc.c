/* SPDX-License-Identifier: MIT */
/** @file
 *  Driver API: memory and events of other processes.
 */
#include <string.h>

#include "driver.h"

/* The handles of both APIs have the same bytes, in types of their own. */
_Static_assert(sizeof(CUipcMemHandle) == sizeof(cudaIpcMemHandle_t)
                   && sizeof(CUipcEventHandle) == sizeof(cudaIpcEventHandle_t),
               "handles of both APIs have 64 bytes");

static cudaError_t memory_handle(CUipcMemHandle *handle, CUdeviceptr p)
{
    cudaIpcMemHandle_t own;
    const cudaError_t error =
        cudaIpcGetMemHandle(handle ? &own : NULL, softgpu_pointer(p));
    if (!error)
        memcpy(handle, &own, sizeof own);
    return error;
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr p)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, memory_handle(handle, p));
}

static cudaError_t open_memory(CUdeviceptr *to, CUipcMemHandle handle,
                               unsigned flags)
{
    void *p = NULL;
    cudaIpcMemHandle_t own;
    memcpy(&own, &handle, sizeof own);
    const cudaError_t error =
        to ? cudaIpcOpenMemHandle(&p, own, flags) : cudaErrorInvalidValue;
    if (!error)
        *to = (CUdeviceptr)(uintptr_t)p;
    return error;
}

CUresult cuIpcOpenMemHandle(CUdeviceptr *to, CUipcMemHandle handle,
                            unsigned int flags)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, open_memory(to, handle, flags));
}

CUresult cuIpcCloseMemHandle(CUdeviceptr p)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaIpcCloseMemHandle(softgpu_pointer(p)));
}

static cudaError_t event_handle(CUipcEventHandle *handle, CUevent event)
{
    cudaIpcEventHandle_t own;
    const cudaError_t error =
        cudaIpcGetEventHandle(handle ? &own : NULL, event);
    if (!error)
        memcpy(handle, &own, sizeof own);
    return error;
}

CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, event_handle(handle, event));
}

CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle)
{
    cudaIpcEventHandle_t own;
    memcpy(&own, &handle, sizeof own);
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaIpcOpenEventHandle(event, own));
}
