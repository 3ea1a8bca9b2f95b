/* SPDX-License-Identifier: MIT */
/** @file
 *  Copies: checks, modeled bandwidth, and when the call returns.
 */
#include "copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "array.h"
#include "memory.h"
#include "remote.h"

#define PAGEABLE_SHARE 0.5 /* of the link: pageable memory is staged */
#define HOST_GBS 20.0      /* copies within the host */

struct softgpu_copy_request softgpu_linear_copy(void *dst, const void *src,
                                                size_t bytes,
                                                enum cudaMemcpyKind kind)
{
    return (struct softgpu_copy_request){
        .dst = {dst, bytes, bytes},
        .src = {(char *)(uintptr_t)src, bytes, bytes},
        .extent = {bytes, 1, 1}, .kind = kind,
        .dst_device = -1, .src_device = -1};
}

/* Bytes from the first byte of a region to the end of its last row; SIZE_MAX,
 * which no memory has, where the number does not fit. */
static size_t box_bytes(const struct softgpu_box *b, struct cudaExtent e)
{
    size_t slices, rows, bytes;
    if (__builtin_mul_overflow(e.depth - 1, b->slice, &slices)
        || __builtin_mul_overflow(e.height - 1, b->pitch, &rows)
        || __builtin_add_overflow(slices, rows, &bytes)
        || __builtin_add_overflow(bytes, e.width, &bytes))
        return SIZE_MAX;
    return bytes;
}

static int host_can_access(enum softgpu_memory_type side)
{
    return side != SOFTGPU_DEVICE_ONLY;
}

static int device_can_access(enum softgpu_memory_type side)
{
    return side != SOFTGPU_PAGEABLE;
}

/* Are the memory types valid for the copy kind? */
static int matches_kind(enum cudaMemcpyKind kind, enum softgpu_memory_type dst,
                        enum softgpu_memory_type src)
{
    switch (kind) {
    case cudaMemcpyHostToHost:
        return host_can_access(dst) && host_can_access(src);
    case cudaMemcpyHostToDevice:
        return device_can_access(dst) && host_can_access(src);
    case cudaMemcpyDeviceToHost:
        return host_can_access(dst) && device_can_access(src);
    case cudaMemcpyDeviceToDevice:
        return device_can_access(dst) && device_can_access(src);
    default:
        return 1;
    }
}

static enum cudaMemcpyKind infer_kind(enum softgpu_memory_type dst,
                                      enum softgpu_memory_type src)
{
    const int to = dst == SOFTGPU_DEVICE_ONLY || dst == SOFTGPU_UNIFIED;
    const int from = src == SOFTGPU_DEVICE_ONLY || src == SOFTGPU_UNIFIED;
    return to ? from ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice
           : from ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

/* 1 if the copy is between two devices. */
static int is_peer_copy(const struct softgpu_copy_request *r)
{
    const struct softgpu_allocation *to = softgpu_find_allocation(r->dst.ptr);
    const struct softgpu_allocation *from =
        softgpu_find_allocation(r->src.ptr);
    return to && from && to->device != from->device;
}

/* Set the copy engine and the modeled bandwidth. */
static void choose_engine(struct softgpu_copy_command *c,
                          const struct softgpu_copy_request *r, int pageable)
{
    const struct softgpu_card *card = softgpu_card();
    const double link = card->link_gbs * (pageable ? PAGEABLE_SHARE : 1.0);
    switch (c->kind) {
    case cudaMemcpyHostToDevice:
        c->engine = SOFTGPU_TO_DEVICE;
        c->gbs = link;
        break;
    case cudaMemcpyDeviceToHost:
        c->engine = SOFTGPU_TO_HOST;
        c->gbs = link;
        break;
    case cudaMemcpyDeviceToDevice:
        c->engine = SOFTGPU_NO_ENGINE;
        c->gbs = is_peer_copy(r) ? card->peer_gbs : card->dram_gbs / 2;
        break;
    default:
        c->engine = SOFTGPU_NO_ENGINE;
        c->gbs = HOST_GBS;
    }
}

/* An array is a handle: its elements have no address. */
static int is_array_handle(const void *ptr)
{
    if (!softgpu_is_array_handle(ptr))
        return 0;
    softgpu_warn_at_call("this address is the handle of a cudaArray, not of "
                         "its elements; use cudaMemcpy2DToArray(), "
                         "cudaMemcpy2DFromArray() or cudaMemcpy3D()");
    return 1;
}

/* This end of the copy is in no allocation as a whole. */
static cudaError_t refuse_range(const void *ptr, size_t bytes)
{
    if (!ptr || softgpu_in_arena(ptr)) {
        SOFTGPU_HOOK(refused, (SOFTGPU_REFUSED_SIZE, ptr));
        return cudaErrorInvalidValue;
    }
    fprintf(stderr, "softgpu: no copy of %zu bytes: cudaHostRegister() "
            "registered a part of this host memory only; is its size in "
            "bytes?\n", bytes);
    SOFTGPU_HOOK(refused, (SOFTGPU_REFUSED_PART, ptr));
    return cudaErrorInvalidValue;
}

static cudaError_t check_request(const struct softgpu_copy_request *r,
                                 enum softgpu_memory_type *dst,
                                 enum softgpu_memory_type *src)
{
    if ((unsigned)r->kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if ((r->extent.height > 1
         && (r->dst.pitch < r->extent.width || r->src.pitch < r->extent.width)))
        return cudaErrorInvalidPitchValue;
    const size_t dst_bytes = box_bytes(&r->dst, r->extent),
                 src_bytes = box_bytes(&r->src, r->extent);
    if (dst_bytes == SIZE_MAX || src_bytes == SIZE_MAX)
        return cudaErrorInvalidValue; /* host memory has no other limit */
    if (is_array_handle(r->dst.ptr) || is_array_handle(r->src.ptr))
        return cudaErrorInvalidValue;
    *dst = softgpu_memory_type(r->dst.ptr, dst_bytes);
    *src = softgpu_memory_type(r->src.ptr, src_bytes);
    if (*dst == SOFTGPU_INVALID_RANGE)
        return refuse_range(r->dst.ptr, dst_bytes);
    if (*src == SOFTGPU_INVALID_RANGE)
        return refuse_range(r->src.ptr, src_bytes);
    if (!matches_kind(r->kind, *dst, *src)) {
        SOFTGPU_HOOK(refused, (SOFTGPU_REFUSED_DIRECTION, r->dst.ptr));
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

cudaError_t softgpu_make_copy(struct softgpu_command *command,
                              const struct softgpu_copy_request *r,
                              int *must_wait)
{
    enum softgpu_memory_type dst, src;
    *command = (struct softgpu_command){.kind = SOFTGPU_EMPTY,
                                  .device = softgpu_device()};
    *must_wait = 0;
    if (!r->extent.width || !r->extent.height || !r->extent.depth)
        return (unsigned)r->kind > cudaMemcpyDefault
                   ? cudaErrorInvalidMemcpyDirection
                   : cudaSuccess;
    const cudaError_t error = check_request(r, &dst, &src);
    if (error)
        return error;
    struct softgpu_copy_command *c = &command->copy;
    command->kind = SOFTGPU_COPY;
    *c = (struct softgpu_copy_command){.dst = r->dst, .src = r->src,
                                    .extent = r->extent, .kind = r->kind};
    if (softgpu_remote_site) { /* else the copy is the device process's own */
        c->to_host = softgpu_is_host_side(r->dst.ptr);
        c->from_host = r->src.ptr != softgpu_trusted_source
                       && softgpu_is_host_side(r->src.ptr);
    }
    if (r->kind == cudaMemcpyDefault)
        c->kind = infer_kind(dst, src);
    choose_engine(c, r, dst == SOFTGPU_PAGEABLE || src == SOFTGPU_PAGEABLE);
    *must_wait = dst == SOFTGPU_PAGEABLE;
    return cudaSuccess;
}

static void stage_row(const struct softgpu_copy_command *c, char *to,
                      const char *from)
{
    if (c->from_host)
        softgpu_remote->read(to, from, c->extent.width);
    else
        memcpy(to, from, c->extent.width);
}

/* Copy a pageable source into a staging buffer. */
static cudaError_t stage_source(struct softgpu_copy_command *c)
{
    const size_t row = c->extent.width, rows = c->extent.height;
    size_t bytes;
    if (__builtin_mul_overflow(row, rows, &bytes)
        || __builtin_mul_overflow(bytes, c->extent.depth, &bytes))
        return cudaErrorInvalidValue;
    char *to = malloc(bytes);
    if (!to)
        return cudaErrorMemoryAllocation;
    for (size_t z = 0; z < c->extent.depth; z++)
        for (size_t y = 0; y < rows; y++)
            stage_row(c, to + (z * rows + y) * row,
                      c->src.ptr + z * c->src.slice + y * c->src.pitch);
    c->staged = to;
    c->from_host = 0;
    c->src = (struct softgpu_box){to, row, row * rows};
    return cudaSuccess;
}

/* Must an asynchronous call stage the source? */
static int must_stage(const struct softgpu_command *command,
                      const struct CUstream_st *stream)
{
    return command->kind == SOFTGPU_COPY && !stream->capture
           && softgpu_memory_type(command->copy.src.ptr, 1) == SOFTGPU_PAGEABLE;
}

/* Does a call without Async wait?  Copies within the device do not. */
static int is_synchronous(const struct softgpu_command *command)
{
    return command->kind == SOFTGPU_COPY
           && command->copy.kind != cudaMemcpyDeviceToDevice;
}

static cudaError_t submit_copy(struct CUstream_st *stream,
                               struct softgpu_command *command, int wait)
{
    if (command->kind == SOFTGPU_EMPTY)
        return cudaSuccess;
    if (!wait && must_stage(command, stream)) {
        const cudaError_t error = stage_source(&command->copy);
        if (error)
            return error;
    }
    const cudaError_t error = softgpu_submit(stream, command);
    return error || !wait ? error
                          : softgpu_run_until(softgpu_stream_end(stream));
}

cudaError_t softgpu_copy(const struct softgpu_copy_request *request,
                         cudaStream_t handle, int asynchronous)
{
    struct softgpu_command command;
    int must_wait;
    struct CUstream_st *stream = softgpu_stream(handle);
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    const cudaError_t error = softgpu_make_copy(&command, request, &must_wait);
    if (error)
        return error;
    command.device = stream->device;
    const int wait = asynchronous ? must_wait && !stream->capture
                                  : is_synchronous(&command);
    if (!asynchronous && stream->capture)
        return softgpu_check_wait(stream);
    return submit_copy(stream, &command, wait);
}

/* One side of a box copy.  @param extent  in elements of the array */
static cudaError_t box_of_array(struct softgpu_box *to, cudaArray_t handle,
                                struct cudaPos from, struct cudaExtent extent)
{
    const struct cudaArray *a = softgpu_array(handle);
    if (!a)
        return cudaErrorInvalidResourceHandle;
    return softgpu_array_box(to, a, from, extent) ? cudaErrorInvalidValue
                                                  : cudaSuccess;
}

/* The same for memory.  @param extent  in bytes */
static cudaError_t box_of_memory(struct softgpu_box *to,
                                 const struct cudaPitchedPtr *p,
                                 struct cudaPos from, struct cudaExtent extent)
{
    *to = (struct softgpu_box){p->ptr, p->pitch, p->pitch * p->ysize};
    if (extent.depth > 1 && p->ysize < extent.height)
        return cudaErrorInvalidValue;
    if (p->ptr)
        to->ptr += from.z * to->slice + from.y * p->pitch + from.x;
    return cudaSuccess;
}

/* Bytes of an element, if a side is an array; 1 for memory.
 * @return 0 for a handle of no array, and for different elements */
static size_t element_bytes(const struct cudaMemcpy3DParms *p)
{
    const struct cudaArray *d = softgpu_array(p->dstArray),
                           *s = softgpu_array(p->srcArray);
    if ((p->dstArray && !d) || (p->srcArray && !s)
        || (d && s && d->format.bytes != s->format.bytes))
        return 0;
    return d ? (size_t)d->format.bytes : s ? (size_t)s->format.bytes : 1;
}

cudaError_t softgpu_box_copy(struct softgpu_copy_request *r,
                             const struct cudaMemcpy3DParms *p)
{
    const size_t element = p ? element_bytes(p) : 0;
    if (!element || (p->dstArray && p->dstPtr.ptr)
        || (p->srcArray && p->srcPtr.ptr))
        return cudaErrorInvalidValue;
    struct cudaExtent bytes = p->extent;
    bytes.width *= element;
    *r = (struct softgpu_copy_request){.extent = bytes, .kind = p->kind,
                                       .dst_device = -1, .src_device = -1};
    cudaError_t error =
        p->dstArray ? box_of_array(&r->dst, p->dstArray, p->dstPos, p->extent)
                    : box_of_memory(&r->dst, &p->dstPtr, p->dstPos, bytes);
    if (!error)
        error =
            p->srcArray
                ? box_of_array(&r->src, p->srcArray, p->srcPos, p->extent)
                : box_of_memory(&r->src, &p->srcPtr, p->srcPos, bytes);
    return error;
}

cudaError_t softgpu_make_fill(struct softgpu_command *command,
                              const struct softgpu_fill_command *f)
{
    *command = (struct softgpu_command){.kind = SOFTGPU_EMPTY,
                                  .device = softgpu_device()};
    if (!f->extent.width || !f->extent.height || !f->extent.depth)
        return cudaSuccess;
    if (f->extent.height > 1 && f->dst.pitch < f->extent.width)
        return cudaErrorInvalidPitchValue;
    if (is_array_handle(f->dst.ptr))
        return cudaErrorInvalidValue;
    const enum softgpu_memory_type side =
        softgpu_memory_type(f->dst.ptr, box_bytes(&f->dst, f->extent));
    if (side == SOFTGPU_INVALID_RANGE || side == SOFTGPU_PAGEABLE) {
        SOFTGPU_HOOK(refused, (SOFTGPU_REFUSED_SIZE, f->dst.ptr));
        return cudaErrorInvalidValue;
    }
    command->kind = SOFTGPU_FILL;
    command->fill = *f;
    return cudaSuccess;
}
