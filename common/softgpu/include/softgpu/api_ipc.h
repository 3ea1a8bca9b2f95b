/* SPDX-License-Identifier: MIT */
/** @file
 *  Runtime API: device memory and events of other processes on this machine.
 *  Part of cuda_runtime_api.h.
 *
 *  A handle is made in one process, passed to another one of the same user by
 *  any means, and opened there: both then use the same bytes.  It is valid as
 *  long as its process lives and keeps the memory or the event.
 */
#ifndef SOFTGPU_API_IPC_H
#define SOFTGPU_API_IPC_H

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of a handle. */
#define CUDA_IPC_HANDLE_SIZE 64
/** The flag of cudaIpcOpenMemHandle(): peer access where it is needed. */
#define cudaIpcMemLazyEnablePeerAccess 0x01

/** A handle of memory. */
typedef struct cudaIpcMemHandle_st {
    char reserved[CUDA_IPC_HANDLE_SIZE]; /**< opaque */
} cudaIpcMemHandle_t;

/** A handle of an event. */
typedef struct cudaIpcEventHandle_st {
    char reserved[CUDA_IPC_HANDLE_SIZE]; /**< opaque */
} cudaIpcEventHandle_t;

/** Get a handle for memory of cudaMalloc().
 *  @param ptr  its first byte
 *  @return cudaErrorInvalidValue for other memory, that of a pool too */
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *ptr);
/** Map the memory of a handle.  A second call with the same handle gives the
 *  same pointer, and must be closed, too.
 *  @param flags  cudaIpcMemLazyEnablePeerAccess
 *  @return cudaErrorDeviceUninitialized in the process that made the handle,
 *      cudaErrorMapBufferObjectFailed if that has ended,
 *      cudaErrorInvalidResourceHandle if it has freed the memory, or for
 *      bytes that are no handle */
cudaError_t cudaIpcOpenMemHandle(void **ptr, cudaIpcMemHandle_t handle,
                                 unsigned int flags);
/** Unmap memory of cudaIpcOpenMemHandle(), after all work; cudaFree() does not.
 *  @return cudaErrorInvalidValue for another pointer, or one that is closed */
cudaError_t cudaIpcCloseMemHandle(void *ptr);
/** Get a handle for an event with cudaEventInterprocess and
 *  cudaEventDisableTiming.  @return cudaErrorInvalidResourceHandle for another
 *      event */
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle,
                                  cudaEvent_t event);
/** Open an event of another process; cudaEventDestroy() closes it.  Records
 *  and waits of all processes count; a process that ended records no more.
 *  @return errors as of cudaIpcOpenMemHandle() */
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event,
                                   cudaIpcEventHandle_t handle);

#ifdef __cplusplus
}
#endif
#endif
