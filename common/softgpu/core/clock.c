/* SPDX-License-Identifier: MIT */
/* The device's clock, as a kernel reads it. */
#define _GNU_SOURCE
#include <time.h>

#include "block.h"

/* Nanoseconds of a clock. */
static uint64_t clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int64_t softgpu_clock(void)
{
    enum { WEIGHT = 40 }; /* reading it is slow: yield at the fourth */
    const struct run *run = CURRENT_BLOCK->worker->run;
    const uint64_t ns = clock_ns(CLOCK_MONOTONIC) - run->start_ns;
    const uint32_t khz = run->grid->clock_khz;
    softgpu_tls.spin -= WEIGHT;
    softgpu_spin();
    return (int64_t)(ns * (khz ? khz : 1000000) / 1000000);
}

/* Replaces libc's clock() in the program: in a kernel, the device's clock. */
clock_t clock(void)
{
    if (CURRENT_BLOCK)
        return (clock_t)softgpu_clock();
    return (clock_t)(clock_ns(CLOCK_PROCESS_CPUTIME_ID)
                     / (1000000000 / CLOCKS_PER_SEC));
}
