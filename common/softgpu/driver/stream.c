/* SPDX-License-Identifier: MIT */
/** @file
 *  Driver API: streams and events.
 */
#include "driver.h"

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaStreamCreateWithFlags(stream, flags));
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags,
                                    int priority)
{
    SOFTGPU_DRIVER_CALL(
        CONTEXT, cudaStreamCreateWithPriority(stream, flags, priority));
}

CUresult cuStreamDestroy(CUstream stream)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaStreamDestroy(stream));
}

CUresult cuStreamQuery(CUstream stream)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaStreamQuery(stream));
}

CUresult cuStreamSynchronize(CUstream stream)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaStreamSynchronize(stream));
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaStreamWaitEvent(stream, event, flags));
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback,
                             void *data, unsigned int flags)
{
    /* the status that the callback gets has the same numbers */
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaStreamAddCallback(
                                     stream, (cudaStreamCallback_t)callback,
                                     data, flags));
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaLaunchHostFunc(stream, function, data));
}

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaStreamGetPriority(stream, priority));
}

CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaStreamGetFlags(stream, flags));
}

/* Any valid stream belongs to the current context. */
static cudaError_t context_of(CUstream stream, CUcontext *to)
{
    unsigned flags;
    const cudaError_t error =
        to ? cudaStreamGetFlags(stream, &flags) : cudaErrorInvalidValue;
    if (!error)
        *to = softgpu_current_context();
    return error;
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, context_of(stream, context));
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr p, size_t bytes,
                                unsigned int flags)
{
    SOFTGPU_DRIVER_CALL(CONTEXT,
                        cudaStreamAttachMemAsync(stream, softgpu_pointer(p),
                                                 bytes, flags));
}

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaEventCreateWithFlags(event, flags));
}

CUresult cuEventDestroy(CUevent event)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaEventDestroy(event));
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaEventRecord(event, stream));
}

CUresult cuEventQuery(CUevent event)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaEventQuery(event));
}

CUresult cuEventSynchronize(CUevent event)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaEventSynchronize(event));
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaEventElapsedTime(ms, start, end));
}

CUresult cuProfilerStart(void)
{
    return CUDA_SUCCESS;
}

CUresult cuProfilerStop(void)
{
    return CUDA_SUCCESS;
}
