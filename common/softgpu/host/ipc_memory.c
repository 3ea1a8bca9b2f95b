/* SPDX-License-Identifier: MIT */
/** @file
 *  cudaIpc...MemHandle(): device memory of other processes.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call.h"
#include "host_access.h"
#include "ipc.h"
#include "memory.h"
#include "stream.h"

_Static_assert(sizeof(struct softgpu_ipc_handle) <= CUDA_IPC_HANDLE_SIZE,
               "a handle has more bytes than CUDA's");

/* An unused entry of this process's table. */
static struct softgpu_ipc_memory *new_entry(struct softgpu_ipc_table *table)
{
    for (size_t i = 0; table && i < SOFTGPU_IPC_MEMORY; i++)
        if (table->memory[i].life % 2 == 0)
            return &table->memory[i];
    return NULL;
}

/* The other process may write it at any time: the checks take it as written. */
static void mark_written(const struct softgpu_allocation *a)
{
    SOFTGPU_HOOK(copied, (a->ptr, NULL, a->bytes));
}

/* Give an allocation an entry, and its chunks to the arena's file. */
static cudaError_t export_allocation(struct softgpu_allocation *a)
{
    struct softgpu_arena *arena = &softgpu_device_at(a->device)->arena;
    struct softgpu_ipc_memory *entry = new_entry(softgpu_ipc_own_table());
    if (!entry)
        return cudaErrorMemoryAllocation;
    softgpu_hold_commands();
    const int failed = softgpu_arena_share(arena, a);
    softgpu_continue_commands();
    if (failed)
        return cudaErrorMemoryAllocation;
    entry->device = a->device;
    entry->file = arena->file;
    entry->inode = softgpu_ipc_inode(arena->file);
    entry->offset = (uint64_t)(a->ptr - arena->base);
    entry->bytes = a->bytes;
    entry->life++;
    a->exported = entry;
    mark_written(a);
    return cudaSuccess;
}

static cudaError_t get_handle(cudaIpcMemHandle_t *to, void *p)
{
    struct softgpu_allocation *a = softgpu_find_freeable(
        p, SOFTGPU_DEVICE_MEMORY, SOFTGPU_DEVICE_MEMORY);
    if (!to || !a || a->pool || a->graph_memory)
        return cudaErrorInvalidValue;
    if (softgpu_remote || softgpu_is_sparse())
        return cudaErrorNotSupported;
    const cudaError_t error = a->exported ? cudaSuccess : export_allocation(a);
    if (error)
        return error;
    const struct softgpu_ipc_handle handle = softgpu_ipc_handle(
        SOFTGPU_IPC_OF_MEMORY,
        (size_t)(a->exported - softgpu_ipc_own_table()->memory),
        a->exported->life);
    memset(to, 0, sizeof *to);
    memcpy(to, &handle, sizeof handle);
    return cudaSuccess;
}

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *ptr)
{
    SOFTGPU_CALL(get_handle(handle, ptr));
}

void softgpu_ipc_on_free(struct softgpu_allocation *allocation)
{
    if (allocation->exported)
        allocation->exported->life++;
    allocation->exported = NULL;
}

/* What this process has opened by the same handle. */
static struct softgpu_allocation *
find_import(const struct softgpu_table *t, const struct softgpu_ipc_handle *h)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->all[i]->imported
            && !memcmp(&t->all[i]->imported->handle, h, sizeof *h))
            return t->all[i];
    return NULL;
}

/* Map the memory of an entry. */
static cudaError_t import(struct softgpu_device *device,
                          const struct softgpu_ipc_memory *entry,
                          const struct softgpu_ipc_handle *h, void **to)
{
    struct softgpu_ipc_import *import = malloc(sizeof *import);
    const int file = softgpu_ipc_open(h->process, entry->file, entry->inode);
    if (!import || file < 0) {
        free(import);
        return import ? cudaErrorMapBufferObjectFailed
                      : cudaErrorMemoryAllocation;
    }
    softgpu_memory_unprotect();
    struct softgpu_allocation *a =
        softgpu_arena_map(&device->arena, file, entry->offset, entry->bytes,
                          softgpu_device_limit());
    close(file);
    if (!a) {
        free(import);
        return cudaErrorMapBufferObjectFailed;
    }
    *import = (struct softgpu_ipc_import){*h, 1};
    a->kind = SOFTGPU_DEVICE_MEMORY;
    a->device = device->index;
    a->imported = import;
    SOFTGPU_HOOK(memory, (a, 1));
    mark_written(a);
    *to = a->ptr;
    return cudaSuccess;
}

static cudaError_t open_handle(void **to, const cudaIpcMemHandle_t *from,
                               unsigned flags)
{
    struct softgpu_ipc_handle h;
    memcpy(&h, from, sizeof h);
    if (!to || flags != cudaIpcMemLazyEnablePeerAccess)
        return cudaErrorInvalidValue;
    if (softgpu_remote || softgpu_is_sparse())
        return cudaErrorNotSupported;
    if (!softgpu_ipc_is_handle(&h, SOFTGPU_IPC_OF_MEMORY))
        return cudaErrorInvalidResourceHandle;
    if (h.process == getpid())
        return cudaErrorDeviceUninitialized;
    const struct softgpu_ipc_table *table = softgpu_ipc_table_of(&h);
    if (!table)
        return cudaErrorMapBufferObjectFailed;
    const struct softgpu_ipc_memory *entry = &table->memory[h.entry];
    struct softgpu_device *device = softgpu_device_at(entry->device);
    if (entry->life != h.life)
        return cudaErrorInvalidResourceHandle;
    if (!device)
        return cudaErrorMapBufferObjectFailed;
    struct softgpu_allocation *old = find_import(&device->arena.table, &h);
    if (!old)
        return import(device, entry, &h, to);
    old->imported->references++;
    *to = old->ptr;
    return cudaSuccess;
}

cudaError_t cudaIpcOpenMemHandle(void **ptr, cudaIpcMemHandle_t handle,
                                 unsigned int flags)
{
    SOFTGPU_CALL(open_handle(ptr, &handle, flags));
}

static struct softgpu_allocation *import_at(const void *p)
{
    struct softgpu_allocation *a = softgpu_find_allocation(p);
    return a && a->ptr == p && a->imported ? a : NULL;
}

static cudaError_t close_handle(void *p)
{
    struct softgpu_allocation *a = import_at(p);
    if (!a)
        return cudaErrorInvalidValue;
    if (a->imported->references > 1) {
        a->imported->references--;
        return cudaSuccess;
    }
    const cudaError_t error = softgpu_wait_device(NULL);
    a = import_at(p); /* another thread may have closed it */
    if (a)
        softgpu_free_allocation(a);
    return error;
}

cudaError_t cudaIpcCloseMemHandle(void *ptr)
{
    SOFTGPU_CALL(close_handle(ptr));
}
