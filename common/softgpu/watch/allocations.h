/* SPDX-License-Identifier: MIT */
/** @file
 *  The allocations of the program as the checker tracks them: alive and
 *  freed, with the calls that allocated and freed them.
 */
#ifndef SOFTGPU_WATCH_ALLOCATIONS_H
#define SOFTGPU_WATCH_ALLOCATIONS_H

#include "watch.h"

/** Add an allocation, with uninitialized shadow memory.
 *  @param site  return address of the allocating call */
void allocation_add(const struct softgpu_allocation *a, uintptr_t site);
/** Mark an allocation as freed and drop its shadow memory.
 *  @param site  return address of the freeing call */
void allocation_mark_freed(const struct softgpu_allocation *a, uintptr_t site);
/** The program tried to free p after a kernel's error: it is no leak. */
void allocation_note_refused_free(const void *p);
/** Add memory from a kernel's malloc or new (interceptors.c). */
void allocation_add_heap(void *p, size_t bytes, uintptr_t site);
/** Mark it as freed, if it is that.  @return whether it is */
bool allocation_free_heap(void *p, uintptr_t site);

/** The shadow memory of bytes that are no allocation.
 *  @return like an allocation, but in no list; without cells if too large */
struct allocation *allocation_make_shadow(uintptr_t base, uintptr_t end);

/** Find the allocation that holds an address.
 *  @param freed_too  1: a freed one, when no live one holds it
 *  @return NULL when there is none */
struct allocation *allocation_find(uintptr_t address, int freed_too);
/** The same for a live one, at the access of an instruction: each OS thread
 *  keeps the result by pc, for instructions mostly access one array. */
struct allocation *allocation_find_at(uintptr_t address, uintptr_t pc);
/** The live allocation nearest to an address that is in none, at most 1 MB
 *  away: the one that a pointer ran out of.
 *  @return NULL when there is none */
struct allocation *allocation_nearest(uintptr_t address);
/** The live allocation that starts next above an address, at most 1 MB away.
 *  @return NULL when there is none */
struct allocation *allocation_above(uintptr_t address);
/** Call a function for each live allocation. */
void allocation_each_live(void (*visit)(const struct allocation *));

/** Is the address in a device's memory, allocated or not? */
int is_device_address(uintptr_t address);

enum { RECENT_BITS = 7 };
/** Results of allocation_find_at(), by a hash of pc. */
extern SOFTGPU_TLS struct allocation *recent_allocations[1 << RECENT_BITS];

/** The entry of an instruction. */
static inline struct allocation **recent_allocation(uintptr_t pc)
{
    return &recent_allocations[(uint32_t)pc * 0x9e3779b1u
                               >> (32 - RECENT_BITS)];
}

/** The entry of an instruction, when it is alive and holds the address. */
static inline struct allocation *allocation_recent(uintptr_t address,
                                                   uintptr_t pc)
{
    struct allocation *a = *recent_allocation(pc);

    return a && address - a->base < a->end - a->base && !a->freed_at ? a
                                                                     : NULL;
}

#endif
