/* SPDX-License-Identifier: MIT */
/* A table of the block, by thread and address, in which a later load takes the place of an
 * earlier one.  A guess that is lost so does no harm where one of the other
 * threads keeps its own: loads are suppressed by their place in the code. */
#include "cas_guess.h"

#include <stdlib.h>

#include "common/softgpu/core/fiber.h"

enum { GUESS_BITS = 10 };

/** A load that is not by an atomic. */
struct guess {
    const struct softgpu_thread *thread;
    uintptr_t address, pc;
    uint32_t first_interval; /* tells blocks of one place apart */
};

struct guess *cas_guess_table(void)
{
    return calloc(1 << GUESS_BITS, sizeof(struct guess));
}

static struct guess *guess_of(const struct access *a, uintptr_t address)
{
    const uint64_t key = address / 4 + (uintptr_t)softgpu_tls.thread;
    const uint64_t hash = key * 0x9e3779b97f4a7c15u;

    return &a->block->guesses[hash >> (64 - GUESS_BITS)];
}

void cas_guess_access(const struct word_access *w)
{
    const struct guess made = {softgpu_tls.thread, w->address, w->access->pc,
                               w->access->block->first_interval};
    const int loads = !(w->current.threads & (RECORD_WRITE | RECORD_ATOMIC));
    struct guess *found;

    if (!loads && !(w->access->flags & ACCESS_COMPARE))
        return;
    found = guess_of(w->access, w->address);
    if (loads) {
        *found = made;
    } else if (found->thread == made.thread && found->address == made.address
               && found->first_interval == made.first_interval) {
        softgpu_suppress_read(found->pc);
        found->thread = NULL;
    }
}
