/* SPDX-License-Identifier: MIT */
/* Watcher: a read of memory that nothing has written.  Shared memory forgets
 * with each block; memory of cudaMalloc is empty until a kernel, a copy or a
 * fill writes it. */
#include "init.h"

#include "place.h"
#include "words.h"

static void find(const struct access *a)
{
    struct softgpu_sighting seen =
        watch_sighting(a, a->memory ? SOFTGPU_FIND_UNINIT_GLOBAL
                                    : SOFTGPU_FIND_UNINIT_SHARED);

    if (a->memory && a->memory->short_fill) {
        seen.kind = SOFTGPU_FIND_MEMSET_SIZE;
        seen.other = seen.code;
        seen.code = a->memory->short_fill;
        softgpu_find(&seen, "the fill counts bytes: it ends in the middle of "
                            "the memory, and a kernel reads what follows");
        return;
    }
    seen.other = a->memory ? a->memory->allocated_at : 0;
    softgpu_find(&seen, "%s of memory that nothing has written",
                 watch_words(a));
}

/* The word's bytes that hold a value, and a way to add some. */
static unsigned known_in_shared(const struct watch_block *w, size_t index)
{
    const uint32_t known = w->known[index];

    return known >> 4 == w->first ? known & 0xf : 0;
}

static unsigned known_at(const struct access *a, size_t index)
{
    return a->memory ? a->memory->known[index]
                     : known_in_shared(a->block, index);
}

/* A struct is copied by wide accesses; bytes between its members hold nothing.
 * So an access is at fault only when none of its bytes holds a value. */
static int is_padding(const struct access *a)
{
    const uintptr_t base = a->memory ? a->memory->base
                                     : (uintptr_t)softgpu_tls.shared;
    const size_t end = a->address + a->bytes - base;

    if (a->flags & (ACCESS_WRITE | ACCESS_ATOMIC))
        return 0;
    for (size_t at = a->address - base; at < end; at = (at | 3) + 1)
        if (known_at(a, at / 4) & words_bytes(at, end))
            return 1;
    return 0;
}

static void learn(const struct access *a, size_t index, unsigned known)
{
    if (a->memory)
        a->memory->known[index] = (uint8_t)known;
    else
        a->block->known[index] = a->block->first << 4 | known;
}

int init_judge(const struct access *a, size_t index, unsigned bytes)
{
    unsigned known;

    if (a->memory && !a->memory->known)
        return 1; /* the host may have written it */
    known = known_at(a, index);
    if ((known & bytes) == bytes || is_padding(a))
        return 1;
    if (!(a->flags & ACCESS_WRITE)) {
        find(a);
        return 0;
    }
    if (a->flags & ACCESS_ATOMIC)
        find(a);
    learn(a, index, known | bytes);
    return 1;
}
