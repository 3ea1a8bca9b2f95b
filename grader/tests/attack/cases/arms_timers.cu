/* SPDX-License-Identifier: MIT */
/* Thousands of timers, whose signals interrupt every call of the runner. */
#include "hostile.h"

#include <time.h>

static void ignore(int)
{
}

int vector_add(const float *a, const float *b, float *c, size_t n)
{
    struct sigevent event = {};
    struct itimerspec often = {{0, 1000000}, {0, 1000000}};
    timer_t timer;

    signal(SIGUSR1, ignore);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGUSR1;
    for (int i = 0; i < 20000 && attacked(n); i++)
        if (timer_create(CLOCK_MONOTONIC, &event, &timer)
            || timer_settime(timer, 0, &often, NULL))
            break;
    return honest(a, b, c, n);
}
