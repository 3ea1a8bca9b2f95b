/* SPDX-License-Identifier: MIT */
/** @file
 *  Driver API: streams and events, which are those of the runtime; and the
 *  table of entry points.  Part of cuda.h.
 */
#ifndef SOFTGPU_DRIVER_STREAM_H
#define SOFTGPU_DRIVER_STREAM_H

#ifdef __cplusplus
extern "C" {
#endif

/** A new stream. */
CUresult cuStreamCreate(CUstream *stream, unsigned int flags);
/** A new stream with a priority. */
CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags,
                                    int priority);
/** Destroy a stream after its work. */
CUresult cuStreamDestroy(CUstream stream);
/** CUDA_SUCCESS if its work is done, else CUDA_ERROR_NOT_READY. */
CUresult cuStreamQuery(CUstream stream);
/** Wait for its work. */
CUresult cuStreamSynchronize(CUstream stream);
/** Let its later work wait for an event; flags must be 0. */
CUresult cuStreamWaitEvent(CUstream stream, CUevent event,
                           unsigned int flags);
/** Enqueue a call of a host function with the status; flags must be 0. */
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback,
                             void *data, unsigned int flags);
/** Its priority. */
CUresult cuStreamGetPriority(CUstream stream, int *priority);
/** Its flags. */
CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags);
/** Its context: the current one. */
CUresult cuStreamGetCtx(CUstream stream, CUcontext *context);
/** Tell how managed memory is used; without effect. */
CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr p, size_t bytes,
                                unsigned int flags);

/** A new event. */
CUresult cuEventCreate(CUevent *event, unsigned int flags);
/** Destroy an event. */
CUresult cuEventDestroy(CUevent event);
/** Record an event in a stream. */
CUresult cuEventRecord(CUevent event, CUstream stream);
/** CUDA_SUCCESS if it has been reached, else CUDA_ERROR_NOT_READY. */
CUresult cuEventQuery(CUevent event);
/** Wait for an event. */
CUresult cuEventSynchronize(CUevent event);
/** Milliseconds between two events. */
CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end);

/** Start the profiler; without effect. */
CUresult cuProfilerStart(void);
/** Stop it; without effect. */
CUresult cuProfilerStop(void);

/** Results of cuGetProcAddress(). */
typedef enum CUdriverProcAddressQueryResult_enum {
    CU_GET_PROC_ADDRESS_SUCCESS = 0,           /**< the call is there */
    CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,  /**< it is not */
    CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2 /**< unused */
} CUdriverProcAddressQueryResult;
/** The address of a call by its name, without _v2 and the like.
 *  @param status  may be NULL */
CUresult cuGetProcAddress(const char *name, void **function, int version,
                          unsigned long long flags,
                          CUdriverProcAddressQueryResult *status);

#ifdef __cplusplus
}
#endif

#endif
