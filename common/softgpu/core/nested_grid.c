/* SPDX-License-Identifier: MIT */
/** @file
 *  A thread of a kernel waits for grids that it launched.
 *
 *  The trick: they run on the waiting thread's own stack and OS thread, below
 *  its call, as below that of a host thread.  The OS thread's worker is lent to
 *  them: its state is put aside, a fresh one is used in its place, with blocks
 *  and stacks of its own, and at the end the waiting blocks are found where
 *  they were.  Nothing else in the core knows of it.
 *
 *  A kernel that softcc has seen waiting runs on one OS thread, and the grids
 *  that it waits for may use all.  Where it waits in code that softcc has not
 *  seen, through a function pointer, several OS threads may wait at a time: one
 *  after the other runs its grids, alone.  The checks and the profiler, which
 *  look at one grid at a time, run every grid of such a program on one.
 */
#define _GNU_SOURCE
#include "nested_grid.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fault.h"
#include "fiber.h"
#include "hooks.h"

enum { LEVELS = 24 /* of launches, as in CUDA */ };

/* One level of grids that run while another waits; never freed. */
struct nesting {
    struct run run;       /* of its grids, one after the other */
    struct worker worker; /* while the level is not in use */
    struct worker *slot;  /* while it is: the worker in its place */
    struct nesting *outer; /* of the same OS thread */
    bool has_helpers;
};

/* What the waiting thread finds as it left it. */
struct waiting_state {
    struct softgpu_tls tls;
    uint3 thread, block;
    dim3 block_dim, grid_dim;
    const void *call_site, *copy_site, *announced_store;
    struct native_stack native;
    uint64_t cpu_ns;
};

static SOFTGPU_TLS struct nesting *current; /* of this OS thread */
static struct nesting *levels[LEVELS];
static unsigned level_count; /* in use */
static bool program_waits;
static pthread_mutex_t one_waits = PTHREAD_MUTEX_INITIALIZER;

struct run *softgpu_nested_run(struct worker **worker)
{
    if (!current)
        return NULL;
    *worker = current->slot;
    return &current->run;
}

void softgpu_announce_waits(void)
{
    program_waits = true;
}

bool softgpu_nesting_runs_alone(const struct softgpu_kernel *kernel)
{
    return (current && !current->has_helpers)
           || kernel->flags & SOFTGPU_WAITS_FOR_CHILDREN
           || (program_waits && softgpu_hooks);
}

void softgpu_nesting_after_fork(void)
{
    pthread_mutex_init(&one_waits, NULL);
    level_count = 0;
}

/* CPU time of this OS thread. */
static uint64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* From here on the OS thread is in host code. */
static struct waiting_state leave_thread(void)
{
    const struct waiting_state state = {
        softgpu_tls, threadIdx, blockIdx, blockDim, gridDim,
        softgpu_call_site, softgpu_copy_site, softgpu_announced_store,
        softgpu_fiber_set_native((struct native_stack){NULL, 0}), cpu_ns()};
    softgpu_announced_store = NULL;
    softgpu_tls.block = NULL;
    softgpu_tls.thread = NULL;
    return state;
}

static void return_to_thread(const struct waiting_state *state)
{
    softgpu_fiber_set_native(state->native);
    softgpu_call_site = state->call_site;
    softgpu_copy_site = state->copy_site;
    softgpu_announced_store = state->announced_store;
    threadIdx = state->thread;
    blockIdx = state->block;
    blockDim = state->block_dim;
    gridDim = state->grid_dim;
    softgpu_tls = state->tls;
}

/* The level below those in use. @return NULL without memory */
static struct nesting *next_level(void)
{
    if (level_count == LEVELS)
        return NULL;
    struct nesting *n = levels[level_count];
    if (!n && (n = aligned_alloc(_Alignof(struct nesting), sizeof *n)))
        levels[level_count] = memset(n, 0, sizeof *n);
    return n;
}

/* The monitor must not look at a worker that changes. */
static void exchange(struct worker *w, struct worker *with)
{
    const struct worker kept = *w;
    *w = *with;
    *with = kept;
}

static int call_body(struct nesting *n, struct worker *w,
                     int (*body)(void *), void *argument)
{
    __atomic_store_n(&w->inside, false, __ATOMIC_RELEASE);
    n->slot = w;
    exchange(w, &n->worker);
    n->outer = current;
    current = n;
    level_count++;
    const int error = body(argument);
    level_count--;
    current = n->outer;
    exchange(w, &n->worker);
    __atomic_store_n(&w->inside, true, __ATOMIC_RELEASE);
    return error;
}

/* End the grid, whose thread is the running one, with another grid's error. */
static void end_grid(struct run *run, int error)
{
    if (softgpu_fault_claim(run, error))
        run->fault.already_reported = true;
    softgpu_exit_fibers();
}

void softgpu_run_nested(int (*body)(void *argument), void *argument,
                        const void *site)
{
    struct worker *w = CURRENT_BLOCK->worker;
    struct run *run = w->run;
    const bool alone = run->workers == 1;
    CURRENT_THREAD->site = site;
    if (!alone)
        pthread_mutex_lock(&one_waits);
    struct nesting *n = next_level();
    int error = SOFTGPU_OUT_OF_MEMORY;
    if (n && !atomic_load(&run->error)) {
        n->has_helpers = alone && (current ? current->has_helpers
                                           : run->place == 0);
        SOFTGPU_HOOK(grid_waits, (run, 1));
        const struct waiting_state state = leave_thread();
        error = call_body(n, w, body, argument);
        atomic_fetch_sub(&run->cpu_ns, cpu_ns() - state.cpu_ns);
        return_to_thread(&state);
        SOFTGPU_HOOK(grid_waits, (run, 0));
    }
    if (!alone)
        pthread_mutex_unlock(&one_waits);
    if (error)
        end_grid(run, error);
}
