/* SPDX-License-Identifier: MIT */
/** @file
 *  The scheduler.  A thread that blocks or yields picks the next runnable
 *  thread and switches to it directly: the next one of its block's ring, else
 *  one of another block (next_block.c).  There is no ready queue: a thread is
 *  runnable when its wait word has changed.
 */
#include <signal.h>

#include "block.h"
#include "fault.h"
#include "fiber.h"
#include "hooks.h"
#include "next_block.h"
#include "thread_switch.h"
#include "turns.h"

const _Atomic uint32_t softgpu_wait_forever = 0;

/* The worker of this OS thread. */
static SOFTGPU_TLS struct worker *current_worker;

/* A thread gets its stack when it starts, not before. */
static void begin_thread(struct softgpu_thread *t, struct stack *stack)
{
    CURRENT_BLOCK->started++;
    t->stack = stack;
    t->wait_value = NOT_WAITING;
    CURRENT_THREAD = t;
    threadIdx = t->id;
    softgpu_tls.spin = SPINS_BEFORE_YIELD;
}

/* The running thread has returned: update its warp, block and barriers. */
static void retire_thread(struct softgpu_block *b, struct softgpu_thread *me)
{
    struct warp *warp = me->warp;
    set_wait(me, &softgpu_wait_forever, 0);
    me->sp = NULL;
    b->live--;
    b->yield_count = b->rounds = 0;
    b->in_ring_order = false;
    warp->live &= ~(1u << lane_of(me));
    if (warp->slot_count)
        softgpu_warp_lane_exited(warp);
    if (b->arrived)
        softgpu_barrier_thread_exited(b);
    if (b->uses_numbered)
        softgpu_numbered_barriers_thread_exited(b);
    if (b->grid_arrived && b->live)
        softgpu_grid_barrier_thread_exited(b);
}

/* --- thread switches ----------------------------------------------------- */

/* Entry of a fresh stack: runs threads of any block, one after the other. */
static void fiber_main(void);

/* CURRENT_THREAD is NULL meanwhile, so that a signal does not preempt it. */
static struct stack *acquire_stack(struct softgpu_thread *me)
{
    CURRENT_THREAD = NULL;
    struct stack *stack = softgpu_stack_acquire(CURRENT_BLOCK->worker->stacks);
    CURRENT_THREAD = me;
    if (!stack)
        softgpu_fail(SOFTGPU_OUT_OF_MEMORY,
                     "no memory for the stack of one more thread");
    return stack;
}

void *softgpu_start_thread(struct softgpu_thread *me, struct softgpu_thread *to)
{
    struct stack *stack = acquire_stack(me);
    void *fresh = softgpu_switch_prepare(stack->top, stack->bytes, fiber_main);
    begin_thread(to, stack);
    return softgpu_fiber_switch(&me->sp, fresh, NULL, stack, false);
}

/* Switch to a thread that has run before, or start it on a new stack. */
static void *resume_thread(struct softgpu_thread *me, struct softgpu_thread *to)
{
    if (to == me)
        return me->result;
    return to->sp ? softgpu_switch_to_thread(me, to)
                  : softgpu_start_thread(me, to);
}

/* --- waiting -------------------------------------------------------------- */

/* Do all threads of the block wait at the current barrier of the grid?  The
 * count of a barrier that is complete stays until the next one. */
static bool waits_for_grid(const struct softgpu_block *b)
{
    return b->grid_arrived == b->live
           && b->grid_epoch == atomic_load(&b->worker->run->grid_epoch);
}

/* No thread of the block is runnable: it waits for other blocks at the grid
 * barrier, or it is deadlocked. */
static struct softgpu_thread *wait_in_other_block(struct softgpu_block *b,
                                                  struct softgpu_thread *from)
{
    if (softgpu_complete_active_masks(b))
        return find_runnable(b, from);
    if (!waits_for_grid(b)) {
        /* another OS thread may have completed the barrier just now */
        struct softgpu_thread *t = find_runnable(b, from);
        if (t)
            return t;
        softgpu_fail_deadlock(b);
    }
    b->scan_start = from;
    return softgpu_leave_block(b->worker);
}

/* The thread cannot go on, nor any other of its block. */
static void *switch_from_block(struct softgpu_block *b,
                               struct softgpu_thread *me)
{
    return resume_thread(me, wait_in_other_block(b, me));
}

void *softgpu_suspend_thread(struct softgpu_thread *me)
{
    struct softgpu_block *b = CURRENT_BLOCK;
    if (b->started < b->count)
        return softgpu_start_thread(me, b->start_order[b->started]);
    struct softgpu_thread *t = next_of(b, me);
    while (!is_runnable(t)) {
        if (t == me)
            return switch_from_block(b, me);
        t = next_of(b, t);
    }
    if (t == me) /* another OS thread just completed the grid barrier */
        return me->result;
    return softgpu_switch_to_thread(me, t);
}

/* A thread that is preempted while all others wait may poll, or just run for
 * long: after so many preemptions lanes that wait for it in __activemask() go
 * on without it. */
enum { LONG_RUN = 64 };

/* One thread polls, and a barrier or warp call of its loop tells the others:
 * after so many yields with such a call between them, other blocks run. */
enum {
    POLLING_ROUNDS = 32,
    POLLED_TURNS = SPIN_TURNS / 4 /* that they count for: see next_block.h */
};

/* Spins before the next yield: the fewer, the longer one thread polls.  Several
 * yields without a call between them are of threads that work. */
static int spins_left(const struct softgpu_block *b)
{
    enum { MOST_HALVINGS = 5 };
    if (b->yield_count > 1)
        return SPINS_BEFORE_YIELD;
    return SPINS_BEFORE_YIELD
           >> (b->rounds < MOST_HALVINGS ? b->rounds : MOST_HALVINGS);
}

void softgpu_yield_thread(struct softgpu_thread *me, bool forced)
{
    struct softgpu_block *b = CURRENT_BLOCK;
    b->in_ring_order = false;
    note_yield(b->worker, forced);
    set_wait(me, &softgpu_wait_forever, NOT_WAITING);
    struct softgpu_thread *t = find_thread_to_run(b, next_of(b, me));
    b->rounds += b->yield_count == 0;
    /* have all threads yielded since the last progress? */
    const bool all = ++b->yield_count > b->live || t == me;
    if (all || b->rounds > POLLING_ROUNDS) {
        b->yield_count = b->rounds = 0;
        if (!all || !forced || t != me || ++b->long_runs > LONG_RUN)
            softgpu_complete_active_masks(b);
        b->scan_start = next_of(b, me);
        t = forced ? softgpu_poll_again(b) : NULL;
        if (!t) {
            b->worker->idle_turns += forced ? SPIN_TURNS
                                     : all ? 0 : POLLED_TURNS;
            t = softgpu_leave_block(b->worker);
        }
    }
    softgpu_tls.spin = spins_left(b);
    resume_thread(me, t);
    softgpu_tls.spin = spins_left(b);
}

void softgpu_preempt(void)
{
    struct softgpu_thread *me = CURRENT_THREAD;
    if (CURRENT_BLOCK && me && !CURRENT_BLOCK->thread_loop)
        softgpu_yield_thread(me, true);
}

void softgpu_yield(void)
{
    struct softgpu_thread *me = CURRENT_THREAD;
    if (!CURRENT_BLOCK) {
        softgpu_tls.spin = SPINS_BEFORE_YIELD;
        return;
    }
    me->site = __builtin_return_address(0);
    softgpu_yield_thread(me, false);
}

/* --- stacks and their threads -------------------------------------------- */

/* Release this stack and switch to a thread, or to the native stack. */
static void exit_to_thread(struct worker *w, struct stack *mine,
                           struct softgpu_thread *to)
{
    void *discarded_sp;
    softgpu_stack_release(w->stacks, mine);
    if (to) {
        prefetch_after(to);
        CURRENT_THREAD = to;
        threadIdx = to->id;
        softgpu_fiber_switch(&discarded_sp, to->sp, to->result, to->stack,
                             true);
    }
    softgpu_fiber_switch(&discarded_sp, w->native_sp, NULL, NULL, true);
}

/* A thread that has waited owns its stack, and its successor usually has one,
 * too: switch from here.  A return through the kernel's entry would be
 * mispredicted, because many switches have happened since the call, and that
 * costs as much as a barrier. */
void softgpu_thread_exit(void)
{
    struct softgpu_block *b = CURRENT_BLOCK;
    struct softgpu_thread *me = CURRENT_THREAD;
    if (me->wait_word == &softgpu_wait_forever || b->started < b->count)
        return;
    struct softgpu_thread *next = next_of(b, me);
    if (next == me || !is_runnable(next))
        return;
    retire_thread(b, me);
    exit_to_thread(current_worker, me->stack, next);
}

/* Start the next thread of the block on a stack of its own. */
static void exit_to_new_thread(struct worker *w, struct softgpu_block *b,
                               struct softgpu_thread *me)
{
    void *discarded_sp;
    struct stack *mine = me->stack, *stack = acquire_stack(me);
    void *fresh = softgpu_switch_prepare(stack->top, stack->bytes, fiber_main);
    begin_thread(b->start_order[b->started], stack);
    softgpu_stack_release(w->stacks, mine);
    softgpu_fiber_switch(&discarded_sp, fresh, NULL, stack, true);
}

void softgpu_end_failed_thread(void)
{
    struct softgpu_block *b = CURRENT_BLOCK;
    struct softgpu_thread *me = CURRENT_THREAD, *t;
    if (b->thread_loop || softgpu_hooks)
        softgpu_exit_fibers();
    retire_thread(b, me);
    if (!b->live)
        softgpu_exit_fibers();
    if (b->started < b->count)
        exit_to_new_thread(current_worker, b, me);
    t = find_runnable(b, me);
    if (!t)
        t = wait_in_other_block(b, next_of(b, me));
    exit_to_thread(current_worker, me->stack, t);
    __builtin_unreachable();
}

/* Run threads of the current block, one after the other, until all have
 * started.  Returns the thread that ran last. */
static struct softgpu_thread *run_threads(const struct run *run)
{
    struct softgpu_block *b = CURRENT_BLOCK;
    const struct softgpu_kernel *kernel = run->grid->kernel;
    const void *closure = run->grid->closure;
    void (*const run_one)(const void *) = b->gang_threads ? kernel->run_gang
                                                          : kernel->run_thread;
    if (b->thread_loop) {
        softgpu_claim_batch(b);
        do
            kernel->run(closure);
        while (softgpu_claim_next_batch(b));
    }
    for (;;) {
        if (!b->thread_loop)
            run_one(closure);
        struct softgpu_thread *me = CURRENT_THREAD;
        retire_thread(b, me);
        if (b->started == b->count)
            return me;
        begin_thread(b->start_order[b->started], me->stack);
    }
}

/* Each fiber runs threads to their ends, one after another, and takes the next
 * from its own block first. */
static void fiber_main(void)
{
    struct worker *w = current_worker;
    softgpu_fiber_finish_entry();
    for (;;) {
        struct softgpu_thread *me = run_threads(w->run);
        struct softgpu_block *b = CURRENT_BLOCK;
        struct stack *mine = me->stack;
        struct softgpu_thread *t;
        if (b->live) {
            t = find_runnable(b, me);
            if (!t)
                t = wait_in_other_block(b, next_of(b, me));
        } else {
            softgpu_retire_block(b);
            t = softgpu_leave_block(w);
        }
        if (!t || t->sp)
            exit_to_thread(w, mine, t);
        begin_thread(t, mine);
    }
}

static void run_on_fibers(struct worker *w)
{
    w->idle_turns = w->start_burst = 0;
    current_worker = w;
    struct softgpu_block *b = softgpu_claim_block(w);
    if (!b)
        return;
    softgpu_make_block_current(b);
    struct stack *stack = softgpu_stack_acquire(w->stacks);
    if (!stack) {
        atomic_store(&w->run->error, SOFTGPU_OUT_OF_MEMORY);
        return;
    }
    void *fresh = softgpu_switch_prepare(stack->top, stack->bytes, fiber_main);
    begin_thread(b->start_order[0], stack);
    softgpu_fiber_switch(&w->native_sp, fresh, NULL, stack, false);
    softgpu_fiber_finish_exit();
}

/* Run blocks of a library's call.  Only a fault's signal may arrive: kernels
 * that oneDNN compiles keep other values in the stack pointer, and the frame of
 * a handler would overwrite the heap. */
static void run_library(struct worker *w)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL,
                                 SIGABRT, SIGTRAP, SIGSYS};
    sigset_t blocked, old;

    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&blocked, faults[i]);
    pthread_sigmask(SIG_BLOCK, &blocked, &old);
    run_on_fibers(w);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void softgpu_run_fibers(struct worker *w)
{
    if (w->run->grid->kernel->flags & SOFTGPU_LIBRARY)
        run_library(w);
    else
        run_on_fibers(w);
}

void softgpu_exit_fibers(void)
{
    void *discarded_sp;
    softgpu_fiber_switch(&discarded_sp, current_worker->native_sp, NULL, NULL,
                         true);
    __builtin_unreachable();
}
