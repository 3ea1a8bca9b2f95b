/* SPDX-License-Identifier: MIT */
/** @file
 *  Runtime API: devices, versions, errors.  Part of cuda_runtime_api.h.
 */
#ifndef SOFTGPU_API_DEVICE_H
#define SOFTGPU_API_DEVICE_H

#ifdef __cplusplus
extern "C" {
#endif

/** The last error of this host thread; resets it, unless a kernel has failed.
 */
cudaError_t cudaGetLastError(void);
/** The last error of this host thread; does not reset it. */
cudaError_t cudaPeekAtLastError(void);
/** Name of an error code; "unrecognized error code" for another number. */
const char *cudaGetErrorName(cudaError_t error);
/** Text of an error code, CUDA's. */
const char *cudaGetErrorString(cudaError_t error);

/** Number of virtual devices: SOFTGPU_DEVICES. */
cudaError_t cudaGetDeviceCount(int *count);
/** Set the current device of this host thread.  @return cudaErrorInvalidDevice
 *  for another number */
cudaError_t cudaSetDevice(int device);
/** The current device of this host thread. */
cudaError_t cudaGetDevice(int *device);
/** The device whose properties fit best. */
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop);
/** Devices in order of preference; checked, no effect. */
cudaError_t cudaSetValidDevices(int *devices, int n);
/** Properties of a device; all of *prop is written. */
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
#define cudaGetDeviceProperties_v2 cudaGetDeviceProperties /**< the same */
/** An attribute of a device. */
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute,
                                   int device);
/** An attribute of a pair of different devices. */
cudaError_t cudaDeviceGetP2PAttribute(int *value,
                                      enum cudaDeviceP2PAttr attribute,
                                      int source, int destination);
/** Initialize a device; no effect. */
cudaError_t cudaInitDevice(int device, unsigned int deviceFlags,
                           unsigned int flags);
/** Run all work of the current device; in a kernel, what the block of the
 *  calling thread has launched.  @return the error of failed work */
cudaError_t cudaDeviceSynchronize(void);
/** Old name of cudaDeviceSynchronize(). */
cudaError_t cudaThreadSynchronize(void);
/** Destroy all state of the current device: memory, streams, enqueued work,
 *  errors. */
cudaError_t cudaDeviceReset(void);
/** Old name of cudaDeviceReset(). */
cudaError_t cudaThreadExit(void);
/** Set scheduling flags; stored, no effect. */
cudaError_t cudaSetDeviceFlags(unsigned int flags);
/** The flags that were set, and cudaDeviceMapHost. */
cudaError_t cudaGetDeviceFlags(unsigned int *flags);
/** Set a limit; some are rounded up.  @return cudaErrorUnsupportedLimit for an
 *  unknown one */
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
/** Get a limit. */
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
/** Set a hint; stored, no effect. */
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
/** Get the hint. */
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
/** No effect: banks are 4 bytes wide. */
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
/** cudaSharedMemBankSizeFourByte. */
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
/** Priorities are from *least (0) to *greatest (-5); both can be NULL. */
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
/** "0000:01:00.0" and so on, truncated to `length` bytes with the NUL. */
cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device);
/** The device of such a text. */
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id);
/** Reset persisting lines of L2; no effect. */
cudaError_t cudaCtxResetPersistingL2Cache(void);

/** 1 if `device` can access the memory of `peer`: for different devices. */
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
/** Give the current device access to a peer; flags must be 0.  @return
 *  cudaErrorPeerAccessAlreadyEnabled or cudaErrorInvalidDevice */
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
/** Disable it.  @return cudaErrorPeerAccessNotEnabled if it is not enabled */
cudaError_t cudaDeviceDisablePeerAccess(int peer);

/** 12080. */
cudaError_t cudaRuntimeGetVersion(int *version);
/** 12080. */
cudaError_t cudaDriverGetVersion(int *version);
/** Start profiling; no effect. */
cudaError_t cudaProfilerStart(void);
/** Stop profiling; no effect. */
cudaError_t cudaProfilerStop(void);

#ifdef __cplusplus
}
#endif
#endif
