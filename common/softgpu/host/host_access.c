/* SPDX-License-Identifier: MIT */
/** @file
 *  Access of host code to device memory.
 */
#include "host_access.h"

#include <pthread.h>

#include "common/softgpu/core/hooks.h"
#include "arena.h"
#include "call.h"
#include "device.h"
#include "remote.h"
#include "stream.h"

#define PROTECT_MAX ((size_t)64 << 20) /* mprotect() takes up to 25 ns a page */

static int host_has_access; /* to device memory, for good */

void softgpu_memory_unprotect(void)
{
    for (int i = 0; i < softgpu_device_count(); i++)
        softgpu_arena_unprotect(&softgpu_device_at(i)->arena);
}

void softgpu_memory_protect_if_idle(void)
{
    if (!softgpu_is_running())
        softgpu_memory_protect();
}

void softgpu_memory_protect(void)
{
    if (softgpu_remote || host_has_access)
        return; /* host code runs in another process, or in kernels' place */
    for (int i = 0; i < softgpu_device_count(); i++)
        if (softgpu_device_at(i)->arena.used <= PROTECT_MAX)
            softgpu_arena_protect(&softgpu_device_at(i)->arena);
}

int softgpu_host_has_access(void)
{
    return __atomic_load_n(&host_has_access, __ATOMIC_RELAXED);
}

/* For the checks the host has written a device's memory. */
static void mark_host_writable(const struct softgpu_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        struct softgpu_allocation *a = table->all[i];
        if (!a->host_may_write)
            SOFTGPU_HOOK(copied, (a->ptr, NULL, a->bytes));
        a->host_may_write = 1;
    }
}

/* Thrust begins an algorithm for each element that it reads by a reference, so
 * this returns at once if no command has been queued since this thread waited.
 * The checks mark what has been allocated since, and a device process exchanges
 * its memory. */
void softgpu_begin_host_algorithm(void)
{
    static SOFTGPU_TLS const struct softgpu_device *waited_for;
    static SOFTGPU_TLS uint64_t waited_at;
    const uint64_t last = softgpu_last_command();

    if (softgpu_host_has_access() && waited_for == softgpu_device()
        && waited_at == last && !softgpu_hooks && !softgpu_remote)
        return;
    (void)cudaDeviceSynchronize(); /* and initialize */
    waited_for = softgpu_device();
    waited_at = last;
    pthread_mutex_lock(&softgpu_lock);
    /* for good: temporary memory that an algorithm allocates must not end it */
    __atomic_store_n(&host_has_access, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < softgpu_device_count(); i++)
        mark_host_writable(&softgpu_device_at(i)->arena.table);
    softgpu_memory_unprotect();
    pthread_mutex_unlock(&softgpu_lock);
}
