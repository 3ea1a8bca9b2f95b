/* SPDX-License-Identifier: MIT */
/** @file
 *  Words for an address that a kernel may not access.
 *
 *  The address of a fault is a number.  Where it lies tells the cause: a few
 *  bytes before an array (an index below 0), past its end, in memory that was
 *  freed too early, or at an offset from NULL.
 */
#include "illegal_address.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include "call.h"
#include "memory.h"

enum { KEPT = 16, NEAR_NULL = 1 << 16 };

/* Bytes from an allocation within which an index may have left it. */
static const size_t neighborhood = (size_t)1 << 24;

/* The last allocations that were freed, oldest first; `freed` in all. */
static struct {
    uintptr_t begin, end;
} last_freed[KEPT];
static size_t freed;

void softgpu_note_freed(const struct softgpu_allocation *allocation)
{
    const uintptr_t begin = (uintptr_t)allocation->ptr;
    last_freed[freed % KEPT].begin = begin;
    last_freed[freed++ % KEPT].end = begin + allocation->bytes;
}

/* Has a part of this memory been allocated again? */
static int is_in_use(const struct softgpu_table *table, uintptr_t begin,
                     uintptr_t end)
{
    for (size_t i = 0; i < table->count; i++) {
        const uintptr_t other = (uintptr_t)table->all[i]->ptr;
        if (other < end && begin < other + table->all[i]->bytes)
            return 1;
    }
    return 0;
}

/* The address lies in memory that was freed, and not allocated again. */
static int is_freed(const struct softgpu_table *table, uintptr_t address,
                    char *text, size_t bytes)
{
    for (size_t back = 1; back <= KEPT && back <= freed; back++) {
        const uintptr_t begin = last_freed[(freed - back) % KEPT].begin;
        const uintptr_t end = last_freed[(freed - back) % KEPT].end;
        if (address < begin || address >= end
            || is_in_use(table, begin, end))
            continue;
        snprintf(text, bytes, "in memory of %zu bytes that was freed before",
                 (size_t)(end - begin));
        return 1;
    }
    return 0;
}

/* Bytes between an allocation and an address outside of it. */
static size_t distance(const struct softgpu_allocation *a, uintptr_t address)
{
    const uintptr_t begin = (uintptr_t)a->ptr;
    return address < begin ? begin - address : address - begin - a->bytes;
}

/* The nearest allocation, unless none is near. */
static void describe_neighbor(const struct softgpu_table *table,
                              uintptr_t address, char *text, size_t bytes)
{
    const struct softgpu_allocation *nearest = NULL;

    for (size_t i = 0; i < table->count; i++)
        if (distance(table->all[i], address)
            < (nearest ? distance(nearest, address) : neighborhood))
            nearest = table->all[i];
    if (nearest)
        snprintf(text, bytes, "%zu bytes %s an allocation of %zu bytes",
                 distance(nearest, address),
                 address < (uintptr_t)nearest->ptr ? "before the start of"
                                                   : "past the end of",
                 nearest->bytes);
}

static void describe(const void *p, char *text, size_t bytes)
{
    const uintptr_t address = (uintptr_t)p;

    if (address < NEAR_NULL) {
        snprintf(text, bytes, "at or near a NULL pointer");
        return;
    }
    if (pthread_mutex_trylock(&softgpu_lock)) /* another thread may allocate */
        return;
    const struct softgpu_table *table = &softgpu_device()->arena.table;
    if (!is_freed(table, address, text, bytes))
        describe_neighbor(table, address, text, bytes);
    pthread_mutex_unlock(&softgpu_lock);
}

__attribute__((constructor)) static void register_description(void)
{
    softgpu_describe_address = describe;
}
