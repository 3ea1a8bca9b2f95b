/* SPDX-License-Identifier: MIT */
/** @file
 *  Driver API: memory, copies, fills, arrays, textures.  Part of cuda.h.
 *
 *  Each call is that of the runtime with the same purpose: api_memory.h and
 *  api_copy.h have the contracts.
 */
#ifndef SOFTGPU_DRIVER_MEMORY_H
#define SOFTGPU_DRIVER_MEMORY_H

#ifdef __cplusplus
extern "C" {
#endif

/** Free and total memory of the device. */
CUresult cuMemGetInfo(size_t *free, size_t *total);
/** As cudaMalloc(), but at least one byte. */
CUresult cuMemAlloc(CUdeviceptr *to, size_t bytes);
/** As cudaMallocPitch(); elements of 4, 8 or 16 bytes. */
CUresult cuMemAllocPitch(CUdeviceptr *to, size_t *pitch, size_t width,
                         size_t height, unsigned int element);
/** As cudaMallocManaged(). */
CUresult cuMemAllocManaged(CUdeviceptr *to, size_t bytes, unsigned int flags);
/** As cudaMallocAsync(). */
CUresult cuMemAllocAsync(CUdeviceptr *to, size_t bytes, CUstream stream);
/** As cudaFree(). */
CUresult cuMemFree(CUdeviceptr p);
/** As cudaFreeAsync(). */
CUresult cuMemFreeAsync(CUdeviceptr p, CUstream stream);
/** The flag of cuIpcOpenMemHandle(). */
#define CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS cudaIpcMemLazyEnablePeerAccess
#define CU_IPC_HANDLE_SIZE CUDA_IPC_HANDLE_SIZE /**< bytes of a handle */
/** A handle of memory. */
typedef struct CUipcMemHandle_st {
    char reserved[64];
} CUipcMemHandle;
/** A handle of an event. */
typedef struct CUipcEventHandle_st {
    char reserved[64];
} CUipcEventHandle;
/** As cudaIpcGetMemHandle(). */
CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr p);
/** As cudaIpcOpenMemHandle(). */
CUresult cuIpcOpenMemHandle(CUdeviceptr *to, CUipcMemHandle handle,
                            unsigned int flags);
/** As cudaIpcCloseMemHandle(). */
CUresult cuIpcCloseMemHandle(CUdeviceptr p);
/** As cudaIpcGetEventHandle(). */
CUresult cuIpcGetEventHandle(CUipcEventHandle *handle, CUevent event);
/** As cudaIpcOpenEventHandle(). */
CUresult cuIpcOpenEventHandle(CUevent *event, CUipcEventHandle handle);

/** Pinned host memory. */
CUresult cuMemAllocHost(void **to, size_t bytes);
/** Pinned host memory with flags. */
CUresult cuMemHostAlloc(void **to, size_t bytes, unsigned int flags);
/** Free pinned memory. */
CUresult cuMemFreeHost(void *p);
/** Device address of pinned memory. */
CUresult cuMemHostGetDevicePointer(CUdeviceptr *to, void *p,
                                   unsigned int flags);
/** Flags of pinned memory. */
CUresult cuMemHostGetFlags(unsigned int *flags, void *p);
/** Pin memory of the program. */
CUresult cuMemHostRegister(void *p, size_t bytes, unsigned int flags);
/** Unpin it. */
CUresult cuMemHostUnregister(void *p);
/** First byte and size of an allocation; each pointer may be NULL. */
CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes,
                              CUdeviceptr p);
/** An attribute of a pointer. */
CUresult cuPointerGetAttribute(void *to, CUpointer_attribute attribute,
                               CUdeviceptr p);

/** Copy, by the memory spaces of the addresses. */
CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes);
/** Copy from the host. */
CUresult cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t bytes);
/** Copy to the host. */
CUresult cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t bytes);
/** Copy within the device. */
CUresult cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t bytes);
/** cuMemcpy(), enqueued. */
CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                       CUstream stream);
/** cuMemcpyHtoD(), enqueued. */
CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t bytes,
                           CUstream stream);
/** cuMemcpyDtoH(), enqueued. */
CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t bytes,
                           CUstream stream);
/** cuMemcpyDtoD(), enqueued. */
CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                           CUstream stream);
/** Copy rows; each side is memory or an array. */
CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy);
/** The same: here every pitch is served. */
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy);
/** cuMemcpy2D(), enqueued. */
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream);
/** Fill `count` bytes. */
CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count);
/** Fill `count` elements of 2 bytes. */
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count);
/** Fill `count` elements of 4 bytes. */
CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count);
/** cuMemsetD8(), enqueued. */
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count,
                         CUstream stream);
/** cuMemsetD16(), enqueued. */
CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count,
                          CUstream stream);
/** cuMemsetD32(), enqueued. */
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count,
                          CUstream stream);

/** An array of one or two dimensions. */
CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc);
/** Free it. */
CUresult cuArrayDestroy(CUarray array);

#ifdef __cplusplus
}
#endif

#endif
