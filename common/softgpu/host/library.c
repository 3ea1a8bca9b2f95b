/* SPDX-License-Identifier: MIT */
/** @file
 *  Library calls as kernels.
 */
#include "library.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/softgpu/core/block.h"
#include "call.h"
#include "command.h"
#include "launch.h"
#include "memory.h"
#include "remote.h"
#include "stream.h"

static struct softgpu_kernel *kernels; /* one per name; never freed */

/** The call that runs next; one at a time. */
static struct {
    const struct softgpu_library_call *call;
    char unfit[256]; /* cause of its failure, or "" */
} now;

/* The single thread of a block of such a kernel. */
static void run_part(const void *closure)
{
    const struct softgpu_library_call *call = closure;
    softgpu_tls.thread->site = call->site; /* for fault reports */
    if (now.unfit[0])
        softgpu_fail(SOFTGPU_ILLEGAL_ADDRESS, "%s", now.unfit);
    call->run(call, blockIdx.x);
}

/* Find or make the kernel of this name; NULL without memory. */
static struct softgpu_kernel *kernel_of(const struct softgpu_library_call *call)
{
    struct softgpu_kernel *k = kernels;
    while (k && strcmp(k->name, call->name))
        k = k->next;
    if (k || !(k = calloc(1, sizeof *k)))
        return k;
    *k = (struct softgpu_kernel){
        .name = call->name, .file = "library", .run_thread = run_part,
        .stub = call->site, /* an address in the program */
        .flags = SOFTGPU_MAY_BLOCK | SOFTGPU_LIBRARY, .max_dynamic = -1,
        .carveout = -1, .next = kernels};
    return kernels = k;
}

cudaError_t softgpu_library_command(struct softgpu_command *command,
                                    const void *self, size_t bytes)
{
    const struct softgpu_library_call *call = self;
    *command = (struct softgpu_command){
        .kind = SOFTGPU_KERNEL, .device = softgpu_device(),
        .kernel = {.kernel = kernel_of(call), .bytes = bytes,
                   .align = sizeof(void *), .grid = {call->parts, 1, 1},
                   .block = {1, 1, 1}}};
    command->kernel.closure =
        softgpu_clone_closure(self, bytes, sizeof(void *));
    if (command->kernel.kernel && command->kernel.closure)
        return cudaSuccess;
    softgpu_command_destroy(command);
    return cudaErrorMemoryAllocation;
}

static cudaError_t submit_call(cudaStream_t handle, const void *self,
                               size_t bytes)
{
    struct CUstream_st *s = softgpu_stream(handle);
    struct softgpu_command command;
    if (!s || s->device != softgpu_device())
        return cudaErrorInvalidResourceHandle;
    const cudaError_t error = softgpu_library_command(&command, self, bytes);
    return error ? error : softgpu_submit(s, &command);
}

cudaError_t softgpu_library_submit(cudaStream_t stream, const void *self,
                                   size_t bytes)
{
    const cudaError_t error = softgpu_call_begin();
    return softgpu_call_end(error ? error : submit_call(stream, self, bytes));
}

/* Does the array of a remote caller end in memory that is none of the device's?
 * A stride could reach anything in this process. */
static bool leaves_device(const struct softgpu_array *array)
{
    const char *first = array->ptr;
    size_t bytes;

    if (!softgpu_remote)
        return false;
    if (__builtin_mul_overflow(array->rows - 1, array->pitch, &bytes)
        || __builtin_add_overflow(bytes, array->row - 1, &bytes)
        || (uintptr_t)first + bytes < (uintptr_t)first)
        return true;
    return !softgpu_in_arena(first + bytes)
           && !softgpu_find_allocation(first + bytes);
}

void softgpu_library_array(const struct softgpu_array *array)
{
    if (!array->rows || !array->row)
        return;
    SOFTGPU_HOOK(library_array, (now.call, array));
    if (array->ptr && !now.unfit[0]
        && (softgpu_memory_type(array->ptr, 1) == SOFTGPU_PAGEABLE
            || softgpu_is_host_side(array->ptr)))
        snprintf(now.unfit, sizeof now.unfit,
                 "%s is host memory, which the device cannot access "
                 "(copy it to memory from cudaMalloc first)", array->name);
    else if (array->ptr && !now.unfit[0] && leaves_device(array))
        snprintf(now.unfit, sizeof now.unfit,
                 "%s ends outside of the device's memory", array->name);
}

void softgpu_library_report_arrays(const struct softgpu_library_call *call)
{
    now.call = call;
    now.unfit[0] = '\0';
    call->arrays(call);
}

/* Mappings of virtual memory may follow each other without a gap. */
static size_t room_at(const char *p)
{
    const struct softgpu_allocation *a = softgpu_find_allocation(p);
    size_t room = 0;

    if (!a || a->kind == SOFTGPU_REGISTERED || a->kind == SOFTGPU_PINNED)
        return SIZE_MAX;
    for (; a; a = softgpu_find_allocation(p + room))
        room = (size_t)(a->ptr + a->bytes - p);
    return room;
}

size_t softgpu_library_room(const void *p)
{
    size_t room;

    pthread_mutex_lock(&softgpu_lock);
    room = room_at(p);
    pthread_mutex_unlock(&softgpu_lock);
    return room;
}
