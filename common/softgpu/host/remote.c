/* SPDX-License-Identifier: MIT */
/** @file
 *  State of a process that is one of two: remote.h.
 */
#include "remote.h"

#include <sys/mman.h>

#include "memory.h"

/* Bytes of device memory, and of pinned and of managed memory, for which
 * addresses are reserved; twice as many are, because of fragmentation. */
#define DEVICE_MAX ((size_t)12 << 30)
#define SHARED_MAX ((size_t)2 << 30)
/* Of a device with sparse memory, and of pinned memory beside it: twice as much
 * fits into the address space that a grade allows. */
#define SPARSE_MAX ((size_t)64 << 30)
#define SPARSE_PINNED_MAX ((size_t)24 << 30)

const struct softgpu_remote *softgpu_remote;
_Thread_local int softgpu_has_no_device;
_Thread_local uint64_t softgpu_remote_ns;
_Thread_local const void *softgpu_trusted_source;

void softgpu_memory_reserve(void)
{
    const size_t usable = softgpu_device_limit();
    const size_t most = softgpu_is_sparse() ? SPARSE_MAX : DEVICE_MAX;
    const size_t device = usable < most ? usable : most;
    const size_t shared = usable < SHARED_MAX ? usable : SHARED_MAX;
    for (int i = 0; i < softgpu_device_count(); i++)
        softgpu_arena_reserve(&softgpu_device_at(i)->arena, device);
    softgpu_arena_reserve(softgpu_pinned_arena(),
                          softgpu_is_sparse() ? SPARSE_PINNED_MAX : shared);
    softgpu_arena_reserve(softgpu_managed_arena(), shared);
}

void softgpu_memory_open_shared(void)
{
    const struct softgpu_arena *pinned = softgpu_pinned_arena();
    const struct softgpu_arena *managed = softgpu_managed_arena();
    mprotect(pinned->base, pinned->reserved, PROT_READ | PROT_WRITE);
    mprotect(managed->base, managed->reserved, PROT_READ | PROT_WRITE);
}

/* Do both processes have a copy?  Of pinned memory where the program asked for
 * its address on the device. */
static int has_two_copies(const struct softgpu_allocation *a)
{
    return a->kind == SOFTGPU_MANAGED
           || (a->kind == SOFTGPU_PINNED && a->flags & cudaHostAllocMapped);
}

static void exchange(const struct softgpu_table *table, int to_device)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct softgpu_allocation *a = table->all[i];
        if (has_two_copies(a) && to_device)
            softgpu_remote->fetch(a->ptr, a->bytes);
        else if (has_two_copies(a))
            softgpu_remote->send(a->ptr, a->bytes);
    }
}

void softgpu_memory_exchange(int to_device)
{
    if (!softgpu_remote)
        return;
    exchange(&softgpu_managed_arena()->table, to_device);
    exchange(&softgpu_pinned_arena()->table, to_device);
    exchange(softgpu_registered_ranges(), to_device);
}

void softgpu_remote_new(const struct softgpu_allocation *a)
{
    if (softgpu_remote && has_two_copies(a))
        softgpu_remote->send(a->ptr, a->bytes);
}

int softgpu_is_host_side(const void *p)
{
    const struct softgpu_allocation *a = softgpu_find_allocation(p);
    if (!softgpu_remote)
        return 0;
    return !a || a->kind == SOFTGPU_REGISTERED
           || (a->kind == SOFTGPU_PINNED && !has_two_copies(a));
}
