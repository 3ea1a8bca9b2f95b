/* SPDX-License-Identifier: MIT */
/* Passing the turn between the two processes: a short spin, then a futex. */
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process.h"

enum { SPINS = 3000 }; /* about 20 us, as long as a switch to and fro takes */

void slot_wait(struct slot *slot, uint32_t turn)
{
    uint32_t now;

    for (int i = 0; i < SPINS; i++) {
        if (atomic_load_explicit(&slot->turn, memory_order_acquire) == turn)
            return;
#ifdef __x86_64__
        __builtin_ia32_pause();
#endif
    }
    while ((now = atomic_load(&slot->turn)) != turn)
        syscall(SYS_futex, &slot->turn, FUTEX_WAIT, now, NULL, NULL, 0);
}

void slot_pass(struct slot *slot, uint32_t to)
{
    atomic_store(&slot->turn, to);
    syscall(SYS_futex, &slot->turn, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
