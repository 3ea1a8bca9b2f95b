/* SPDX-License-Identifier: MIT */
/** @file
 *  Driver API: initialization, errors, devices, contexts.  Part of cuda.h.
 *
 *  Every call but cuInit(), cuDriverGetVersion() and the two of errors returns
 *  CUDA_ERROR_NOT_INITIALIZED before cuInit().  Calls of the runtime API and of
 *  this one can be mixed: the runtime uses the current context's device, and
 *  makes the primary context current in a thread that has none.  All contexts
 *  of a device share its memory, streams and events here.
 */
#ifndef SOFTGPU_DRIVER_CONTEXT_H
#define SOFTGPU_DRIVER_CONTEXT_H

#ifdef __cplusplus
extern "C" {
#endif

/** Initialize the driver API; flags must be 0. */
CUresult cuInit(unsigned int flags);
/** The version: 1000 * major + 10 * minor. */
CUresult cuDriverGetVersion(int *version);
/** The name of an error; NULL and CUDA_ERROR_INVALID_VALUE for none. */
CUresult cuGetErrorName(CUresult error, const char **name);
/** The text of an error; NULL and CUDA_ERROR_INVALID_VALUE for none. */
CUresult cuGetErrorString(CUresult error, const char **text);

/** Device number `ordinal`. */
CUresult cuDeviceGet(CUdevice *device, int ordinal);
/** Number of devices. */
CUresult cuDeviceGetCount(int *count);
/** Name of a device, cut to `room` bytes with the NUL. */
CUresult cuDeviceGetName(char *name, int room, CUdevice device);
/** Identifier of a device. */
CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device);
/** Bytes of memory of a device. */
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device);
/** An attribute of a device. */
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                              CUdevice device);
/** Compute capability; deprecated by CUDA. */
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device);
/** PCI bus id as text. */
CUresult cuDeviceGetPCIBusId(char *id, int room, CUdevice device);
/** The device of a PCI bus id. */
CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id);
/** Can a device access the memory of another? */
CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer);

/** The primary context of a device, which the runtime uses, too. */
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
/** Release it once.  @return CUDA_ERROR_INVALID_CONTEXT if not retained */
CUresult cuDevicePrimaryCtxRelease(CUdevice device);
/** As cudaDeviceReset(). */
CUresult cuDevicePrimaryCtxReset(CUdevice device);
/** Set its flags. */
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags);
/** Its flags, and whether it is retained. */
CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags,
                                    int *active);
/** Make a context and push it on this thread's stack. */
CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device);
/** The same with parameters, which may be NULL; CUDA 13's cuCtxCreate().
 *  @return CUDA_ERROR_NOT_SUPPORTED for a part of a device */
CUresult cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters,
                        unsigned int flags, CUdevice device);
/** Destroy a context after its work; pops it if it is current. */
CUresult cuCtxDestroy(CUcontext context);
/** Push a context on this thread's stack. */
CUresult cuCtxPushCurrent(CUcontext context);
/** Pop this thread's current context; the pointer may be NULL. */
CUresult cuCtxPopCurrent(CUcontext *context);
/** Replace this thread's current context; NULL pops it. */
CUresult cuCtxSetCurrent(CUcontext context);
/** This thread's current context, or NULL. */
CUresult cuCtxGetCurrent(CUcontext *context);
/** Device of the current context. */
CUresult cuCtxGetDevice(CUdevice *device);
/** Flags of the current context. */
CUresult cuCtxGetFlags(unsigned int *flags);
/** Version of the API that a context supports. */
CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version);
/** Wait for all work of the current context. */
CUresult cuCtxSynchronize(void);
/** Set a limit. */
CUresult cuCtxSetLimit(CUlimit limit, size_t value);
/** A limit. */
CUresult cuCtxGetLimit(size_t *value, CUlimit limit);
/** Set a preference, without effect. */
CUresult cuCtxSetCacheConfig(CUfunc_cache config);
/** That preference. */
CUresult cuCtxGetCacheConfig(CUfunc_cache *config);
/** Priorities of streams. */
CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest);
/** Let the current context access another one's memory; flags must be 0. */
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags);
/** Undo it. */
CUresult cuCtxDisablePeerAccess(CUcontext peer);

#ifdef __cplusplus
}
/** cuCtxCreate_v4(), as programs of CUDA 13 call it. */
static inline CUresult cuCtxCreate(CUcontext *context,
                                   CUctxCreateParams *parameters,
                                   unsigned int flags, CUdevice device)
{
    return cuCtxCreate_v4(context, parameters, flags, device);
}
#endif

#endif
