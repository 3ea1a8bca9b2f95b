/* SPDX-License-Identifier: MIT */
/* Stores that are announced: one slot for each OS thread that has stored. */
#include "pending_store.h"

#include <sched.h>

enum {
    MAX_SLOTS = 256, /* further OS threads announce nothing */
    ACCESS_BYTES = 16, /* of the widest store */
    MAX_YIELDS = 100
};

static _Atomic(uintptr_t) slot[MAX_SLOTS];
static atomic_uint slot_count;

SOFTGPU_TLS _Atomic(uintptr_t) *pending_store;

void pending_store_begin(uintptr_t word)
{
    if (!pending_store) {
        const unsigned next = atomic_fetch_add(&slot_count, 1);

        if (next >= MAX_SLOTS)
            return;
        pending_store = &slot[next];
    }
    atomic_store_explicit(pending_store, word, memory_order_release);
}

/* Does another OS thread's store reach this word?  Of a wide one the last word
 * is announced. */
static int is_pending(uintptr_t word)
{
    const unsigned all = atomic_load(&slot_count);
    const unsigned count = all < MAX_SLOTS ? all : MAX_SLOTS;

    for (unsigned i = 0; i < count; i++) {
        const uintptr_t last =
            atomic_load_explicit(&slot[i], memory_order_acquire);

        if (last && last >= word && last - word < ACCESS_BYTES)
            return 1;
    }
    return 0;
}

int pending_store_wait(uintptr_t word)
{
    for (int i = 0; i < MAX_YIELDS; i++) {
        if (!is_pending(word))
            return 1;
        sched_yield();
    }
    return !is_pending(word);
}
