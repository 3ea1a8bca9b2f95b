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

/* A copy, or without src a fill, of bytes. */
struct transfer {
    struct softgpu_library_call call; /* first */
    void *dst;
    const void *src;
    size_t bytes;
    int value;
};

static void transfer(const void *self, unsigned part)
{
    const struct transfer *t = self;
    (void)part;
    if (t->src)
        memmove(t->dst, t->src, t->bytes);
    else
        memset(t->dst, t->value, t->bytes);
    SOFTGPU_HOOK(copied, (t->dst, t->src, t->bytes));
}

/* Memory that a kernel allocated by malloc() is the host's, too: what cannot be
 * accessed at all fails in transfer(). */
static void report_array(const void *p, size_t bytes, enum softgpu_use use)
{
    const struct softgpu_array array = {.name = use == SOFTGPU_READS ? "src"
                                                                     : "dst",
                                        .ptr = p, .row = bytes, .rows = 1,
                                        .pitch = bytes, .use = use};
    if (p && softgpu_memory_type(p, 1) != SOFTGPU_PAGEABLE)
        softgpu_library_array(&array);
}

static void report_arrays(const void *self)
{
    const struct transfer *t = self;
    report_array(t->src, t->bytes, SOFTGPU_READS);
    report_array(t->dst, t->bytes, SOFTGPU_WRITES);
}

static cudaError_t store(struct transfer *t, cudaStream_t stream)
{
    struct softgpu_command command;
    if (!t->bytes)
        return cudaSuccess;
    t->call.run = transfer;
    t->call.arrays = report_arrays;
    t->call.parts = 1;
    t->call.bytes = (t->src ? 2.0 : 1.0) * (double)t->bytes;
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

cudaError_t softgpu_store_copy(void *dst, const void *src, size_t bytes,
                               cudaStream_t stream, const void *site)
{
    struct transfer t = {.call = {.name = "cudaMemcpyAsync", .site = site},
                         .dst = dst, .src = src, .bytes = bytes};
    if (bytes && (!dst || !src))
        return softgpu_record_error(cudaErrorInvalidValue);
    return store(&t, stream);
}

cudaError_t softgpu_store_fill(void *dst, int value, size_t bytes,
                               cudaStream_t stream, const void *site)
{
    struct transfer t = {.call = {.name = "cudaMemsetAsync", .site = site},
                         .dst = dst, .bytes = bytes, .value = value};
    if (bytes && !dst)
        return softgpu_record_error(cudaErrorInvalidValue);
    return store(&t, stream);
}
