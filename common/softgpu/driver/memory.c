/* SPDX-License-Identifier: MIT */
/** @file
 *  Driver API: memory, its attributes, arrays.
 */
#include "common/softgpu/host/memory.h"

#include "common/softgpu/host/call.h"
#include "driver.h"

CUresult cuMemGetInfo(size_t *free, size_t *total)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaMemGetInfo(free, total));
}

/* Store the address that a call of the runtime has stored in *p. */
static cudaError_t store(CUdeviceptr *to, cudaError_t error, void *const *p)
{
    if (!error)
        *to = (CUdeviceptr)(uintptr_t)*p;
    return error;
}

/* The driver refuses 0 bytes, the runtime gives NULL. */
static cudaError_t alloc(CUdeviceptr *to, size_t bytes)
{
    void *p = NULL;
    return to && bytes ? store(to, cudaMalloc(&p, bytes), &p)
                       : cudaErrorInvalidValue;
}

CUresult cuMemAlloc(CUdeviceptr *to, size_t bytes)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, alloc(to, bytes));
}

/* The size of an element changes nothing here but is checked. */
static cudaError_t alloc_pitch(CUdeviceptr *to, size_t *pitch, size_t width,
                               size_t height, unsigned element)
{
    void *p = NULL;
    if (!to || !width || !height
        || (element != 4 && element != 8 && element != 16))
        return cudaErrorInvalidValue;
    return store(to, cudaMallocPitch(&p, pitch, width, height), &p);
}

CUresult cuMemAllocPitch(CUdeviceptr *to, size_t *pitch, size_t width,
                         size_t height, unsigned int element)
{
    SOFTGPU_DRIVER_CALL(CONTEXT,
                        alloc_pitch(to, pitch, width, height, element));
}

/* Managed memory by its device address. */
static cudaError_t alloc_managed(CUdeviceptr *to, size_t bytes, unsigned flags)
{
    void *p = NULL;
    return to ? store(to, cudaMallocManaged(&p, bytes, flags), &p)
              : cudaErrorInvalidValue;
}

CUresult cuMemAllocManaged(CUdeviceptr *to, size_t bytes, unsigned int flags)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, alloc_managed(to, bytes, flags));
}

/* Memory of the current pool. */
static cudaError_t alloc_async(CUdeviceptr *to, size_t bytes, CUstream stream)
{
    void *p = NULL;
    return to ? store(to, cudaMallocAsync(&p, bytes, stream), &p)
              : cudaErrorInvalidValue;
}

CUresult cuMemAllocAsync(CUdeviceptr *to, size_t bytes, CUstream stream)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, alloc_async(to, bytes, stream));
}

CUresult cuMemFree(CUdeviceptr p)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaFree(softgpu_pointer(p)));
}

CUresult cuMemFreeAsync(CUdeviceptr p, CUstream stream)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaFreeAsync(softgpu_pointer(p), stream));
}

CUresult cuMemAllocHost(void **to, size_t bytes)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaMallocHost(to, bytes));
}

CUresult cuMemHostAlloc(void **to, size_t bytes, unsigned int flags)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaHostAlloc(to, bytes, flags));
}

CUresult cuMemFreeHost(void *p)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaFreeHost(p));
}

/* Pinned memory has one address for host and device. */
static cudaError_t device_pointer(CUdeviceptr *to, void *host, unsigned flags)
{
    void *p = NULL;
    return to ? store(to, cudaHostGetDevicePointer(&p, host, flags), &p)
              : cudaErrorInvalidValue;
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *to, void *p,
                                   unsigned int flags)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, device_pointer(to, p, flags));
}

CUresult cuMemHostGetFlags(unsigned int *flags, void *p)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaHostGetFlags(flags, p));
}

CUresult cuMemHostRegister(void *p, size_t bytes, unsigned int flags)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaHostRegister(p, bytes, flags));
}

CUresult cuMemHostUnregister(void *p)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaHostUnregister(p));
}

/* Look up the allocation that contains p. */
static cudaError_t address_range(CUdeviceptr *base, size_t *bytes,
                                 CUdeviceptr p)
{
    pthread_mutex_lock(&softgpu_lock);
    const struct softgpu_allocation *a =
        softgpu_find_allocation(softgpu_pointer(p));
    if (a && base)
        *base = (CUdeviceptr)(uintptr_t)a->ptr;
    if (a && bytes)
        *bytes = a->bytes;
    pthread_mutex_unlock(&softgpu_lock);
    return a ? cudaSuccess : cudaErrorSymbolNotFound;
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr p)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, address_range(base, bytes, p));
}

/* One attribute of memory that the runtime knows. */
static cudaError_t store_attribute(void *to, CUpointer_attribute attribute,
                                   const struct cudaPointerAttributes *a)
{
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        *(CUcontext *)to = softgpu_current_context();
        return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(CUmemorytype *)to = a->type == cudaMemoryTypeHost
                                  ? CU_MEMORYTYPE_HOST
                                  : CU_MEMORYTYPE_DEVICE;
        return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(CUdeviceptr *)to = (CUdeviceptr)(uintptr_t)a->devicePointer;
        return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        *(void **)to = a->hostPointer;
        return a->hostPointer ? cudaSuccess : cudaErrorInvalidValue;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(int *)to = a->type == cudaMemoryTypeManaged;
        return cudaSuccess;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int *)to = a->device;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

/* Memory that CUDA does not know is an error here, not in the runtime. */
static cudaError_t pointer_attribute(void *to, CUpointer_attribute attribute,
                                     CUdeviceptr p)
{
    struct cudaPointerAttributes a;
    const cudaError_t error =
        to ? cudaPointerGetAttributes(&a, softgpu_pointer(p))
           : cudaErrorInvalidValue;
    if (error)
        return error;
    return a.type == cudaMemoryTypeUnregistered
               ? cudaErrorInvalidValue
               : store_attribute(to, attribute, &a);
}

CUresult cuPointerGetAttribute(void *to, CUpointer_attribute attribute,
                               CUdeviceptr p)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, pointer_attribute(to, attribute, p));
}

/* A format of the driver as one of the runtime; x is 0 for none. */
static struct cudaChannelFormatDesc channel(const CUDA_ARRAY_DESCRIPTOR *d)
{
    static const struct {
        CUarray_format format;
        int bits;
        enum cudaChannelFormatKind kind;
    } formats[] = {
        {CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
        {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
        {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
        {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
        {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
        {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
        {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
        {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat}};
    const unsigned n = d->NumChannels;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].format == d->Format) {
            const int b = formats[i].bits;
            return cudaCreateChannelDesc(n > 0 ? b : 0, n > 1 ? b : 0,
                                         n > 2 ? b : 0, n > 3 ? b : 0,
                                         formats[i].kind);
        }
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

/* An array without flags: surfaces need the runtime API. */
static cudaError_t create_array(CUarray *to, const CUDA_ARRAY_DESCRIPTOR *d)
{
    if (!to || !d)
        return cudaErrorInvalidValue;
    const struct cudaChannelFormatDesc desc = channel(d);
    return cudaMallocArray(to, &desc, d->Width, d->Height, 0);
}

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *desc)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, create_array(array, desc));
}

CUresult cuArrayDestroy(CUarray array)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, array ? cudaFreeArray(array)
                                       : cudaErrorInvalidResourceHandle);
}
