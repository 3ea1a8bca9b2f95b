/* SPDX-License-Identifier: MIT */
/** @file
 *  Driver API: copies and fills.
 */
#include "common/softgpu/host/copy.h"

#include "common/softgpu/host/call.h"
#include "common/softgpu/host/array.h"
#include "driver.h"

CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    SOFTGPU_DRIVER_CALL(CONTEXT,
                        cudaMemcpy(softgpu_pointer(dst), softgpu_pointer(src),
                                   bytes, cudaMemcpyDefault));
}

CUresult cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t bytes)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaMemcpy(softgpu_pointer(dst), src, bytes,
                                            cudaMemcpyHostToDevice));
}

CUresult cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t bytes)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, cudaMemcpy(dst, softgpu_pointer(src), bytes,
                                            cudaMemcpyDeviceToHost));
}

CUresult cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
    SOFTGPU_DRIVER_CALL(CONTEXT,
                        cudaMemcpy(softgpu_pointer(dst), softgpu_pointer(src),
                                   bytes, cudaMemcpyDeviceToDevice));
}

CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                       CUstream stream)
{
    SOFTGPU_DRIVER_CALL(
        CONTEXT, cudaMemcpyAsync(softgpu_pointer(dst), softgpu_pointer(src),
                                 bytes, cudaMemcpyDefault, stream));
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t bytes,
                           CUstream stream)
{
    SOFTGPU_DRIVER_CALL(CONTEXT,
                        cudaMemcpyAsync(softgpu_pointer(dst), src, bytes,
                                        cudaMemcpyHostToDevice, stream));
}

CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t bytes,
                           CUstream stream)
{
    SOFTGPU_DRIVER_CALL(CONTEXT,
                        cudaMemcpyAsync(dst, softgpu_pointer(src), bytes,
                                        cudaMemcpyDeviceToHost, stream));
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                           CUstream stream)
{
    SOFTGPU_DRIVER_CALL(
        CONTEXT, cudaMemcpyAsync(softgpu_pointer(dst), softgpu_pointer(src),
                                 bytes, cudaMemcpyDeviceToDevice, stream));
}

/* --- rows ----------------------------------------------------------------- */

/* One side of a copy of rows. */
struct side {
    CUmemorytype type;
    const void *host;
    CUdeviceptr device;
    CUarray array;
    size_t x, y, pitch;
};

/* The region of a side; the lock is held. */
static cudaError_t place(struct softgpu_box *to, const struct side *s,
                         size_t width, size_t height)
{
    char *p = s->type == CU_MEMORYTYPE_HOST ? (char *)(uintptr_t)s->host
                                            : softgpu_pointer(s->device);
    size_t pitch = s->pitch ? s->pitch : width;
    if (s->type < CU_MEMORYTYPE_HOST || s->type > CU_MEMORYTYPE_UNIFIED)
        return cudaErrorInvalidValue;
    if (s->type == CU_MEMORYTYPE_ARRAY) {
        const struct cudaArray *a = softgpu_array(s->array);
        if (!a)
            return cudaErrorInvalidResourceHandle;
        p = a->image.base;
        pitch = a->image.pitch;
        if (s->y + height > (size_t)a->image.height)
            return cudaErrorInvalidValue;
    }
    if (s->x + width > pitch)
        return cudaErrorInvalidValue;
    *to = (struct softgpu_box){p + s->y * pitch + s->x, pitch,
                               pitch * height};
    return cudaSuccess;
}

/* Make a request of both sides and queue it; the lock is held. */
static cudaError_t copy_rows(const CUDA_MEMCPY2D *c, CUstream stream,
                             int asynchronous)
{
    if (!c)
        return cudaErrorInvalidValue;
    const struct side dst = {c->dstMemoryType, c->dstHost, c->dstDevice,
                             c->dstArray, c->dstXInBytes, c->dstY,
                             c->dstPitch};
    const struct side src = {c->srcMemoryType, c->srcHost, c->srcDevice,
                             c->srcArray, c->srcXInBytes, c->srcY,
                             c->srcPitch};
    struct softgpu_copy_request r = {
        .extent = {c->WidthInBytes, c->Height, 1}, .kind = cudaMemcpyDefault,
        .dst_device = -1, .src_device = -1};
    cudaError_t error = place(&r.dst, &dst, c->WidthInBytes, c->Height);
    if (!error)
        error = place(&r.src, &src, c->WidthInBytes, c->Height);
    return error ? error : softgpu_copy(&r, stream, asynchronous);
}

/* The same as a call of the runtime. */
static cudaError_t call_copy_rows(const CUDA_MEMCPY2D *c, CUstream stream,
                                  int asynchronous)
{
    SOFTGPU_CALL(copy_rows(c, stream, asynchronous));
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, call_copy_rows(copy, 0, 0));
}

CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, call_copy_rows(copy, 0, 0));
}

CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, call_copy_rows(copy, stream, 1));
}

/* --- fills ---------------------------------------------------------------- */

/* Make a command of a fill and queue it; the lock is held. */
static cudaError_t fill(CUdeviceptr to, unsigned value, size_t count,
                        unsigned element, CUstream handle)
{
    const size_t bytes = count * element;
    const struct softgpu_fill_command f = {
        .dst = {softgpu_pointer(to), bytes, bytes}, .extent = {bytes, 1, 1},
        .value = value, .element = element};
    struct softgpu_command command;
    struct CUstream_st *stream = softgpu_stream(handle);
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    if (to % element)
        return cudaErrorInvalidValue;
    const cudaError_t error = softgpu_make_fill(&command, &f);
    command.device = stream->device;
    return error || command.kind == SOFTGPU_EMPTY
               ? error
               : softgpu_submit(stream, &command);
}

/* The same as a call of the runtime. */
static cudaError_t call_fill(CUdeviceptr to, unsigned value, size_t count,
                             unsigned element, CUstream stream)
{
    SOFTGPU_CALL(fill(to, value, count, element, stream));
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, call_fill(to, value, count, 1, 0));
}

CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, call_fill(to, value, count, 2, 0));
}

CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, call_fill(to, value, count, 4, 0));
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count,
                         CUstream stream)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, call_fill(to, value, count, 1, stream));
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count,
                          CUstream stream)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, call_fill(to, value, count, 2, stream));
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count,
                          CUstream stream)
{
    SOFTGPU_DRIVER_CALL(CONTEXT, call_fill(to, value, count, 4, stream));
}
