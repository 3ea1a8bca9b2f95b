/* SPDX-License-Identifier: MIT */
/** @file
 *  Copies: what is allowed, how long it takes, when the call returns.
 */
#include "copy.h"

#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "memory.h"

#define PLAIN_SHARE 0.5 /* of the link: plain memory is staged on its way */
#define HOST_GBS 20.0   /* within the host */

struct softgpu_copy_request softgpu_plain_copy(void *dst, const void *src,
                                               size_t bytes,
                                               enum cudaMemcpyKind kind)
{
    return (struct softgpu_copy_request){
        .dst = {dst, bytes, bytes},
        .src = {(char *)(uintptr_t)src, bytes, bytes},
        .extent = {bytes, 1, 1}, .kind = kind,
        .dst_device = -1, .src_device = -1};
}

/* Bytes from a box's first to behind its last. */
static size_t reach(const struct softgpu_box *b, struct cudaExtent e)
{
    return (e.depth - 1) * b->slice + (e.height - 1) * b->pitch + e.width;
}

static int host_can(enum softgpu_side side)
{
    return side != SOFTGPU_DEVICE_SIDE;
}

static int device_can(enum softgpu_side side)
{
    return side != SOFTGPU_PLAIN;
}

/* Whether the two sides fit the kind. */
static int fits(enum cudaMemcpyKind kind, enum softgpu_side dst,
                enum softgpu_side src)
{
    switch (kind) {
    case cudaMemcpyHostToHost:
        return host_can(dst) && host_can(src);
    case cudaMemcpyHostToDevice:
        return device_can(dst) && host_can(src);
    case cudaMemcpyDeviceToHost:
        return host_can(dst) && device_can(src);
    case cudaMemcpyDeviceToDevice:
        return device_can(dst) && device_can(src);
    default:
        return 1;
    }
}

static enum cudaMemcpyKind infer(enum softgpu_side dst, enum softgpu_side src)
{
    const int to = dst == SOFTGPU_DEVICE_SIDE || dst == SOFTGPU_BOTH_SIDES;
    const int from = src == SOFTGPU_DEVICE_SIDE || src == SOFTGPU_BOTH_SIDES;
    return to ? from ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice
           : from ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
}

/* 1 when the copy crosses from one device to another. */
static int crosses(const struct softgpu_copy_request *r)
{
    const struct softgpu_allocation *to = softgpu_find_allocation(r->dst.ptr);
    const struct softgpu_allocation *from =
        softgpu_find_allocation(r->src.ptr);
    return to && from && to->device != from->device;
}

/* The engine that copies, and how fast it is. */
static void choose_engine(struct softgpu_copy_work *c,
                          const struct softgpu_copy_request *r, int plain)
{
    const struct softgpu_card *card = softgpu_card();
    const double link = card->link_gbs * (plain ? PLAIN_SHARE : 1.0);
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
        c->gbs = crosses(r) ? card->peer_gbs : card->dram_gbs / 2;
        break;
    default:
        c->engine = SOFTGPU_NO_ENGINE;
        c->gbs = HOST_GBS;
    }
}

static cudaError_t check(const struct softgpu_copy_request *r,
                         enum softgpu_side *dst, enum softgpu_side *src)
{
    if ((unsigned)r->kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if ((r->extent.height > 1
         && (r->dst.pitch < r->extent.width || r->src.pitch < r->extent.width)))
        return cudaErrorInvalidPitchValue;
    *dst = softgpu_side(r->dst.ptr, reach(&r->dst, r->extent));
    *src = softgpu_side(r->src.ptr, reach(&r->src, r->extent));
    if (*dst == SOFTGPU_NOWHERE || *src == SOFTGPU_NOWHERE) {
        SOFTGPU_HOOK(refused, (SOFTGPU_REFUSED_SIZE,
                               *dst == SOFTGPU_NOWHERE ? r->dst.ptr
                                                       : r->src.ptr));
        return cudaErrorInvalidValue;
    }
    if (!fits(r->kind, *dst, *src)) {
        SOFTGPU_HOOK(refused, (SOFTGPU_REFUSED_DIRECTION, r->dst.ptr));
        return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

cudaError_t softgpu_make_copy(struct softgpu_work *work,
                              const struct softgpu_copy_request *r,
                              int *at_once)
{
    enum softgpu_side dst, src;
    *work = (struct softgpu_work){.kind = SOFTGPU_EMPTY,
                                  .device = softgpu_device()};
    *at_once = 0;
    if (!r->extent.width || !r->extent.height || !r->extent.depth)
        return (unsigned)r->kind > cudaMemcpyDefault
                   ? cudaErrorInvalidMemcpyDirection
                   : cudaSuccess;
    const cudaError_t error = check(r, &dst, &src);
    if (error)
        return error;
    struct softgpu_copy_work *c = &work->copy;
    work->kind = SOFTGPU_COPY;
    *c = (struct softgpu_copy_work){.dst = r->dst, .src = r->src,
                                    .extent = r->extent, .kind = r->kind};
    if (r->kind == cudaMemcpyDefault)
        c->kind = infer(dst, src);
    choose_engine(c, r, dst == SOFTGPU_PLAIN || src == SOFTGPU_PLAIN);
    *at_once = dst == SOFTGPU_PLAIN;
    return cudaSuccess;
}

/* Copy what lies in plain host memory aside, as it is now. */
static cudaError_t stage(struct softgpu_copy_work *c)
{
    const size_t row = c->extent.width, rows = c->extent.height;
    char *to = malloc(row * rows * c->extent.depth);
    if (!to)
        return cudaErrorMemoryAllocation;
    for (size_t z = 0; z < c->extent.depth; z++)
        for (size_t y = 0; y < rows; y++)
            memcpy(to + (z * rows + y) * row,
                   c->src.ptr + z * c->src.slice + y * c->src.pitch, row);
    c->staged = to;
    c->src = (struct softgpu_box){to, row, row * rows};
    return cudaSuccess;
}

/* Whether a call that does not wait has to copy the source aside. */
static int must_stage(const struct softgpu_work *work,
                      const struct CUstream_st *stream)
{
    return work->kind == SOFTGPU_COPY && !stream->capture
           && softgpu_side(work->copy.src.ptr, 1) == SOFTGPU_PLAIN;
}

/* Calls without Async: fills and copies within the device only queue. */
static int waits(const struct softgpu_work *work)
{
    return work->kind == SOFTGPU_COPY
           && work->copy.kind != cudaMemcpyDeviceToDevice;
}

static cudaError_t submit_copy(struct CUstream_st *stream,
                               struct softgpu_work *work, int wait)
{
    if (work->kind == SOFTGPU_EMPTY)
        return cudaSuccess;
    if (!wait && must_stage(work, stream)) {
        const cudaError_t error = stage(&work->copy);
        if (error)
            return error;
    }
    const cudaError_t error = softgpu_submit(stream, work);
    return error || !wait ? error : softgpu_wait_for(softgpu_point_of(stream));
}

cudaError_t softgpu_copy(const struct softgpu_copy_request *request,
                         cudaStream_t handle, int asynchronous)
{
    struct softgpu_work work;
    int at_once;
    struct CUstream_st *stream = softgpu_stream(handle);
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    const cudaError_t error = softgpu_make_copy(&work, request, &at_once);
    if (error)
        return error;
    work.device = stream->device;
    const int wait = asynchronous ? at_once && !stream->capture
                                  : waits(&work);
    if (!asynchronous && stream->capture)
        return softgpu_may_wait(stream);
    return submit_copy(stream, &work, wait);
}

cudaError_t softgpu_box_copy(struct softgpu_copy_request *r,
                             const struct cudaMemcpy3DParms *p)
{
    if (!p || p->srcArray || p->dstArray)
        return cudaErrorInvalidValue;
    const struct cudaPitchedPtr *d = &p->dstPtr, *s = &p->srcPtr;
    *r = (struct softgpu_copy_request){
        .dst = {(char *)d->ptr, d->pitch, d->pitch * d->ysize},
        .src = {(char *)s->ptr, s->pitch, s->pitch * s->ysize},
        .extent = p->extent, .kind = p->kind,
        .dst_device = -1, .src_device = -1};
    if (p->extent.depth > 1
        && (d->ysize < p->extent.height || s->ysize < p->extent.height))
        return cudaErrorInvalidValue;
    if (d->ptr)
        r->dst.ptr += p->dstPos.z * r->dst.slice + p->dstPos.y * d->pitch
                      + p->dstPos.x;
    if (s->ptr)
        r->src.ptr += p->srcPos.z * r->src.slice + p->srcPos.y * s->pitch
                      + p->srcPos.x;
    return cudaSuccess;
}

cudaError_t softgpu_make_fill(struct softgpu_work *work,
                              const struct softgpu_fill_work *f)
{
    *work = (struct softgpu_work){.kind = SOFTGPU_EMPTY,
                                  .device = softgpu_device()};
    if (!f->extent.width || !f->extent.height || !f->extent.depth)
        return cudaSuccess;
    if (f->extent.height > 1 && f->dst.pitch < f->extent.width)
        return cudaErrorInvalidPitchValue;
    const enum softgpu_side side =
        softgpu_side(f->dst.ptr, reach(&f->dst, f->extent));
    if (side == SOFTGPU_NOWHERE || side == SOFTGPU_PLAIN) {
        SOFTGPU_HOOK(refused, (SOFTGPU_REFUSED_SIZE, f->dst.ptr));
        return cudaErrorInvalidValue;
    }
    work->kind = SOFTGPU_FILL;
    work->fill = *f;
    return cudaSuccess;
}
