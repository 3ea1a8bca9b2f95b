/* SPDX-License-Identifier: MIT */
/** @file
 *  cudaMemset() and its variants.
 */
#include "common/softgpu/core/hooks.h"
#include "call.h"
#include "copy.h"
#include "device_runtime.h"
#include "memory.h"

/* The arguments of a fill. */
struct request {
    struct softgpu_box dst;
    int value;
    struct cudaExtent extent;
};

static struct softgpu_fill_command make_command(const struct request *r)
{
    return (struct softgpu_fill_command){.dst = r->dst, .extent = r->extent,
                                         .value = (unsigned char)r->value,
                                         .element = 1};
}

/* A call of a kernel. */
static cudaError_t store(const char *name, const struct request *r,
                         cudaStream_t stream, const void *site)
{
    const struct softgpu_fill_command f = make_command(r);
    return softgpu_store_fill(name, &f, stream, site);
}

/* A call without Async waits for a fill of host memory. */
static cudaError_t fill(const struct request *r, cudaStream_t handle, int wait)
{
    const struct softgpu_fill_command f = make_command(r);
    struct CUstream_st *stream = softgpu_stream(handle);
    struct softgpu_command command;
    if (r->extent.height == 1 && r->extent.depth == 1)
        SOFTGPU_HOOK(fill_requested, (r->dst.ptr, r->value, r->extent.width));
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = softgpu_make_fill(&command, &f);
    if (error || command.kind == SOFTGPU_EMPTY)
        return error;
    if (wait && stream->capture)
        return softgpu_check_wait(stream);
    command.device = stream->device;
    error = softgpu_submit(stream, &command);
    if (!error && wait
        && softgpu_memory_type(r->dst.ptr, 1) != SOFTGPU_DEVICE_ONLY)
        error = softgpu_run_until(softgpu_stream_end(stream));
    return error;
}

cudaError_t cudaMemset(void *ptr, int value, size_t bytes)
{
    const struct request r = {{ptr, bytes, bytes}, value, {bytes, 1, 1}};
    SOFTGPU_CALL(fill(&r, 0, 1));
}

cudaError_t cudaMemsetAsync(void *ptr, int value, size_t bytes,
                            cudaStream_t stream)
{
    const struct request r = {{ptr, bytes, bytes}, value, {bytes, 1, 1}};
    if (softgpu_tls.block)
        return store("cudaMemsetAsync", &r, stream,
                     __builtin_return_address(0));
    SOFTGPU_CALL(fill(&r, stream, 0));
}

cudaError_t cudaMemset2D(void *ptr, size_t pitch, int value, size_t width,
                         size_t height)
{
    const struct request r = {{ptr, pitch, 0}, value, {width, height, 1}};
    SOFTGPU_CALL(fill(&r, 0, 1));
}

cudaError_t cudaMemset2DAsync(void *ptr, size_t pitch, int value, size_t width,
                              size_t height, cudaStream_t stream)
{
    const struct request r = {{ptr, pitch, 0}, value, {width, height, 1}};
    if (softgpu_tls.block)
        return store("cudaMemset2DAsync", &r, stream,
                     __builtin_return_address(0));
    SOFTGPU_CALL(fill(&r, stream, 0));
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr ptr, int value,
                         struct cudaExtent extent)
{
    const struct request r = {
        {ptr.ptr, ptr.pitch, ptr.pitch * ptr.ysize}, value, extent};
    SOFTGPU_CALL(fill(&r, 0, 1));
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr ptr, int value,
                              struct cudaExtent extent, cudaStream_t stream)
{
    const struct request r = {
        {ptr.ptr, ptr.pitch, ptr.pitch * ptr.ysize}, value, extent};
    if (softgpu_tls.block)
        return store("cudaMemset3DAsync", &r, stream,
                     __builtin_return_address(0));
    SOFTGPU_CALL(fill(&r, stream, 0));
}
