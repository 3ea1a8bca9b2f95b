/* SPDX-License-Identifier: MIT */
/** @file
 *  A memory arena: a reserved range of addresses and the table of its
 *  allocations.  There is one for each device, one for pinned and one for
 *  managed memory.
 *
 *  As on a GPU, memory is mapped in chunks of 2 MB while an allocation uses
 *  them; an access to any other address of the range faults.  After each
 *  allocation comes a red zone of at least 256 bytes, filled with a pattern.
 */
#ifndef SOFTGPU_ARENA_H
#define SOFTGPU_ARENA_H

#include <stddef.h>
#include <stdint.h>

/** The kind of an allocation. */
enum softgpu_kind {
    SOFTGPU_DEVICE_MEMORY,
    SOFTGPU_PINNED,
    SOFTGPU_MANAGED,
    SOFTGPU_REGISTERED, /**< the program's own memory, pinned */
    SOFTGPU_SYMBOL      /**< a __device__ variable */
};

struct CUmemPoolHandle_st;
struct softgpu_graph_memory;

/** One allocation. */
struct softgpu_allocation {
    char *ptr;
    size_t bytes; /**< as requested */
    size_t span;  /**< bytes including the red zone */
    enum softgpu_kind kind;
    int device;     /**< index of its device */
    unsigned flags; /**< of the call that made it */
    int freeing;    /**< cudaFreeAsync is queued */
    struct CUmemPoolHandle_st *pool; /**< of cudaMallocAsync, or NULL */
    struct softgpu_graph_memory *graph_memory; /**< or NULL */
    int preferred, prefetched; /**< devices (cudaMemAdvise); -2: none */
    int read_mostly;
    uint32_t accessed_by; /**< bit d: device d; bit 31: the host */
    int host_may_write;   /**< an algorithm of the host began since */
};

/** Allocations, sorted by address. */
struct softgpu_table {
    struct softgpu_allocation **all;
    size_t count, capacity;
};

/** An arena. */
struct softgpu_arena {
    char *base;            /**< NULL before the first allocation */
    size_t reserved;       /**< size of the address range in bytes */
    size_t limit;          /**< bytes that may be allocated */
    size_t used;           /**< bytes that are allocated */
    size_t gap_hint;       /**< table index where the search for a gap starts */
    uint16_t *chunk_users; /**< by chunk: allocations in it */
    size_t chunks;         /**< number of the last chunk ever used, plus 1 */
    int is_protected;      /**< 1: every access faults */
    struct softgpu_table table;
};

/** Reserve the address range of an arena, where it has none.
 *  @return 0, or -1 without memory */
int softgpu_arena_reserve(struct softgpu_arena *arena, size_t limit);
/** Allocate memory; its contents are unspecified.
 *  @param bytes  at least 1
 *  @param limit  bytes that the arena may allocate in total
 *  @return a new entry of the table with ptr, bytes and span set, or NULL
 *          without memory */
struct softgpu_allocation *softgpu_arena_alloc(struct softgpu_arena *arena,
                                               size_t bytes, size_t limit);
/** Free an allocation and its entry. */
void softgpu_arena_free(struct softgpu_arena *arena,
                        struct softgpu_allocation *allocation);
/** Free all allocations. */
void softgpu_arena_clear(struct softgpu_arena *arena);
/** Allow access to allocated memory.  Call it before any function here that
 *  is not a lookup. */
void softgpu_arena_unprotect(struct softgpu_arena *arena);
/** Let every access fault, as the host's access to device memory does. */
void softgpu_arena_protect(struct softgpu_arena *arena);
/** 1 if the address lies in the arena's range. */
int softgpu_arena_contains(const struct softgpu_arena *arena, const void *p);
/** 1 if the red zone's pattern has been overwritten. */
int softgpu_red_zone_is_overwritten(
    const struct softgpu_allocation *allocation);

/** The allocation that contains this byte, or NULL. */
struct softgpu_allocation *softgpu_table_find(const struct softgpu_table *t,
                                              const void *p);
/** Index of the first entry whose address is not below p. */
size_t softgpu_table_lower_bound(const struct softgpu_table *t, const void *p);
/** Insert an entry in order.  @return 0, or -1 without memory */
int softgpu_table_insert(struct softgpu_table *t,
                         struct softgpu_allocation *allocation);
/** Remove entry i. */
void softgpu_table_remove(struct softgpu_table *t, size_t i);

#endif
