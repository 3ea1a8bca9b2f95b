/* SPDX-License-Identifier: MIT */
/** @file
 *  Runtime calls that kernels make, beside launches and waits: copies and fills
 *  are stored as launches are.  They are library calls, so that a bad pointer
 *  fails as in a kernel, at the program's line.
 */
#include "device_runtime.h"

#include <string.h>

#include "call.h"
#include "device_launch.h"
#include "library.h"
#include "memory.h"

/* A copy, or without src.ptr a fill, of a region. */
struct transfer {
    struct softgpu_library_call call; /* first */
    struct softgpu_box dst, src;
    struct cudaExtent extent;
    int value;
};

/* A row of a region.  @return NULL without the region */
static char *row_of(const struct softgpu_box *box, size_t y, size_t z)
{
    return box->ptr ? box->ptr + z * box->slice + y * box->pitch : NULL;
}

static void transfer_row(const struct transfer *t, size_t y, size_t z)
{
    char *dst = row_of(&t->dst, y, z), *src = row_of(&t->src, y, z);
    if (src)
        memmove(dst, src, t->extent.width);
    else
        memset(dst, t->value, t->extent.width);
    SOFTGPU_HOOK(copied, (dst, src, t->extent.width));
}

static void transfer(const void *self, unsigned part)
{
    const struct transfer *t = self;
    (void)part;
    for (size_t z = 0; z < t->extent.depth; z++)
        for (size_t y = 0; y < t->extent.height; y++)
            transfer_row(t, y, z);
}

/* Memory that a kernel allocated by malloc() is the host's, too: what cannot be
 * accessed at all fails in transfer(). */
static void report_region(const struct softgpu_box *box,
                          struct cudaExtent extent, enum softgpu_use use)
{
    struct softgpu_array array = {.name = use == SOFTGPU_READS ? "src" : "dst",
                                  .row = extent.width, .rows = extent.height,
                                  .pitch = box->pitch, .use = use};
    for (size_t z = 0; z < extent.depth; z++) {
        array.ptr = row_of(box, 0, z);
        if (array.ptr && softgpu_memory_type(array.ptr, 1) != SOFTGPU_PAGEABLE)
            softgpu_library_array(&array);
    }
}

static void report_arrays(const void *self)
{
    const struct transfer *t = self;
    report_region(&t->src, t->extent, SOFTGPU_READS);
    report_region(&t->dst, t->extent, SOFTGPU_WRITES);
}

static int is_too_narrow(const struct softgpu_box *box,
                         struct cudaExtent extent)
{
    return box->ptr && extent.height > 1 && box->pitch < extent.width;
}

static cudaError_t store(struct transfer *t, cudaStream_t stream)
{
    struct softgpu_command command;
    const size_t bytes = t->extent.width * t->extent.height * t->extent.depth;
    if (!bytes)
        return cudaSuccess;
    if (!t->dst.ptr)
        return softgpu_record_error(cudaErrorInvalidValue);
    if (is_too_narrow(&t->dst, t->extent) || is_too_narrow(&t->src, t->extent))
        return softgpu_record_error(cudaErrorInvalidPitchValue);
    t->call.run = transfer;
    t->call.arrays = report_arrays;
    t->call.parts = 1;
    t->call.bytes = (t->src.ptr ? 2.0 : 1.0) * (double)bytes;
    pthread_mutex_lock(&softgpu_lock);
    cudaError_t error = softgpu_library_command(&command, t, sizeof *t);
    pthread_mutex_unlock(&softgpu_lock);
    if (error)
        return softgpu_record_error(error);
    command.kernel.depth = softgpu_current_grid()->depth + 1;
    error = softgpu_store_child(&command, stream == cudaStreamTailLaunch);
    if (error)
        softgpu_command_destroy(&command);
    return error;
}

cudaError_t softgpu_store_copy(const char *name,
                               const struct softgpu_copy_request *r,
                               cudaStream_t stream, const void *site)
{
    struct transfer t = {.call = {.name = name, .site = site},
                         .dst = r->dst, .src = r->src, .extent = r->extent};
    if (!r->src.ptr && r->extent.width && r->extent.height && r->extent.depth)
        return softgpu_record_error(cudaErrorInvalidValue);
    return store(&t, stream);
}

cudaError_t softgpu_store_fill(const char *name,
                               const struct softgpu_fill_command *f,
                               cudaStream_t stream, const void *site)
{
    struct transfer t = {.call = {.name = name, .site = site},
                         .dst = f->dst, .extent = f->extent,
                         .value = (int)f->value};
    return store(&t, stream);
}
