/* SPDX-License-Identifier: MIT */
/** @file
 *  A memory arena: a reserved range of addresses and the table of its
 *  allocations.  There is one for each device, one for pinned and one for
 *  managed memory.
 *
 *  As on a GPU, memory is mapped in chunks of 2 MB while an allocation uses
 *  them; an access to any other address of the range faults.  After each
 *  allocation comes a red zone of at least 256 bytes, filled with a pattern.
 *  Chunks can be shared between processes (arena_shared.c).
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
struct softgpu_ipc_memory;
struct softgpu_ipc_import;

/** One allocation. */
struct softgpu_allocation {
    char *ptr;
    size_t bytes; /**< as requested */
    size_t span;  /**< bytes including the red zone */
    size_t lead;  /**< bytes before ptr that belong to it, too */
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
    struct softgpu_ipc_memory *exported; /**< to other processes, or NULL */
    struct softgpu_ipc_import *imported; /**< of another process, or NULL */
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
    char *chunk_is_shared; /**< by chunk: 1 if a file's, mapped in other
                                processes, too; NULL: none is */
    int file; /**< of the chunks that were exported, or 0 */
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
/** Make the chunks of an allocation those of a file that other processes can
 *  map; the bytes stay, and a byte's offset in the file is that in the arena.
 *  No command may be running.
 *  @return 0, or -1 without memory */
int softgpu_arena_share(struct softgpu_arena *arena,
                        const struct softgpu_allocation *allocation);
/** Map memory of another process: whole chunks of its arena's file.  It does
 *  not count as used.
 *  @param offset, bytes  of its allocation
 *  @param limit  as of softgpu_arena_alloc()
 *  @return a new entry of the table, or NULL */
struct softgpu_allocation *softgpu_arena_map(struct softgpu_arena *arena,
                                             int file, size_t offset,
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

/** Bytes of a chunk, mapped at a time, as on a GPU. */
#define SOFTGPU_CHUNK ((size_t)2 << 20)
/** A gap of span bytes, from the hint on.  @return NULL if there is none */
char *softgpu_arena_gap(struct softgpu_arena *arena, size_t span);
/** Add (1) or remove (0) an allocation in the counts of its chunks, which maps
 *  and unmaps them.  @return 0, or -1 without memory */
int softgpu_arena_count_users(struct softgpu_arena *arena, const char *ptr,
                              size_t span, int on);
/** Return shared chunks from to to - 1 of those to the system. */
void softgpu_arena_unshare(struct softgpu_arena *arena, size_t from, size_t to);

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
