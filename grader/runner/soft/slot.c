/* SPDX-License-Identifier: MIT */
/* Passing the turn between the two processes by a futex.  Spinning first costs
 * more processor time than it saves. */
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process.h"

void slot_wait(struct slot *slot, uint32_t turn)
{
    uint32_t now;

    while ((now = atomic_load(&slot->turn)) != turn) {
        atomic_store(&slot->is_waiting, 1);
        if (atomic_load(&slot->turn) == now)
            syscall(SYS_futex, &slot->turn, FUTEX_WAIT, now, NULL, NULL, 0);
    }
}

void slot_pass(struct slot *slot, uint32_t to)
{
    atomic_store(&slot->turn, to);
    if (atomic_exchange(&slot->is_waiting, 0))
        syscall(SYS_futex, &slot->turn, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
