/* SPDX-License-Identifier: MIT */
/* Calls of the submission's own threads read the lock, the main thread writes
 * it.  The main thread's calls need none: it makes them in the lab's function
 * alone. */
#include "calls_gate.h"

#include <pthread.h>

static pthread_rwlock_t gate =
    PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

void calls_hold(void)
{
    pthread_rwlock_wrlock(&gate);
}

void calls_admit(void)
{
    pthread_rwlock_unlock(&gate);
}

void calls_enter(void)
{
    pthread_rwlock_rdlock(&gate);
}

void calls_leave(void)
{
    pthread_rwlock_unlock(&gate);
}
