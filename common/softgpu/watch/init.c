/* SPDX-License-Identifier: MIT */
/* Watcher: a read of memory that nothing has written.  Shared memory forgets
 * with each block; memory of cudaMalloc is empty until a kernel, a copy or a
 * fill writes it. */
#include "judge.h"

/* Which bytes of the cell hold a value for this block. */
static unsigned written(const struct access *a, const struct cell *cell)
{
    if (a->region == REGION_SHARED && cell->writer.block != a->block->serial)
        return 0; /* another block's */
    return cell->written;
}

void init_judge(const struct access *a, struct cell *cell, unsigned mask)
{
    unsigned known = written(a, cell);
    struct softgpu_sighting seen;

    if (a->flags & ACCESS_WRITE && !(a->flags & ACCESS_ATOMIC)) {
        cell->written = (uint8_t)(known | mask);
        return;
    }
    if ((known & mask) == mask)
        return;
    cell->written = (uint8_t)(known | mask); /* told once */
    if (a->region == REGION_SHARED) {
        cell->writer = (struct party){.block = a->block->serial};
    } else if (a->memory->kind != SOFTGPU_DEVICE_MEMORY) {
        return; /* the host may have written it */
    }
    seen = watch_sighting(a, a->region == REGION_SHARED
                                 ? SOFTGPU_FIND_UNINIT_SHARED
                                 : SOFTGPU_FIND_UNINIT_GLOBAL);
    seen.other = a->memory ? a->memory->allocated_at : 0;
    softgpu_find(&seen, "%s of memory that nothing has written",
                 watch_words(a));
}
