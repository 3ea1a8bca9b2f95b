/* SPDX-License-Identifier: MIT */
/** @file
 *  Where further records of words come from: an array that is only reserved
 *  until it is touched, used up from the front and emptied as a whole.
 */
#ifndef SOFTGPU_WATCH_POOL_H
#define SOFTGPU_WATCH_POOL_H

#include <stdatomic.h>
#include <stddef.h>

#include "cell.h"

/** Links; index 0 is none. */
struct pool {
    struct link *links;
    uint32_t room;
    _Atomic uint32_t used;
};

/** Bytes of addresses that cost memory only where they are touched; all 0.
 *  @return NULL when there are none */
void *watch_reserve(size_t bytes);
/** Give them back; NULL is nothing. */
void watch_release(void *memory, size_t bytes);

/** Make a pool of so many links; on failure it is one without any. */
void pool_open(struct pool *pool, uint32_t room);

/** Forget all links. */
static inline void pool_empty(struct pool *pool)
{
    atomic_store_explicit(&pool->used, 1, memory_order_relaxed);
}

/** Index of a fresh link, or 0 when none is left. */
static inline uint32_t pool_take(struct pool *pool)
{
    uint32_t at;

    if (atomic_load_explicit(&pool->used, memory_order_relaxed) >= pool->room)
        return 0;
    at = atomic_fetch_add_explicit(&pool->used, 1, memory_order_relaxed);
    return at < pool->room ? at : 0;
}

#endif
