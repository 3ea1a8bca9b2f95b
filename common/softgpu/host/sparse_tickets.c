/* SPDX-License-Identifier: MIT */
/* Counters of tickets, found by what two blocks in succession make of them. */
#define _GNU_SOURCE
#include "sparse_tickets.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>

#include "common/softgpu/core/core.h"
#include "common/softgpu/core/symbols.h"
#include "device.h"
#include "memory.h"

enum { PAGE = 4096, STEP = 64 << 20, CANDIDATES = 4096 };
#define MOST_BYTES ((size_t)1 << 30) /* of an allocation that has counters */

static uint32_t *candidates[CANDIDATES]; /* words that have `expected` */
static unsigned count;

static void add_words(uint32_t *words, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof *words; i++)
        if (words[i] == 1 && count < CANDIDATES)
            candidates[count++] = &words[i];
}

/* Has any word the value 1?  Without a branch, so that it is vectorized: a
 * submission that works in pieces comes here thousands of times. */
static bool has_candidate(const uint32_t *words)
{
    uint32_t found = 0;

    for (size_t i = 0; i < PAGE / sizeof *words; i++)
        found |= words[i] == 1;
    return found;
}

/* Only pages that were accessed: all others are 0, and stay untouched. */
static void add_resident(char *at, size_t bytes)
{
    static unsigned char resident[STEP / PAGE];
    char *const end = at + bytes;

    for (at -= (uintptr_t)at % PAGE; at < end; at += STEP) {
        const size_t left = (size_t)(end - at);
        const size_t n = left < STEP ? (left + PAGE - 1) / PAGE * PAGE : STEP;

        if (mincore(at, n, resident))
            return;
        for (size_t page = 0; page < n / PAGE; page++)
            if (resident[page] && has_candidate((uint32_t *)(at + page * PAGE)))
                add_words((uint32_t *)(at + page * PAGE), PAGE);
    }
}

static void add_symbol(const struct softgpu_symbol *s, void *unused)
{
    (void)unused;
    if (s->kind == SOFTGPU_DEVICE_VARIABLE && (uintptr_t)s->address % 4 == 0)
        add_words((uint32_t *)s->address, s->bytes);
}

/* All words that the first block has set to 1. */
static void find_candidates(void)
{
    const struct softgpu_table *table = &softgpu_device()->arena.table;

    count = 0;
    softgpu_for_each_symbol(add_symbol, NULL);
    for (size_t i = 0; i < table->count; i++)
        if (table->all[i]->bytes <= MOST_BYTES)
            add_resident(table->all[i]->ptr, table->all[i]->bytes);
}

/* Those that the second block has set to 2 are counters. */
static void keep_counters(void)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < count; i++)
        if (*candidates[i] == 2)
            candidates[kept++] = candidates[i];
    count = kept;
}

/* Called before each block that runs. */
static void before_end(unsigned number, uint64_t index)
{
    if (number == 1)
        find_candidates();
    if (number == 2)
        keep_counters();
    for (unsigned i = 0; number >= 2 && i < count; i++)
        *candidates[i] = (uint32_t)index;
}

void softgpu_advance_tickets(void)
{
    softgpu_before_end = before_end;
}
