/* SPDX-License-Identifier: MIT */
/** @file
 *  Calls of a library, made kernels.
 */
#include "library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/block.h"
#include "call.h"
#include "launch.h"
#include "memory.h"
#include "stream.h"

static struct softgpu_kernel *kernels; /* one for each name; never freed */

/** The call whose turn it is; one at a time. */
static struct {
    const struct softgpu_library_call *call;
    char unfit[256]; /* why it cannot run, or "" */
} now;

/* A thread of such a kernel; there is one a block. */
static void run_part(const void *closure)
{
    const struct softgpu_library_call *call = closure;
    softgpu_tls.thread->site = call->site; /* for who asks where we are */
    if (now.unfit[0])
        softgpu_fail(SOFTGPU_ILLEGAL_ADDRESS, "%s", now.unfit);
    call->run(call, blockIdx.x);
}

/* The kernel of this name, made if it is new; NULL without memory. */
static struct softgpu_kernel *kernel_of(const struct softgpu_library_call *call)
{
    struct softgpu_kernel *k = kernels;
    while (k && strcmp(k->name, call->name))
        k = k->next;
    if (k || !(k = calloc(1, sizeof *k)))
        return k;
    *k = (struct softgpu_kernel){
        .name = call->name, .file = "library", .one = run_part,
        .stub = call->site, /* an address in the program */
        .flags = SOFTGPU_MAY_BLOCK | SOFTGPU_LIBRARY, .max_dynamic = -1,
        .carveout = -1, .next = kernels};
    return kernels = k;
}

static cudaError_t submit(cudaStream_t handle, const void *self, size_t bytes)
{
    const struct softgpu_library_call *call = self;
    struct CUstream_st *s = softgpu_stream(handle);
    if (!s || s->device != softgpu_device())
        return cudaErrorInvalidResourceHandle;
    struct softgpu_work work = {
        .kind = SOFTGPU_KERNEL, .device = s->device,
        .kernel = {.kernel = kernel_of(call), .bytes = bytes,
                   .align = sizeof(void *), .grid = {call->parts, 1, 1},
                   .block = {1, 1, 1}}};
    work.kernel.closure = softgpu_clone_closure(self, bytes, sizeof(void *));
    if (work.kernel.kernel && work.kernel.closure)
        return softgpu_submit(s, &work);
    softgpu_work_drop(&work);
    return cudaErrorMemoryAllocation;
}

cudaError_t softgpu_library_submit(cudaStream_t stream, const void *self,
                                   size_t bytes)
{
    const cudaError_t error = softgpu_enter();
    return softgpu_leave(error ? error : submit(stream, self, bytes));
}

void softgpu_library_array(const struct softgpu_array *array)
{
    if (!array->rows || !array->row)
        return;
    SOFTGPU_HOOK(library_array, (now.call, array));
    if (array->ptr && !now.unfit[0]
        && softgpu_side(array->ptr, 1) == SOFTGPU_PLAIN)
        snprintf(now.unfit, sizeof now.unfit,
                 "%s is memory of the host, which the device does not reach "
                 "(copy it to memory from cudaMalloc first)", array->name);
}

void softgpu_library_look(const struct softgpu_library_call *call)
{
    now.call = call;
    now.unfit[0] = '\0';
    call->arrays(call);
}
