/* SPDX-License-Identifier: MIT */
/** @file
 *  A pool of access records, for words that more than one instruction
 *  accessed.  Records are allocated one after the other and all freed at
 *  once, at the next barrier or launch.
 */
#ifndef SOFTGPU_WATCH_RECORD_POOL_H
#define SOFTGPU_WATCH_RECORD_POOL_H

#include <stdatomic.h>
#include <stddef.h>

#include "common/softgpu/instrument/shadow_cell.h"

/** A record of a word after its first one. */
struct record_node {
    struct access_record record;
    uint32_t next; /**< index in the pool; 0 at the end */
};

/** Nodes by index; index 0 is none. */
struct record_pool {
    struct record_node *nodes;
    uint32_t capacity;
    _Atomic uint32_t used;
};

/** Reserve zeroed memory that costs a page only once it is touched.
 *  @return NULL when there is no address space for it */
void *watch_reserve(size_t bytes);
/** Release it; NULL is allowed. */
void watch_release(void *memory, size_t bytes);

/** Make a pool for `capacity` nodes; without memory it has none. */
void record_pool_init(struct record_pool *pool, uint32_t capacity);

/** Free all nodes. */
static inline void record_pool_reset(struct record_pool *pool)
{
    atomic_store_explicit(&pool->used, 1, memory_order_relaxed);
}

/** Are half of the nodes used? */
static inline int record_pool_is_half_used(const struct record_pool *pool)
{
    return atomic_load_explicit(&pool->used, memory_order_relaxed)
           > pool->capacity / 2;
}

/** Allocate a node.  Any OS thread may.
 *  @return its index; 0 when all are used */
static inline uint32_t record_pool_alloc(struct record_pool *pool)
{
    uint32_t at;

    if (atomic_load_explicit(&pool->used, memory_order_relaxed)
        >= pool->capacity)
        return 0;
    at = atomic_fetch_add_explicit(&pool->used, 1, memory_order_relaxed);
    return at < pool->capacity ? at : 0;
}

#endif
