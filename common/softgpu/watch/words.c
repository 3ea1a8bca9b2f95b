/* SPDX-License-Identifier: MIT */
/* Watchers of words: read before written?  Raced for?  Both look at the same
 * cells, which are found once here; init.c and race.c judge. */
#include <stdatomic.h>
#include <stdlib.h>

#include "judge.h"
#include "watchers.h"

enum { STRIPES = 1024 }; /* locks of global cells, by 256 bytes */

static atomic_flag stripes[STRIPES];

static void lock(uintptr_t address)
{
    while (atomic_flag_test_and_set_explicit(
        &stripes[(address >> 8) % STRIPES], memory_order_acquire))
        ;
}

static void unlock(uintptr_t address)
{
    atomic_flag_clear_explicit(&stripes[(address >> 8) % STRIPES],
                               memory_order_release);
}

/* The four cells of a word's bytes, which begin as copies of the word's. */
static struct cell *split(struct cell *word, struct cell **bytes)
{
    unsigned i;

    if (word->split)
        return *bytes;
    if (!*bytes)
        *bytes = calloc(4, sizeof **bytes);
    if (!*bytes)
        return NULL;
    for (i = 0; i < 4; i++) {
        (*bytes)[i] = *word;
        (*bytes)[i].written = word->written >> i & 1;
    }
    word->split = 1;
    return *bytes;
}

struct target {
    struct cell *cells;
    struct cell **bytes;
    size_t offset; /**< of the access, in bytes */
};

static struct target target_of(const struct access *a)
{
    if (a->region == REGION_SHARED)
        return (struct target){a->block->cells, a->block->bytes,
                               a->address - (uintptr_t)softgpu_tls.shared};
    return (struct target){a->memory->cells, a->memory->bytes,
                           a->address - a->memory->base};
}

/* One word of an access: all of it, or some of its bytes. */
static void judge_word(const struct access *a, const struct target *t,
                       size_t word, unsigned from, unsigned to)
{
    struct cell *cell = &t->cells[word];
    unsigned i;

    if (from == 0 && to == 4 && !cell->split) {
        judge_cell(a, cell, 0xf);
        return;
    }
    cell = split(cell, &t->bytes[word]);
    for (i = from; cell && i < to; i++)
        judge_cell(a, &cell[i], 1);
}

int watch_cells_of(const struct access *a)
{
    struct target t = target_of(a);
    size_t at = t.offset, end = at + a->bytes;

    if (!t.cells)
        return 0;
    if (a->region == REGION_DEVICE)
        lock(a->address);
    while (at < end) {
        size_t next = (at | 3) + 1;
        unsigned to = next < end ? 4 : (unsigned)(end - (at & ~(size_t)3));

        judge_word(a, &t, at / 4, at & 3, to);
        at = next;
    }
    if (a->region == REGION_DEVICE)
        unlock(a->address);
    return 0;
}
