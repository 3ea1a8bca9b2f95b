/* SPDX-License-Identifier: MIT */
/* Where threads are stopped, and how often.  The cost is bounded by a number
 * of switches for each launch. */
#include "interleave.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "common/softgpu/core/permute.h"

enum {
    SWITCHES = 1 << 14, /* of a launch */
    LONG_STOP = 8       /* one stop of so many lets others run for longer */
};

static _Atomic int switches_left;
static _Atomic int has_strong_access;
static _Atomic uint64_t launches;

uint64_t interleave_seed;

void interleave_init(void)
{
    const char *text = getenv("SOFTGPU_INTERLEAVE");

    interleave_seed = text ? strtoull(text, NULL, 0) : 0;
    if (interleave_seed) /* the seed alone decides, and stopped blocks meet */
        setenv("SOFTGPU_THREADS", "1", 0);
}

int interleave_is_useful(void)
{
    return atomic_load(&has_strong_access);
}

void interleave_begin_grid(void)
{
    atomic_fetch_add(&launches, 1);
    atomic_store(&switches_left, SWITCHES);
}

/* A random number of this OS thread; a new sequence in each launch. */
static uint64_t next_random(void)
{
    static SOFTGPU_TLS uint64_t state, launch;
    const uint64_t current = atomic_load(&launches);

    if (launch != current) {
        launch = current;
        state = interleave_seed * 0x9e3779b97f4a7c15u + current;
    }
    return softgpu_random(&state);
}

/* The latest addresses that a thread has read, but not atomically. */
static uintptr_t *last_reads(const struct access *a)
{
    return a->block->last_reads[softgpu_tls.thread - a->block->block->threads];
}

/* Is it a store to a word that the thread has just loaded? */
static int ends_read_modify_write(const struct access *a)
{
    const uintptr_t *reads = last_reads(a);
    int found = 0;

    for (int i = 0; i < LAST_READS; i++)
        found |= reads[i] == a->address;
    return found;
}

static void note_read(const struct access *a)
{
    uintptr_t *reads = last_reads(a);

    for (int i = LAST_READS - 1; i > 0; i--)
        reads[i] = reads[i - 1];
    reads[0] = a->address;
}

/* Stop the thread in `share` of 16 cases. */
static void stop_thread(unsigned share)
{
    const uint64_t random = next_random();
    int turns = random % 16 < share;

    if (turns && (random >> 8) % LONG_STOP == 0)
        turns = LONG_STOP;
    while (turns-- > 0 && atomic_fetch_sub(&switches_left, 1) > 0)
        softgpu_preempt();
}

/* A read-modify-write is nearly always split: many threads then load the same
 * value before the first one stores. */
void interleave_access(const struct access *a)
{
    const int is_strong =
        (a->flags & (ACCESS_ATOMIC | ACCESS_VOLATILE)) != 0;

    if (a->region == REGION_LOCAL || a->region == REGION_RUNTIME)
        return;
    if ((a->region == REGION_PROGRAM ? a->flags != 0
                                     : is_strong && a->region != REGION_SHARED)
        && !atomic_load_explicit(&has_strong_access, memory_order_relaxed))
        atomic_store(&has_strong_access, 1);
    if (!interleave_is_on())
        return;
    if (a->flags & ACCESS_WRITE && ends_read_modify_write(a))
        stop_thread(15);
    else if (is_strong)
        stop_thread(8);
    if (!(a->flags & (ACCESS_WRITE | ACCESS_ATOMIC)))
        note_read(a);
}
