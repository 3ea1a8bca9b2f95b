/* SPDX-License-Identifier: MIT */
/* Raises every signal of real time, blocked, until no more are queued. */
#include "hostile.h"

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    sigset_t all;

    if (attacked(n)) {
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, NULL);
        for (int i = 0; i < 200000; i++)
            if (sigqueue(getpid(), SIGRTMIN + i % 8, (union sigval){0}))
                break;
    }
    return honest(a, b, c, n);
}
