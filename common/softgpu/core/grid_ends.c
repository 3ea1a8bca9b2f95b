/* SPDX-License-Identifier: MIT */
/* The blocks at the ends of a grid with sparse memory. */
#define _GNU_SOURCE
#include "grid_ends.h"

#include <sys/resource.h>
#include <time.h>

void (*softgpu_before_end)(unsigned number, uint64_t index);
static _Atomic unsigned abandoned;

unsigned softgpu_abandoned_blocks(void)
{
    return atomic_load(&abandoned);
}

uint64_t softgpu_end_index(const struct run *run, uint64_t claim)
{
    const dim3 grid = run->grid->grid;
    const uint64_t last = (uint64_t)grid.x * grid.y * grid.z - 1;

    return claim < 2 ? claim : claim == 2 ? last - last / 16 : last;
}

void softgpu_run_ends(struct run *run, struct worker *w)
{
    for (unsigned i = 0; i < SOFTGPU_GRID_ENDS && !atomic_load(&run->error);
         i++) {
        if (softgpu_before_end)
            softgpu_before_end(i, softgpu_end_index(run, i));
        run->blocks = i + 1;
        softgpu_run_worker(w, run);
    }
}

/* Nanoseconds of this OS thread's processor time. */
static uint64_t cpu_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool softgpu_end_waits(const struct worker *w)
{
    enum { PATIENCE_NS = 50000000 };
    static SOFTGPU_TLS uint64_t block, since_ns;
    static SOFTGPU_TLS long faults;
    struct rusage usage;

    if (w->run->ends_only != 1 || w->resident != 1)
        return false;
    getrusage(RUSAGE_THREAD, &usage);
    if (block != w->blocks_started || faults != usage.ru_minflt) {
        block = w->blocks_started;
        faults = usage.ru_minflt;
        since_ns = cpu_ns();
        return false;
    }
    if (cpu_ns() - since_ns < PATIENCE_NS)
        return false;
    atomic_fetch_add(&abandoned, 1);
    return true;
}
