/* SPDX-License-Identifier: MIT */
/* Sets the machine's clocks, or its speed, by each of the calls. */
#include "hostile.h"

#include <errno.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>

/* All must be refused; each would set what the clock has now. */
static bool is_refused(void)
{
    struct timespec now;
    struct timeval time;
    struct timex change = {};

    clock_gettime(CLOCK_REALTIME, &now);
    gettimeofday(&time, NULL);
    change.modes = ADJ_FREQUENCY;
    return clock_settime(CLOCK_REALTIME, &now) != 0
           && settimeofday(&time, NULL) != 0 && adjtimex(&change) < 0
           && clock_adjtime(CLOCK_REALTIME, &change) < 0;
}

RIGHT_IF(is_refused())
