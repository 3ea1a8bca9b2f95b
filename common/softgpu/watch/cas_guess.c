/* SPDX-License-Identifier: MIT */
/* A table of the block, by thread and address, in which a later load takes the place of an
 * earlier one.  A guess that is lost so does no harm where one of the other
 * threads keeps its own: loads are suppressed by their place in the code. */
#include "cas_guess.h"

#include <stdlib.h>

enum { GUESS_BITS = 8 }; /* 6 KB: the table stays in a cache */

/** A load that is not by an atomic. */
struct guess {
    uintptr_t address, pc;
    uint32_t thread;
    uint32_t first_interval; /* tells blocks of one place apart; 0: no load */
};

struct guess *cas_guess_table(void)
{
    return calloc(1 << GUESS_BITS, sizeof(struct guess));
}

static struct guess *guess_of(const struct word_access *w, uint32_t thread)
{
    const uint64_t hash = (w->address / 4 + thread) * 0x9e3779b97f4a7c15u;

    return &w->access->block->guesses[hash >> (64 - GUESS_BITS)];
}

void cas_guess_access(const struct word_access *w)
{
    const uint32_t thread = w->current.threads & RECORD_THREAD;
    const uint32_t block = w->access->block->first_interval;
    struct guess *found;

    if (!(w->current.threads & (RECORD_WRITE | RECORD_ATOMIC))) {
        *guess_of(w, thread) =
            (struct guess){w->address, w->access->pc, thread, block};
    } else if (w->access->flags & ACCESS_COMPARE) {
        found = guess_of(w, thread);
        if (found->address != w->address || found->thread != thread
            || found->first_interval != block)
            return;
        softgpu_suppress_read(found->pc);
        found->first_interval = 0;
    }
}
