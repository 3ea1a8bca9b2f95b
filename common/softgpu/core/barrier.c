/* SPDX-License-Identifier: MIT */
/** @file
 *  __syncthreads() and its votes, and the barrier of a whole grid.
 *
 *  A barrier opens when as many threads have arrived as are alive.  The last
 *  to arrive goes straight on; the others wait for the block's epoch to rise.
 *
 *  When all threads are alive and do nothing else that waits, they are in
 *  step: each arrives once, in ring order, so whoever arrives knows without
 *  looking that the next one can run.  Anything else ends the step.
 */
#include "block.h"
#include "hooks.h"
#include "turn.h"

static void open_barrier(struct softgpu_block *b, const void *site)
{
    SOFTGPU_HOOK(barrier, (b, site));
    b->voted[0] = b->ayes;
    b->voted[1] = b->arrived;
    b->arrived = b->ayes = b->spun = 0;
    b->in_step = b->live == b->count && b->seed == 0;
    const uint32_t epoch = b->epoch;
    atomic_store_explicit(&b->epoch, epoch + 1, memory_order_relaxed);
}

void softgpu_barrier_exit(struct softgpu_block *b)
{
    if (b->arrived == b->live)
        open_barrier(b, NULL);
}

/* softcc promised that no thread of this kernel can stop. */
static void refuse_whole(void)
{
    softgpu_fail(SOFTGPU_LAUNCH_FAILURE,
                 "a barrier or warp call in a kernel that was compiled as "
                 "having none");
}

static inline void arrive(const void *site)
{
    struct softgpu_block *b = CURRENT_BLOCK;
    struct softgpu_thread *me = CURRENT_THREAD;
    if (++b->arrived == b->live) {
        if (__builtin_expect(b->whole, 0))
            refuse_whole();
        open_barrier(b, site);
        return;
    }
    me->site = site;
    set_wait(me, &b->epoch,
             atomic_load_explicit(&b->epoch, memory_order_relaxed));
    if (__builtin_expect(b->in_step, 1))
        softgpu_go(me, me + 1 == b->threads_end ? b->threads : me + 1);
    else
        softgpu_wait(me);
}

void softgpu_barrier(void)
{
    arrive(__builtin_return_address(0));
}

int softgpu_barrier_vote(enum softgpu_vote op, int predicate)
{
    struct softgpu_block *b = CURRENT_BLOCK;
    b->ayes += predicate != 0;
    arrive(__builtin_return_address(0));
    /* nobody can open the next barrier before this thread arrives there */
    switch (op) {
    case SOFTGPU_COUNT:
        return (int)b->voted[0];
    case SOFTGPU_AND:
        return b->voted[0] == b->voted[1];
    default:
        return b->voted[0] != 0;
    }
}

void softgpu_ordered(enum softgpu_ordering how, const volatile void *object,
                     uint64_t phase)
{
    if (CURRENT_BLOCK)
        SOFTGPU_HOOK(ordered, (how, object, phase));
}

/* --- the grid ------------------------------------------------------------ */

static void grid_check(struct run *run, uint64_t arrived)
{
    if (arrived + atomic_load(&run->finished) < run->blocks)
        return;
    /* several may see it: only one takes the count back to 0 */
    if (atomic_compare_exchange_strong(&run->grid_arrived, &arrived, 0))
        atomic_fetch_add(&run->grid_epoch, 1);
}

void softgpu_grid_barrier_exit(struct softgpu_block *b)
{
    struct run *run = b->worker->run;
    if (b->live == 0) { /* the block is over and counted as finished */
        const uint64_t arrived = atomic_load(&run->grid_arrived);
        if (arrived)
            grid_check(run, arrived);
    } else if (b->grid_arrived == b->live) {
        grid_check(run, atomic_fetch_add(&run->grid_arrived, 1) + 1);
    }
}

void softgpu_grid_barrier(void)
{
    struct softgpu_block *b = CURRENT_BLOCK;
    struct softgpu_thread *me = CURRENT_THREAD;
    struct run *run = b->worker->run;
    const uint32_t epoch = atomic_load(&run->grid_epoch);
    if (b->whole)
        refuse_whole();
    me->site = __builtin_return_address(0);
    if (!run->grid->cooperative)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE,
                     "a barrier of the grid, but the launch is not "
                     "cooperative");
    if (b->grid_epoch != epoch) {
        b->grid_epoch = epoch;
        b->grid_arrived = 0;
    }
    b->spun = 0;
    b->in_step = false;
    if (++b->grid_arrived == b->live)
        softgpu_grid_barrier_exit(b);
    set_wait(me, &run->grid_epoch, epoch);
    if (!is_runnable(me))
        softgpu_wait(me);
}

int softgpu_is_cooperative(void)
{
    return CURRENT_BLOCK && CURRENT_BLOCK->worker->run->grid->cooperative;
}
