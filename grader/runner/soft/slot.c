/* SPDX-License-Identifier: MIT */
/* Passing the turn between the two processes by a futex.  Spinning first costs
 * more processor time than it saves. */
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "process.h"

/* Each side sets and clears its own flag.  A side that cleared the other's
 * could be stopped before that until the other had run and waits again, and
 * would then take away the flag by which it is to be woken. */
void slot_wait(struct slot *slot, uint32_t turn)
{
    _Atomic uint32_t *is_waiting = &slot->is_waiting[turn & 1];
    uint32_t now;

    while ((now = atomic_load(&slot->turn)) != turn) {
        atomic_store(is_waiting, 1);
        if (atomic_load(&slot->turn) == now)
            syscall(SYS_futex, &slot->turn, FUTEX_WAIT, now, NULL, NULL, 0);
        atomic_store(is_waiting, 0);
    }
}

void slot_pass(struct slot *slot, uint32_t to)
{
    atomic_store(&slot->turn, to);
    if (atomic_load(&slot->is_waiting[to & 1]))
        syscall(SYS_futex, &slot->turn, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void start_thread(void *(*run)(void *), void *argument)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, run, argument))
        _exit(EXIT_FAILURE);
    pthread_detach(thread);
}
