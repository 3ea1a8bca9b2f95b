/* SPDX-License-Identifier: MIT */
/** @file
 *  __syncthreads() and its votes, and the barrier of a whole grid.
 *
 *  A barrier completes when all live threads have arrived.  The last thread
 *  to arrive continues at once; the others wait until the block's epoch has
 *  been incremented.
 *
 *  While all threads are live and wait for nothing else, they arrive in ring
 *  order (in_ring_order): then the successor of an arriving thread is known to
 *  be runnable, and no search is needed.  Any other wait ends that order.
 */
#include "block.h"
#include "hooks.h"
#include "thread_switch.h"

/* The last thread to arrive publishes the votes; the new epoch makes all others
 * runnable. */
static void complete_barrier(struct softgpu_block *b, const void *site)
{
    SOFTGPU_HOOK(barrier, (b, site));
    b->last_vote[0] = b->votes;
    b->last_vote[1] = b->arrived;
    b->arrived = b->votes = b->yield_count = 0;
    b->in_ring_order = b->live == b->count && b->seed == 0;
    const uint32_t epoch = b->epoch;
    atomic_store_explicit(&b->epoch, epoch + 1, memory_order_relaxed);
}

void softgpu_barrier_thread_exited(struct softgpu_block *b)
{
    if (b->arrived == b->live)
        complete_barrier(b, NULL);
}

/* softcc compiled the kernel as one that never waits. */
static void reject_thread_loop(void)
{
    softgpu_fail(SOFTGPU_LAUNCH_FAILURE,
                 "a barrier or warp call in a kernel that was compiled as "
                 "having none");
}

/* Count the calling thread, and unless it is the last one switch to another. */
static inline void arrive(const void *site)
{
    struct softgpu_block *b = CURRENT_BLOCK;
    struct softgpu_thread *me = CURRENT_THREAD;
    if (++b->arrived == b->live) {
        if (__builtin_expect(b->thread_loop, 0))
            reject_thread_loop();
        complete_barrier(b, site);
        return;
    }
    me->site = site;
    set_wait(me, &b->epoch,
             atomic_load_explicit(&b->epoch, memory_order_relaxed));
    if (__builtin_expect(b->in_ring_order, 1))
        softgpu_switch_to_thread(me, me + 1 == b->threads_end ? b->threads
                                                              : me + 1);
    else
        softgpu_suspend_thread(me);
}

void softgpu_barrier(void)
{
    arrive(__builtin_return_address(0));
}

/* Wait; then the result of all votes. */
static inline int arrive_and_vote(enum softgpu_vote op, uint32_t votes,
                                  const void *site)
{
    struct softgpu_block *b = CURRENT_BLOCK;
    b->votes += votes;
    arrive(site);
    /* the next barrier cannot complete before this thread arrives at it */
    switch (op) {
    case SOFTGPU_COUNT:
        return (int)b->last_vote[0];
    case SOFTGPU_AND:
        return b->last_vote[0] == b->last_vote[1];
    default:
        return b->last_vote[0] != 0;
    }
}

int softgpu_barrier_vote(enum softgpu_vote op, int predicate)
{
    return arrive_and_vote(op, predicate != 0, __builtin_return_address(0));
}

int softgpu_gang_vote(enum softgpu_vote op, uint32_t votes, uint32_t threads)
{
    if (op == SOFTGPU_AND) /* gangs are counted as threads are */
        votes = votes == threads;
    return arrive_and_vote(op, votes, __builtin_return_address(0));
}

void softgpu_kernel_end(void)
{
    if (CURRENT_BLOCK)
        SOFTGPU_HOOK(kernel_end, (__builtin_return_address(0)));
}

void softgpu_ordered(unsigned how, const volatile void *object,
                     uint64_t phase)
{
    if (CURRENT_BLOCK)
        SOFTGPU_HOOK(ordered, (how, object, phase));
}

/* --- the barrier of the grid --------------------------------------------- */

void softgpu_complete_grid_barrier(struct run *run, uint64_t arrived)
{
    if (arrived + atomic_load(&run->finished) < run->blocks)
        return;
    /* several workers may see this: only one resets the count */
    if (atomic_compare_exchange_strong(&run->grid_arrived, &arrived, 0))
        atomic_fetch_add(&run->grid_epoch, 1);
}

void softgpu_grid_barrier_thread_exited(struct softgpu_block *b)
{
    struct run *run = b->worker->run;
    if (b->live == 0) { /* the block has ended and counts as finished */
        const uint64_t arrived = atomic_load(&run->grid_arrived);
        if (arrived)
            softgpu_complete_grid_barrier(run, arrived);
    } else if (b->grid_arrived == b->live) {
        SOFTGPU_HOOK(grid_barrier, (b));
        softgpu_complete_grid_barrier(
            run, atomic_fetch_add(&run->grid_arrived, 1) + 1);
    }
}

void softgpu_grid_barrier(void)
{
    struct softgpu_block *b = CURRENT_BLOCK;
    struct softgpu_thread *me = CURRENT_THREAD;
    struct run *run = b->worker->run;
    const uint32_t epoch = atomic_load(&run->grid_epoch);
    if (b->thread_loop)
        reject_thread_loop();
    me->site = __builtin_return_address(0);
    if (!run->grid->cooperative)
        softgpu_fail(SOFTGPU_LAUNCH_FAILURE,
                     "a barrier of the grid, but the launch is not "
                     "cooperative");
    if (b->grid_epoch != epoch) {
        b->grid_epoch = epoch;
        b->grid_arrived = 0;
    }
    b->yield_count = 0;
    b->in_ring_order = false;
    if (++b->grid_arrived == b->live)
        softgpu_grid_barrier_thread_exited(b);
    set_wait(me, &run->grid_epoch, epoch);
    if (!is_runnable(me))
        softgpu_suspend_thread(me);
}

int softgpu_is_cooperative(void)
{
    return CURRENT_BLOCK && CURRENT_BLOCK->worker->run->grid->cooperative;
}
