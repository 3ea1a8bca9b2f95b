/* SPDX-License-Identifier: MIT */
/** @file
 *  Runtime API: devices, versions, errors.  Part of cuda_runtime_api.h.
 */
#ifndef SOFTGPU_API_DEVICE_H
#define SOFTGPU_API_DEVICE_H

#ifdef __cplusplus
extern "C" {
#endif

/** The last error of this host thread; forgets it unless a kernel failed. */
cudaError_t cudaGetLastError(void);
/** The same, not forgetting it. */
cudaError_t cudaPeekAtLastError(void);
/** Name of a code, "unrecognized error code" if there is none such. */
const char *cudaGetErrorName(cudaError_t error);
/** Its text, in CUDA's words. */
const char *cudaGetErrorString(cudaError_t error);

/** How many virtual devices there are: SOFTGPU_DEVICES. */
cudaError_t cudaGetDeviceCount(int *count);
/** Make a device this host thread's current one; cudaErrorInvalidDevice. */
cudaError_t cudaSetDevice(int device);
/** The current device of this host thread. */
cudaError_t cudaGetDevice(int *device);
/** The device, of those there are, whose properties fit best. */
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop);
/** Devices to prefer, n of them; checked, then without effect. */
cudaError_t cudaSetValidDevices(int *devices, int n);
/** Describe a device; *prop is written whole. */
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device);
#define cudaGetDeviceProperties_v2 cudaGetDeviceProperties /**< the same */
/** One attribute of a device. */
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute,
                                   int device);
/** One attribute of a pair of different devices. */
cudaError_t cudaDeviceGetP2PAttribute(int *value,
                                      enum cudaDeviceP2PAttr attribute,
                                      int source, int destination);
/** Make a device ready; it is anyway. */
cudaError_t cudaInitDevice(int device, unsigned int deviceFlags,
                           unsigned int flags);
/** Run all that is queued on the current device; returns its failure. */
cudaError_t cudaDeviceSynchronize(void);
/** The same, by its old name. */
cudaError_t cudaThreadSynchronize(void);
/** Forget all of the current device: memory, streams, queued work, failure. */
cudaError_t cudaDeviceReset(void);
/** The same, by its old name. */
cudaError_t cudaThreadExit(void);
/** Scheduling flags; kept, without effect. */
cudaError_t cudaSetDeviceFlags(unsigned int flags);
/** What was set, with cudaDeviceMapHost. */
cudaError_t cudaGetDeviceFlags(unsigned int *flags);
/** Set a limit; the device rounds some up.  cudaErrorUnsupportedLimit. */
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
/** Read a limit. */
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
/** A hint: kept. */
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
/** The hint kept. */
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
/** Without effect: banks are 4 bytes wide. */
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
/** Always cudaSharedMemBankSizeFourByte. */
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
/** Priorities run from *least (0) to *greatest (-5); both may be NULL. */
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
/** "0000:01:00.0" and so on, cut to length bytes with its end. */
cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device);
/** The device of such a text. */
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id);
/** Forget persisting lines of L2: without effect. */
cudaError_t cudaCtxResetPersistingL2Cache(void);

/** 1 if device may be given access to peer's memory: different devices. */
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
/** Give the current device access; flags 0.
 *  cudaErrorPeerAccessAlreadyEnabled, cudaErrorInvalidDevice. */
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
/** Take it back; cudaErrorPeerAccessNotEnabled. */
cudaError_t cudaDeviceDisablePeerAccess(int peer);

/** 12080. */
cudaError_t cudaRuntimeGetVersion(int *version);
/** 12080. */
cudaError_t cudaDriverGetVersion(int *version);
/** Start profiling: without effect. */
cudaError_t cudaProfilerStart(void);
/** Stop profiling: without effect. */
cudaError_t cudaProfilerStop(void);

#ifdef __cplusplus
}
#endif
#endif
