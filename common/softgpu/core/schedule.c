/* SPDX-License-Identifier: MIT */
/** @file
 *  Whose turn is it?  A thread that must wait looks for its successor itself
 *  and switches straight to it: the next thread of its block that can run, or
 *  one of another block, or the first of a new one.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <time.h>

#include "block.h"
#include "fault.h"
#include "fiber.h"
#include "turn.h"

const _Atomic uint32_t softgpu_never = 0;

/* The worker of this OS thread. */
static SOFTGPU_TLS struct worker *here;

/* Turns that each of a worker's blocks spends spinning before one more is
 * started beside them; a thread that a signal had to stop spent them all. */
enum { PATIENCE = 64 };

static void begin(struct softgpu_thread *t, struct stack *stack)
{
    CURRENT_BLOCK->started++;
    t->stack = stack;
    t->value = NOT_WAITING;
    CURRENT_THREAD = t;
    threadIdx = t->id;
    softgpu_tls.spin = SPINS_PER_TURN;
}

/* The running thread has returned. */
static void retire(struct softgpu_block *b, struct softgpu_thread *me)
{
    struct warp *warp = me->warp;
    set_wait(me, &softgpu_never, 0);
    me->sp = NULL;
    b->live--;
    b->spun = 0;
    b->in_step = false;
    warp->live &= ~(1u << lane_of(me));
    if (warp->used)
        softgpu_warp_exit(warp);
    if (b->arrived)
        softgpu_barrier_exit(b);
    if (b->grid_arrived && b->live)
        softgpu_grid_barrier_exit(b);
}

/* --- switching ----------------------------------------------------------- */

/* What a fresh stack runs: threads, one after the other, of any block. */
static void fiber_main(void);

/* Meanwhile no thread runs here, as a signal sees it. */
static struct stack *take_stack(struct softgpu_thread *me)
{
    CURRENT_THREAD = NULL;
    struct stack *stack = softgpu_stack_take(CURRENT_BLOCK->worker->stacks);
    CURRENT_THREAD = me;
    if (!stack)
        softgpu_fail(SOFTGPU_OUT_OF_MEMORY,
                     "no memory for the stack of one more thread");
    return stack;
}

void *softgpu_start(struct softgpu_thread *me, struct softgpu_thread *to)
{
    struct stack *stack = take_stack(me);
    void *fresh = softgpu_switch_prepare(stack->top, stack->bytes, fiber_main);
    begin(to, stack);
    return softgpu_fiber_switch(&me->sp, fresh, NULL, stack, false);
}

static void *go_or_start(struct softgpu_thread *me, struct softgpu_thread *to)
{
    if (to == me)
        return me->result;
    return to->sp ? softgpu_go(me, to) : softgpu_start(me, to);
}

/* --- whose turn ---------------------------------------------------------- */

/* A runnable thread from `from` round the ring, or NULL. */
static struct softgpu_thread *runnable(const struct softgpu_block *b,
                                       struct softgpu_thread *from)
{
    struct softgpu_thread *t = from;
    do {
        if (is_runnable(t))
            return t;
        t = next_of(b, t);
    } while (t != from);
    return NULL;
}

static struct softgpu_thread *in_block(struct softgpu_block *b,
                                       struct softgpu_thread *from)
{
    if (b->started < b->count)
        return b->order[b->started];
    return runnable(b, from);
}

/* The worker's next resident block where somebody can run.  The ring turns
 * forward and backward, since blocks may wait for each other in any order. */
static struct softgpu_thread *rotate(struct worker *w)
{
    for (uint32_t i = 0; i < w->resident; i++) {
        const bool back = w->turns++ / w->resident & 1;
        struct softgpu_block *b = back ? w->ring->previous : w->ring->next;
        w->ring = b;
        struct softgpu_thread *t = in_block(b, b->cursor);
        if (t) {
            softgpu_block_enter(b);
            return t;
        }
    }
    return NULL;
}

static bool may_start_beside(const struct worker *w)
{
    const struct softgpu_grid *grid = w->run->grid;
    const uint64_t threads =
        w->run->whole
            ? 1
            : (uint64_t)grid->block.x * grid->block.y * grid->block.z;
    return grid->cooperative
           || (w->resident + 1) * threads
                  <= softgpu_stacks_room(w->run->workers);
}

/* Begin a new block; in bursts that double, since blocks that wait for all
 * others to start would otherwise be started one turn apart. */
static struct softgpu_thread *new_block(struct worker *w)
{
    if (w->resident && !may_start_beside(w))
        return NULL;
    struct softgpu_block *b = softgpu_block_claim(w);
    if (!b)
        return NULL;
    if (w->burst)
        w->burst--;
    else
        w->burst = w->resident - 1;
    w->idle = 0;
    softgpu_block_enter(b);
    return b->order[0];
}

/* All wait for other OS threads. */
static void pause_outside(unsigned round)
{
    const struct timespec moment = {0, 20000};
    if (round < 100)
        sched_yield();
    else
        nanosleep(&moment, NULL);
}

static struct softgpu_thread *look_elsewhere(struct worker *w)
{
    for (unsigned round = 0;; round++) {
        if (atomic_load_explicit(&w->run->error, memory_order_relaxed))
            softgpu_abandon();
        struct softgpu_thread *t = NULL;
        const bool waited = w->idle++ >= PATIENCE * w->resident;
        if (waited || w->burst)
            t = new_block(w);
        if (!t && (t = rotate(w)) && waited && w->turns % PATIENCE == 0)
            sched_yield();
        if (!t)
            t = new_block(w);
        if (t || !w->resident)
            return t;
        pause_outside(round);
    }
}

/* The running block cannot usefully go on: who can?  NULL: the worker has no
 * block left.  The result's block is entered.  Meanwhile no thread runs here,
 * and a signal stops none. */
static struct softgpu_thread *elsewhere(struct worker *w)
{
    struct softgpu_thread *me = CURRENT_THREAD;
    CURRENT_THREAD = NULL;
    struct softgpu_thread *t = look_elsewhere(w);
    CURRENT_THREAD = me;
    return t;
}

/* Nobody in the block can run: what it waits for must be outside. */
static struct softgpu_thread *leave_block(struct softgpu_block *b,
                                          struct softgpu_thread *from)
{
    if (softgpu_warp_resolve(b))
        return runnable(b, from);
    if (!b->grid_arrived || b->grid_arrived != b->live)
        softgpu_fail_stuck(b);
    b->cursor = from;
    return elsewhere(b->worker);
}

static void *wait_outside(struct softgpu_block *b, struct softgpu_thread *me)
{
    return go_or_start(me, leave_block(b, me));
}

void *softgpu_wait(struct softgpu_thread *me)
{
    struct softgpu_block *b = CURRENT_BLOCK;
    if (b->started < b->count)
        return softgpu_start(me, b->order[b->started]);
    struct softgpu_thread *t = next_of(b, me);
    while (!is_runnable(t)) {
        if (t == me)
            return wait_outside(b, me);
        t = next_of(b, t);
    }
    if (t == me) /* another OS thread opened the grid's barrier just now */
        return me->result;
    return softgpu_go(me, t);
}

void softgpu_give_way(struct softgpu_thread *me, bool forced)
{
    struct softgpu_block *b = CURRENT_BLOCK;
    b->in_step = false;
    set_wait(me, &softgpu_never, NOT_WAITING);
    struct softgpu_thread *t = in_block(b, next_of(b, me));
    if (++b->spun > b->live || t == me) {
        /* all have given way since anything happened */
        b->spun = 0;
        softgpu_warp_resolve(b);
        b->cursor = next_of(b, me);
        b->worker->idle += forced ? PATIENCE : 0;
        t = elsewhere(b->worker);
    }
    go_or_start(me, t);
    softgpu_tls.spin = SPINS_PER_TURN;
}

void softgpu_yield(void)
{
    struct softgpu_thread *me = CURRENT_THREAD;
    softgpu_tls.spin = SPINS_PER_TURN;
    if (!CURRENT_BLOCK)
        return;
    me->site = __builtin_return_address(0);
    softgpu_give_way(me, false);
}

/* --- the life of a stack ------------------------------------------------- */

/* Leave this stack for good. */
static void leave_to(struct worker *w, struct stack *mine,
                     struct softgpu_thread *to)
{
    void *nowhere;
    softgpu_stack_give(w->stacks, mine);
    if (to) {
        prefetch_after(to);
        CURRENT_THREAD = to;
        threadIdx = to->id;
        softgpu_fiber_switch(&nowhere, to->sp, to->result, to->stack, true);
    }
    softgpu_fiber_switch(&nowhere, w->native, NULL, NULL, true);
}

/* A thread that has waited owns its stack and usually leaves it for another
 * that did.  It goes from here: the processor has long forgotten where `one`
 * returns to, and a return that was not foreseen costs as much as a barrier. */
void softgpu_finish(void)
{
    struct softgpu_block *b = CURRENT_BLOCK;
    struct softgpu_thread *me = CURRENT_THREAD;
    if (me->word == &softgpu_never || b->started < b->count)
        return;
    struct softgpu_thread *next = next_of(b, me);
    if (next == me || !is_runnable(next))
        return;
    retire(b, me);
    leave_to(here, me->stack, next);
}

/* Threads of the current block, one after the other, until none is left to
 * begin; the last one that ran. */
static struct softgpu_thread *run_threads(const struct run *run)
{
    struct softgpu_block *b = CURRENT_BLOCK;
    const struct softgpu_kernel *kernel = run->grid->kernel;
    const void *closure = run->grid->closure;
    if (b->whole) {
        softgpu_block_row(b);
        do
            kernel->run(closure);
        while (softgpu_block_again(b));
    }
    for (;;) {
        if (!b->whole)
            kernel->one(closure);
        struct softgpu_thread *me = CURRENT_THREAD;
        retire(b, me);
        if (b->started == b->count)
            return me;
        begin(b->order[b->started], me->stack);
    }
}

static void fiber_main(void)
{
    struct worker *w = here;
    softgpu_fiber_arrive();
    for (;;) {
        struct softgpu_thread *me = run_threads(w->run);
        struct softgpu_block *b = CURRENT_BLOCK;
        struct stack *mine = me->stack;
        struct softgpu_thread *t;
        if (b->live) {
            t = runnable(b, me);
            if (!t)
                t = leave_block(b, next_of(b, me));
        } else {
            softgpu_block_retire(b);
            t = elsewhere(w);
        }
        if (!t || t->sp)
            leave_to(w, mine, t);
        begin(t, mine);
    }
}

void softgpu_run_fibers(struct worker *w)
{
    w->idle = w->burst = 0;
    here = w;
    struct softgpu_block *b = softgpu_block_claim(w);
    if (!b)
        return;
    softgpu_block_enter(b);
    struct stack *stack = softgpu_stack_take(w->stacks);
    if (!stack) {
        atomic_store(&w->run->error, SOFTGPU_OUT_OF_MEMORY);
        return;
    }
    void *fresh = softgpu_switch_prepare(stack->top, stack->bytes, fiber_main);
    begin(b->order[0], stack);
    softgpu_fiber_switch(&w->native, fresh, NULL, stack, false);
    softgpu_fiber_home();
}

void softgpu_abandon(void)
{
    void *nowhere;
    softgpu_fiber_switch(&nowhere, here->native, NULL, NULL, true);
    __builtin_unreachable();
}
