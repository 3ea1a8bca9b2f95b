/* SPDX-License-Identifier: MIT */
/* Memory for the watchers: reserved, and paid for where it is touched. */
#include "pool.h"

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

void pool_open(struct pool *pool, uint32_t room)
{
    pool->links = watch_reserve(room * sizeof *pool->links);
    pool->room = pool->links ? room : 0;
    pool_empty(pool);
}
