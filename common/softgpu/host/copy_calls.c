/* SPDX-License-Identifier: MIT */
/** @file
 *  cudaMemcpy() and its variants.
 */
#include "call.h"
#include "copy.h"
#include "device_runtime.h"
#include "memory.h"

cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes,
                       enum cudaMemcpyKind kind)
{
    const struct softgpu_copy_request r =
        softgpu_linear_copy(dst, src, bytes, kind);
    SOFTGPU_CALL(softgpu_copy(&r, 0, 0));
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes,
                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    const struct softgpu_copy_request r =
        softgpu_linear_copy(dst, src, bytes, kind);
    if (softgpu_tls.block)
        return softgpu_store_copy("cudaMemcpyAsync", &r, stream,
                                  __builtin_return_address(0));
    SOFTGPU_CALL(softgpu_copy(&r, stream, 1));
}

/* A 2D copy.  cudaMemcpy2D() checks the pitch of a single row, too. */
static cudaError_t copy_rows(struct softgpu_copy_request *r,
                             cudaStream_t stream, int asynchronous)
{
    if (r->dst.pitch < r->extent.width || r->src.pitch < r->extent.width)
        return cudaErrorInvalidPitchValue;
    return softgpu_copy(r, stream, asynchronous);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src,
                         size_t spitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind)
{
    struct softgpu_copy_request r = softgpu_linear_copy(dst, src, width, kind);
    r.dst.pitch = dpitch;
    r.src.pitch = spitch;
    r.extent.height = height;
    SOFTGPU_CALL(copy_rows(&r, 0, 0));
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src,
                              size_t spitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct softgpu_copy_request r = softgpu_linear_copy(dst, src, width, kind);
    r.dst.pitch = dpitch;
    r.src.pitch = spitch;
    r.extent.height = height;
    if (softgpu_tls.block)
        return softgpu_store_copy("cudaMemcpy2DAsync", &r, stream,
                                  __builtin_return_address(0));
    SOFTGPU_CALL(copy_rows(&r, stream, 1));
}

static cudaError_t copy_box(const struct cudaMemcpy3DParms *p,
                            cudaStream_t stream, int asynchronous)
{
    struct softgpu_copy_request r;
    const cudaError_t error = softgpu_box_copy(&r, p);
    return error ? error : softgpu_copy(&r, stream, asynchronous);
}

/* The same in a kernel. */
static cudaError_t store_box(const struct cudaMemcpy3DParms *p,
                             cudaStream_t stream, const void *site)
{
    struct softgpu_copy_request r;
    const cudaError_t error = softgpu_box_copy(&r, p);
    return error ? softgpu_record_error(error)
                 : softgpu_store_copy("cudaMemcpy3DAsync", &r, stream, site);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy)
{
    SOFTGPU_CALL(copy_box(copy, 0, 0));
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy,
                              cudaStream_t stream)
{
    if (softgpu_tls.block)
        return store_box(copy, stream, __builtin_return_address(0));
    SOFTGPU_CALL(copy_box(copy, stream, 1));
}

/* 1 if p is memory of this device, or of no device. */
static int is_of(const void *p, int device)
{
    const struct softgpu_allocation *a = softgpu_find_allocation(p);
    return !a || a->kind != SOFTGPU_DEVICE_MEMORY || a->device == device;
}

static cudaError_t copy_peer(const struct softgpu_copy_request *r,
                             cudaStream_t stream)
{
    if (!softgpu_device_at(r->dst_device) || !softgpu_device_at(r->src_device))
        return cudaErrorInvalidDevice;
    if (!is_of(r->dst.ptr, r->dst_device) || !is_of(r->src.ptr, r->src_device))
        return cudaErrorInvalidValue;
    return softgpu_copy(r, stream, 1);
}

cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src,
                                int srcDevice, size_t bytes,
                                cudaStream_t stream)
{
    struct softgpu_copy_request r =
        softgpu_linear_copy(dst, src, bytes, cudaMemcpyDeviceToDevice);
    r.dst_device = dstDevice;
    r.src_device = srcDevice;
    SOFTGPU_CALL(copy_peer(&r, stream));
}

/* CUDA orders the copy after all commands of both devices so far and before all
 * later ones: it runs at once. */
static cudaError_t copy_peer_in_order(const struct softgpu_copy_request *r)
{
    struct softgpu_device *to = softgpu_device_at(r->dst_device);
    struct softgpu_device *from = softgpu_device_at(r->src_device);
    if (!to || !from)
        return cudaErrorInvalidDevice;
    cudaError_t error = softgpu_wait_device(to);
    if (!error)
        error = softgpu_wait_device(from);
    if (!error)
        error = copy_peer(r, 0);
    return error ? error : softgpu_wait_device(softgpu_device());
}

cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src,
                           int srcDevice, size_t bytes)
{
    struct softgpu_copy_request r =
        softgpu_linear_copy(dst, src, bytes, cudaMemcpyDeviceToDevice);
    r.dst_device = dstDevice;
    r.src_device = srcDevice;
    SOFTGPU_CALL(copy_peer_in_order(&r));
}

static cudaError_t copy_peer_box(const struct cudaMemcpy3DPeerParms *p,
                                 cudaStream_t stream, int asynchronous)
{
    struct softgpu_copy_request r;
    if (!p)
        return cudaErrorInvalidValue;
    const struct cudaMemcpy3DParms box = {
        .srcArray = p->srcArray, .srcPos = p->srcPos, .srcPtr = p->srcPtr,
        .dstArray = p->dstArray, .dstPos = p->dstPos, .dstPtr = p->dstPtr,
        .extent = p->extent, .kind = cudaMemcpyDeviceToDevice};
    const cudaError_t error = softgpu_box_copy(&r, &box);
    if (error)
        return error;
    r.dst_device = p->dstDevice;
    r.src_device = p->srcDevice;
    return asynchronous ? copy_peer(&r, stream) : copy_peer_in_order(&r);
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *copy)
{
    SOFTGPU_CALL(copy_peer_box(copy, 0, 0));
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *copy,
                                  cudaStream_t stream)
{
    SOFTGPU_CALL(copy_peer_box(copy, stream, 1));
}
