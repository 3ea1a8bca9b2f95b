/* SPDX-License-Identifier: MIT */
/** @file
 *  A range of addresses that memory is handed out from, and the table of what
 *  was: one for each device, one for pinned memory, one for managed.
 *
 *  As on a card, pages are mapped in pieces of 2 MB while an allocation uses
 *  them; an access to any other address of the range faults.  Behind each
 *  allocation lies a red zone of at least 256 bytes with a pattern.
 */
#ifndef SOFTGPU_ARENA_H
#define SOFTGPU_ARENA_H

#include <stddef.h>
#include <stdint.h>

/** What an allocation is. */
enum softgpu_kind {
    SOFTGPU_DEVICE_MEMORY,
    SOFTGPU_PINNED,
    SOFTGPU_MANAGED,
    SOFTGPU_REGISTERED, /**< the program's own memory, pinned */
    SOFTGPU_SYMBOL      /**< a __device__ variable */
};

struct CUmemPoolHandle_st;
struct softgpu_reserved;

/** One allocation. */
struct softgpu_allocation {
    char *ptr;
    size_t bytes; /**< as asked for */
    size_t span;  /**< with the red zone */
    enum softgpu_kind kind;
    int device;
    unsigned flags; /**< of the call that made it */
    int freeing;    /**< cudaFreeAsync is queued */
    struct CUmemPoolHandle_st *pool; /**< of cudaMallocAsync, or NULL */
    struct softgpu_reserved *reserved; /**< of a graph, or NULL */
    int preferred, prefetched;       /**< devices; -2: none */
    int read_mostly;
    uint32_t accessed_by; /**< bit d: device d; bit 31: the host */
};

/** Allocations by address. */
struct softgpu_table {
    struct softgpu_allocation **all;
    size_t count, room;
};

/** A range and its allocations. */
struct softgpu_arena {
    char *base;      /**< NULL until first used */
    size_t reserved; /**< bytes of addresses */
    size_t limit;    /**< bytes that may be used */
    size_t used;     /**< bytes that are */
    size_t hint;     /**< index in the table to look for a gap from */
    uint16_t *users; /**< allocations on each 2 MB */
    size_t chunks;   /**< index behind the last 2 MB ever used */
    int closed;      /**< 1: any access faults */
    struct softgpu_table table;
};

/** Hand out bytes, at least 1; contents as the system gives them.
 *  @param limit  bytes the arena may use in all
 *  @return a new entry of the table with ptr, bytes and span set; or NULL */
struct softgpu_allocation *softgpu_arena_take(struct softgpu_arena *arena,
                                              size_t bytes, size_t limit);
/** Take an entry back; it is freed. */
void softgpu_arena_give(struct softgpu_arena *arena,
                        struct softgpu_allocation *allocation);
/** Take all back. */
void softgpu_arena_clear(struct softgpu_arena *arena);
/** Let memory be used, or let any access fault, as the host's access to
 *  device memory does.  Open it before any other call that is not a look-up. */
void softgpu_arena_open(struct softgpu_arena *arena);
void softgpu_arena_close(struct softgpu_arena *arena);
/** 1 if the address lies in the range. */
int softgpu_arena_owns(const struct softgpu_arena *arena, const void *p);
/** 1 if something wrote into the red zone. */
int softgpu_red_zone_broken(const struct softgpu_allocation *allocation);

/** The entry that holds this byte, or NULL. */
struct softgpu_allocation *softgpu_table_find(const struct softgpu_table *t,
                                              const void *p);
/** Where an entry of this address is or would be. */
size_t softgpu_table_place(const struct softgpu_table *t, const void *p);
/** Put an entry in at its place.  @return 0, or -1 without memory */
int softgpu_table_insert(struct softgpu_table *t,
                         struct softgpu_allocation *allocation);
/** Take entry i out. */
void softgpu_table_remove(struct softgpu_table *t, size_t i);

#endif
