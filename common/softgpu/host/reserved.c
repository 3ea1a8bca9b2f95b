/* SPDX-License-Identifier: MIT */
/** @file
 *  The memory of allocation nodes.
 */
#include "reserved.h"

#include <stdlib.h>

#include "memory.h"
#include "work.h"

/** A graph's memory. */
struct softgpu_reserved {
    char *ptr; /**< a reset may have taken the allocation away */
    int holders;
    int live; /**< the program has it */
};

/* Its allocation, or NULL after a reset. */
static struct softgpu_allocation *allocation_of(struct softgpu_reserved *r)
{
    struct softgpu_allocation *a = softgpu_find_allocation(r->ptr);
    return a && a->reserved == r ? a : NULL;
}

static cudaError_t add(struct CUstream_st *stream, struct softgpu_reserved *r,
                       enum softgpu_work_kind kind)
{
    struct softgpu_work work = {.kind = kind, .device = stream->device,
                                .reserved = r};
    r->holders++;
    return softgpu_submit(stream, &work);
}

cudaError_t softgpu_capture_take(struct CUstream_st *stream,
                                 struct softgpu_allocation *allocation)
{
    struct softgpu_reserved *r = calloc(1, sizeof *r);
    if (!r) {
        softgpu_give(allocation);
        return cudaErrorMemoryAllocation;
    }
    r->ptr = allocation->ptr;
    allocation->reserved = r;
    return add(stream, r, SOFTGPU_ALLOCATE);
}

cudaError_t softgpu_capture_give(struct CUstream_st *stream,
                                 struct softgpu_allocation *allocation)
{
    return allocation->reserved
               ? add(stream, allocation->reserved, SOFTGPU_RELEASE)
               : cudaErrorNotSupported;
}

cudaError_t softgpu_reserved_free(struct softgpu_reserved *reserved)
{
    const int live = reserved->live;
    reserved->live = 0;
    return live ? cudaSuccess : cudaErrorInvalidValue;
}

void softgpu_reserved_run(struct softgpu_reserved *reserved, int allocates)
{
    reserved->live = allocates;
}

void softgpu_reserved_hold(struct softgpu_reserved *reserved)
{
    reserved->holders++;
}

void softgpu_reserved_drop(struct softgpu_reserved *reserved)
{
    struct softgpu_allocation *a = allocation_of(reserved);
    if (--reserved->holders)
        return;
    if (a)
        a->reserved = NULL;
    if (a && !reserved->live)
        softgpu_give(a);
    free(reserved);
}
