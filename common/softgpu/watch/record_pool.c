/* SPDX-License-Identifier: MIT */
/* Memory of the checker: address space, of which only touched pages cost. */
#include "record_pool.h"

#include <sys/mman.h>

void *watch_reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

void watch_release(void *memory, size_t bytes)
{
    if (memory)
        munmap(memory, bytes);
}

void record_pool_init(struct record_pool *pool, uint32_t capacity)
{
    pool->nodes = watch_reserve(capacity * sizeof *pool->nodes);
    pool->capacity = pool->nodes ? capacity : 0;
    record_pool_reset(pool);
}
