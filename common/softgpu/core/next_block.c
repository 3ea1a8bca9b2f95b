/* SPDX-License-Identifier: MIT */
/** @file
 *  Which block a worker runs next: a resident one in turn, a new one, or the
 *  oldest.  Blocks may wait for each other in any order.
 */
#define _GNU_SOURCE
#include "next_block.h"

#include <sched.h>
#include <time.h>

#include "fiber.h"
#include "grid_ends.h"
#include "turns.h"

/* A runnable thread of another resident block, which becomes current; NULL if
 * there is none.  The ring is traversed forward and backward alternately, since
 * blocks may wait for each other in any order. */
static struct softgpu_thread *switch_block(struct worker *w)
{
    for (uint32_t i = 0; i < w->resident; i++) {
        const bool back = w->ring_steps++ / w->resident & 1;
        struct softgpu_block *b = back ? w->ring->previous : w->ring->next;
        w->ring = b;
        struct softgpu_thread *t = find_thread_to_run(b, b->scan_start);
        if (t) {
            softgpu_make_block_current(b);
            return t;
        }
    }
    return NULL;
}

/* A cooperative grid is resident as a whole, or its launch was refused. */
static bool has_stack_room(const struct worker *w)
{
    const struct softgpu_grid *grid = w->run->grid;
    const unsigned gang = w->run->gang_threads;
    const uint64_t threads =
        (uint64_t)grid->block.x * grid->block.y * grid->block.z;
    const uint64_t stacks = w->run->thread_loop ? 1
                            : gang ? threads / gang : threads;
    return grid->cooperative
           || (w->resident + 1) * stacks
                  <= softgpu_stack_limit(gang ? GANG_STACKS : THREAD_STACKS,
                                         w->run->workers);
}

/* Start a new block and return its first thread.  Blocks start in bursts that
 * double, because blocks that wait until all others have started would
 * otherwise start one round of switches apart. */
static struct softgpu_thread *start_block(struct worker *w)
{
    if (w->resident && !has_stack_room(w))
        return NULL;
    struct softgpu_block *b = softgpu_claim_block(w);
    if (!b)
        return NULL;
    if (w->start_burst)
        w->start_burst--;
    else
        w->start_burst = w->resident - 1;
    note_progress(w);
    softgpu_make_block_current(b);
    return b->start_order[0];
}

/* All resident blocks wait for blocks of other OS threads. */
static void back_off(unsigned round)
{
    const struct timespec moment = {0, 20000};
    if (round < 100)
        sched_yield();
    else
        nanosleep(&moment, NULL);
}

/* Start blocks or switch between resident ones until a thread can run. */
static struct softgpu_thread *find_other_block(struct worker *w)
{
    for (unsigned round = 0;; round++) {
        if (atomic_load_explicit(&w->run->error, memory_order_relaxed)
            || softgpu_end_waits(w))
            softgpu_exit_fibers();
        struct softgpu_thread *t = NULL;
        const uint32_t most = softgpu_turn_is_wanted() ? 2 : SPIN_TURNS;
        const bool waited = w->idle_turns++ >= most * w->resident;
        if (waited || w->start_burst)
            t = start_block(w);
        if (!t && waited)
            softgpu_turn_offer(w);
        if (!t && (t = switch_block(w)) && waited
            && w->ring_steps % SPIN_TURNS == 0)
            sched_yield();
        if (!t)
            t = start_block(w);
        if (t || !w->resident)
            return t;
        back_off(round);
    }
}

/* The first of the worker's blocks to have started that has a runnable thread,
 * or NULL. */
static struct softgpu_block *oldest_block(const struct worker *w)
{
    struct softgpu_block *oldest = NULL, *b = w->ring;
    do {
        if ((!oldest || b->order < oldest->order)
            && find_thread_to_run(b, b->scan_start))
            oldest = b;
        b = b->next;
    } while (b != w->ring);
    return oldest;
}

/* A thread of the oldest block, or NULL. */
static struct softgpu_thread *poll_again(struct worker *w,
                                         struct softgpu_block *b)
{
    enum { POLLS = 4 };
    const struct timespec moment = {0, 20000};
    if (w->run->workers == 1 || w->start_burst || ++w->polls % POLLS == 0
        || atomic_load_explicit(&w->run->error, memory_order_relaxed))
        return NULL;
    struct softgpu_block *oldest = oldest_block(w);
    if (!oldest)
        return NULL;
    if (oldest == b)
        nanosleep(&moment, NULL);
    w->ring = oldest;
    softgpu_make_block_current(oldest);
    return find_thread_to_run(oldest, oldest->scan_start);
}

struct softgpu_thread *softgpu_leave_block(struct worker *w)
{
    struct softgpu_thread *me = CURRENT_THREAD;
    CURRENT_THREAD = NULL;
    struct softgpu_thread *t = find_other_block(w);
    CURRENT_THREAD = me;
    return t;
}

struct softgpu_thread *softgpu_poll_again(struct softgpu_block *b)
{
    struct softgpu_thread *me = CURRENT_THREAD;
    CURRENT_THREAD = NULL;
    struct softgpu_thread *t = poll_again(b->worker, b);
    CURRENT_THREAD = me;
    return t;
}
