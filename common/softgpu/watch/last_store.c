/* SPDX-License-Identifier: MIT */
/* The shadow of device memory keeps the instruction that stored a word. */
#include "last_store.h"

#include "allocations.h"
#include "race_report.h"
#include "shadow_words.h"

bool softgpu_last_store(const void *address, struct source_line *line)
{
    const uintptr_t at = (uintptr_t)address;
    const struct allocation *memory = allocation_find(at, 0);
    const struct access_record *store = NULL;

    *line = (struct source_line){0};
    if (memory && memory->cells)
        store = shadow_last_store(&memory->cells[(at - memory->base) / 4]);
    if (store)
        softgpu_source_line(race_full_pc(store->pc), line);
    return line->line > 0;
}
