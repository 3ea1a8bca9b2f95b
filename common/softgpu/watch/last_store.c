/* SPDX-License-Identifier: MIT */
/* The shadow of device memory keeps the instruction that stored a word. */
#include "last_store.h"

#include "allocations.h"
#include "race_report.h"
#include "shadow_words.h"

bool softgpu_last_store(const void *address, struct last_store *store)
{
    enum { SEVERAL = RECORD_LANES | RECORD_WARPS | RECORD_BLOCKS };
    const uintptr_t at = (uintptr_t)address;
    const struct allocation *memory = allocation_find(at, 0);
    const struct shadow_cell *cell;
    const struct access_record *record;

    *store = (struct last_store){0};
    if (!memory || !memory->cells)
        return false;
    cell = &memory->cells[(at - memory->base) / 4];
    record = shadow_last_store(cell);
    if (!record)
        return false;
    softgpu_source_line(race_full_pc(record->pc), &store->line);
    store->block = record->block;
    if (!(record->threads & SEVERAL))
        store->executed = softgpu_executions_of(cell->tag, record->block,
                                        record->threads & RECORD_THREAD);
    return store->line.line > 0;
}
