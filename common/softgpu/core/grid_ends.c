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

/* Blocks at the ends of a grid, each once. */
struct ends {
    uint64_t index[SOFTGPU_GRID_ENDS];
    unsigned count;
};

static void add_end(struct ends *ends, uint64_t index)
{
    for (unsigned i = 0; i < ends->count; i++)
        if (ends->index[i] == index)
            return;
    ends->index[ends->count++] = index;
}

/* The block at so many 16ths of x and y, rounded down, of the last z. */
static uint64_t block_at(dim3 grid, unsigned x16, unsigned y16)
{
    const uint64_t x = (uint64_t)(grid.x - 1) * x16 / 16;
    const uint64_t y = (uint64_t)(grid.y - 1) * y16 / 16;

    return ((grid.z - 1) * (uint64_t)grid.y + y) * grid.x + x;
}

/* The block before the last one of each dimension. */
static uint64_t block_before_last(dim3 grid)
{
    const uint64_t x = grid.x - (grid.x > 1) - 1;
    const uint64_t y = grid.y - (grid.y > 1) - 1;
    const uint64_t z = grid.z - (grid.z > 1) - 1;

    return (z * grid.y + y) * grid.x + x;
}

/* See SOFTGPU_GRID_ENDS. */
static struct ends ends_of(dim3 grid)
{
    const uint64_t last = (uint64_t)grid.x * grid.y * grid.z - 1;
    struct ends ends = {{0, 1}, 2};

    for (uint64_t parts = 256; parts >= 64; parts /= 2) /* 31/32 of 1/8.. */
        add_end(&ends, (last + 1) / parts * 31);
    add_end(&ends, block_at(grid, 7, 7));
    add_end(&ends, block_at(grid, 15, 15));
    add_end(&ends, block_at(grid, 15, grid.z > 1 ? 4 : 15));
    add_end(&ends, last - last / 16);
    add_end(&ends, last - 2);
    add_end(&ends, block_before_last(grid));
    add_end(&ends, last);
    return ends;
}

uint64_t softgpu_end_index(const struct run *run, uint64_t claim)
{
    return ends_of(run->grid->grid).index[claim];
}

void softgpu_run_ends(struct run *run, struct worker *w)
{
    const struct ends ends = ends_of(run->grid->grid);

    for (unsigned i = 0; i < ends.count && !atomic_load(&run->error); i++) {
        if (softgpu_before_end)
            softgpu_before_end(i, ends.index[i]);
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
