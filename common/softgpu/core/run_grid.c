/* SPDX-License-Identifier: MIT */
/** @file
 *  Running one grid on a pool of OS threads.
 *
 *  The caller is worker 0; the other workers ("helpers") sleep between grids.
 *  A helper that wakes up after all blocks have been claimed finds nothing to
 *  do, and the caller does not wait for it.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "block.h"
#include "code_range.h"
#include "fault.h"
#include "fiber.h"
#include "grid_ends.h"
#include "hooks.h"
#include "monitor.h"
#include "nested_grid.h"
#include "turns.h"

enum { WORKERS_MAX = 256, SPIN_NS = 20000 };

SOFTGPU_TLS struct softgpu_tls softgpu_tls;
SOFTGPU_TLS uint3 threadIdx;
SOFTGPU_TLS uint3 blockIdx;
SOFTGPU_TLS dim3 blockDim;
SOFTGPU_TLS dim3 gridDim;

const struct softgpu_hooks *softgpu_hooks;
SOFTGPU_TLS const void *softgpu_call_site;
SOFTGPU_TLS const void *softgpu_remote_site;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    struct run *run; /* the grid that helpers may join */
    int open_places; /* helpers that may still join it */
    int inside;      /* helpers that have joined it and not left */
    int started;     /* helper threads that exist */
} pool = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
          PTHREAD_COND_INITIALIZER, NULL, 0, 0, 0};
/* Those of the pool, then one for each grid that begins beside another. */
static struct worker workers[WORKERS_MAX + SOFTGPU_TURNS - 1];

int softgpu_hides_host_time;
static uint64_t last_end_ns; /* of a grid */
static uint64_t between_ns;  /* the time before the first grid, and between
                                any two of them */

/* Nanoseconds of a clock. */
static uint64_t clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int softgpu_worker_count(void)
{
    static int count;
    if (count)
        return count;
    const char *text = getenv("SOFTGPU_THREADS");
    cpu_set_t set;
    int n = text ? atoi(text) : 0;
    if (n < 1 && sched_getaffinity(0, sizeof set, &set) == 0)
        n = CPU_COUNT(&set);
    count = n < 1 ? 1 : n > WORKERS_MAX ? WORKERS_MAX : n;
    return count;
}

/* --- one worker ---------------------------------------------------------- */

void softgpu_run_worker(struct worker *w, struct run *run)
{
    const uint64_t start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    softgpu_fault_install_signal_stack();
    w->run = run;
    w->stacks = w->pools[run->gang_threads ? GANG_STACKS : THREAD_STACKS];
    w->tls = &softgpu_tls;
    w->block_idx = &blockIdx;
    w->os_thread = pthread_self();
    w->claim = w->claim_end = 0;
    w->quota = run->quota;
    blockDim = run->grid->block;
    gridDim = run->grid->grid;
    softgpu_turn_join(w);
    __atomic_store_n(&w->inside, true, __ATOMIC_RELEASE);
    softgpu_run_fibers(w);
    softgpu_tls.block = NULL;
    softgpu_tls.thread = NULL;
    if (w->resident) {
        softgpu_discard_blocks(w);
        softgpu_stack_pool_reset(w->stacks);
    }
    __atomic_store_n(&w->inside, false, __ATOMIC_RELEASE);
    softgpu_turn_leave(w);
    atomic_fetch_add(&run->cpu_ns, clock_ns(CLOCK_THREAD_CPUTIME_ID) - start);
}

/* Helper threads wait for a grid with an open place, and live until the process
 * ends. */
static void *helper_main(void *argument)
{
    struct worker *w = argument;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (!pool.run || pool.open_places <= 0)
            pthread_cond_wait(&pool.work, &pool.lock);
        struct run *run = pool.run;
        pool.open_places--;
        pool.inside++;
        pthread_mutex_unlock(&pool.lock);
        softgpu_run_worker(w, run);
        pthread_mutex_lock(&pool.lock);
        if (--pool.inside == 0)
            pthread_cond_signal(&pool.done);
    }
    return NULL;
}

/* --- the pool ------------------------------------------------------------ */

int softgpu_start_os_thread(void *(*body)(void *), void *argument)
{
    pthread_t thread;
    sigset_t blocked, old;
    sigfillset(&blocked);
    sigdelset(&blocked, SIGSEGV);
    sigdelset(&blocked, SIGBUS);
    sigdelset(&blocked, SIGFPE);
    sigdelset(&blocked, SIGILL);
    sigdelset(&blocked, SIGABRT);
    sigdelset(&blocked, SOFTGPU_PREEMPT_SIGNAL);
    pthread_sigmask(SIG_BLOCK, &blocked, &old);
    const int error = pthread_create(&thread, NULL, body, argument);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (!error)
        pthread_detach(thread);
    return error;
}

/* A worker gets its pools of stacks, still empty, when it is first used. */
static bool prepare_worker(struct worker *w)
{
    for (int kind = 0; kind < STACK_KINDS; kind++)
        if (!w->pools[kind]
            && !(w->pools[kind] = softgpu_stack_pool_new(kind)))
            return false;
    return true;
}

/* Only the forking thread exists in a child: the pool is empty there. */
static void reset_after_fork(void)
{
    softgpu_turns_after_fork();
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.work, NULL);
    pthread_cond_init(&pool.done, NULL);
    pool.run = NULL;
    pool.open_places = pool.inside = pool.started = 0;
    softgpu_nesting_after_fork();
    softgpu_monitor_after_fork();
}

/* Once a process, in the turn of the first launch. */
static void initialize_process(void)
{
    static bool done;
    if (done)
        return;
    done = true;
    softgpu_fault_install_handlers();
    pthread_atfork(NULL, NULL, reset_after_fork);
}

/* Start missing helpers and let as many take part as the grid needs. */
static void wake_helpers(struct run *run, int helpers)
{
    pthread_mutex_lock(&pool.lock);
    while (pool.started < helpers && prepare_worker(&workers[pool.started + 1])
           && !softgpu_start_os_thread(helper_main,
                                       &workers[pool.started + 1]))
        pool.started++;
    pool.run = run;
    pool.open_places = helpers < pool.started ? helpers : pool.started;
    if (pool.open_places == 1)
        pthread_cond_signal(&pool.work);
    else
        pthread_cond_broadcast(&pool.work);
    pthread_mutex_unlock(&pool.lock);
}

/* No more helpers may join; wait for those that have joined. */
static void wait_for_helpers(void)
{
    pthread_mutex_lock(&pool.lock);
    pool.run = NULL;
    pool.open_places = 0;
    while (pool.inside)
        pthread_cond_wait(&pool.done, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

/* --- one grid ------------------------------------------------------------ */

/* Static shared memory at 0, then dynamic memory, then that of functions;
 * after each an unused gap, so that an overrun reaches no other variable. */
static void layout_shared_memory(struct run *run)
{
    enum { ALIGN = SOFTGPU_SHARED_ALIGN, GAP = 128 };
    const struct softgpu_grid *grid = run->grid;
    uint32_t end = grid->kernel->static_shared;
    end = end ? (end + GAP + ALIGN - 1) & -(uint32_t)ALIGN : 0;
    run->dynamic_offset = end;
    end += grid->dynamic_bytes;
    end = (end + GAP + ALIGN - 1) & -(uint32_t)ALIGN;
    run->functions_offset = end;
    run->shared_bytes = end + softgpu_function_shared() + GAP;
}

/* Unset is 0. */
static uint64_t environment_number(const char *name)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : 0;
}

/* Do all thread indices of the grid fit an int, with a margin?  Thread loops
 * rely on it. */
static bool fits_int_indices(const struct softgpu_grid *grid)
{
    const uint64_t most = INT32_MAX - 1024;
    return (uint64_t)grid->grid.x * grid->block.x <= most
           && (uint64_t)grid->grid.y * grid->block.y <= most
           && (uint64_t)grid->grid.z * grid->block.z <= most;
}

/* May the kernel run as gangs?  Rows of a gang begin at multiples of 16 in x,
 * and indices fit an int. */
static bool fits_gangs(const struct softgpu_grid *grid)
{
    enum { ROW = 16, GRID_MAX = 1 << 19 };
    const dim3 block = grid->block, blocks = grid->grid;
    return grid->kernel->run_gang && block.x % ROW == 0
           && block.x * block.y * block.z % SOFTGPU_GANG_THREADS == 0
           && blocks.x <= GRID_MAX && blocks.y <= GRID_MAX
           && blocks.z <= GRID_MAX && !grid->cooperative;
}

/* The environment is read for each grid, so that a test can change it. */
static void initialize_run(struct run *run, struct softgpu_grid *grid,
                           unsigned place)
{
    memset(run, 0, sizeof *run);
    run->grid = grid;
    run->place = place;
    run->blocks = (uint64_t)grid->grid.x * grid->grid.y * grid->grid.z;
    run->seed = environment_number("SOFTGPU_SEED");
    run->poison = environment_number("SOFTGPU_POISON") != 0;
    run->thread_loop = grid->kernel->run && !run->seed && !softgpu_hooks
                 && fits_int_indices(grid);
    run->ends_only = run->blocks > SOFTGPU_GRID_ENDS && !grid->cooperative
                         ? (unsigned)environment_number("SOFTGPU_SPARSE") : 0;
    run->thread_loop &= !run->ends_only;
    const char *engine = getenv("SOFTGPU_ENGINE");
    if (fits_gangs(grid) && !run->seed && !softgpu_hooks && !run->ends_only
        && !(engine && strcmp(engine, "fibers") == 0)) {
        const dim3 block = grid->block;
        run->gang_threads = grid->kernel->gang_threads == SOFTGPU_WHOLE_BLOCK
                                ? block.x * block.y * block.z
                                : grid->kernel->gang_threads;
        run->thread_loop = false;
    }
    run->workers = (unsigned)softgpu_worker_count();
    if (run->ends_only || softgpu_nesting_runs_alone(grid->kernel)
        || (place > 0 && place < SOFTGPU_TURNS))
        run->workers = 1; /* a block after the other */
    if (run->blocks < run->workers)
        run->workers = (unsigned)run->blocks;
    /* cooperative blocks stay on the worker that starts them: balance them */
    run->quota = grid->cooperative ? (run->blocks + run->workers - 1)
                                         / run->workers
                                   : run->blocks;
    run->start_ns = clock_ns(CLOCK_MONOTONIC);
    layout_shared_memory(run);
    softgpu_find_program_code(grid->kernel->stub);
}

/* The thread that crashed is unknown, since its block ran as a thread loop or
 * in gangs: run the block again, thread by thread, until it crashes again.  The
 * error is then that of the thread. */
static void replay(struct run *failed, struct worker *w)
{
    static struct run again;
    again = *failed;
    atomic_store(&again.error, 0);
    memset(&again.fault, 0, sizeof again.fault);
    again.thread_loop = false;
    again.gang_threads = 0;
    again.quota = 1;
    again.place = SOFTGPU_TURNS;
    atomic_store(&again.claimed, failed->fault.linear);
    softgpu_run_worker(w, &again);
    failed->fault.has_thread = false;
    if (again.fault.has_thread) {
        failed->fault = again.fault;
        atomic_store(&failed->error, atomic_load(&again.error));
    }
}

/* The caller's part.  A helper that wakes up late leaves its quota
 * unclaimed. */
static void run_caller_blocks(struct run *run, struct worker *w)
{
    if (run->ends_only) {
        softgpu_run_ends(run, w);
        return;
    }
    do
        softgpu_run_worker(w, run);
    while (!atomic_load(&run->error)
           && atomic_load(&run->claimed) < run->blocks);
}

struct worker *softgpu_all_workers(int *count)
{
    *count = softgpu_worker_count() + SOFTGPU_TURNS - 1;
    return workers;
}

/* Run a grid; the caller is the worker `w`. */
static int run_grid(struct run *run, struct softgpu_grid *grid,
                    struct worker *w, unsigned place)
{
    int error = SOFTGPU_OUT_OF_MEMORY, count;
    initialize_run(run, grid, place);
    if (prepare_worker(w)) {
        struct worker *all = softgpu_all_workers(&count);
        softgpu_monitor_wake(all, count);
        SOFTGPU_HOOK(grid_begin, (run));
        if (run->workers > 1)
            wake_helpers(run, (int)run->workers - 1);
        run_caller_blocks(run, w);
        if (run->workers > 1)
            wait_for_helpers();
        error = atomic_load(&run->error);
    }
    if (error) {
        if (run->fault.replay)
            replay(run, w);
        error = atomic_load(&run->error);
        softgpu_report(run, error);
    }
    SOFTGPU_HOOK(grid_end, (run, error));
    grid->cpu_ns = atomic_load(&run->cpu_ns);
    grid->wall_ns = clock_ns(CLOCK_MONOTONIC) - run->start_ns;
    return error;
}

int softgpu_run_grid(struct softgpu_grid *grid)
{
    static struct run runs[SOFTGPU_TURNS];
    struct worker *w;
    struct run *nested_run = softgpu_nested_run(&w);
    const unsigned place = softgpu_turn_open(grid->device);
    if (nested_run)
        return run_grid(nested_run, grid, w, place);
    initialize_process();
    between_ns += clock_ns(CLOCK_MONOTONIC) - last_end_ns;
    w = place ? &workers[softgpu_worker_count() - 1 + (int)place] : workers;
    const int error = run_grid(&runs[place], grid, w, place);
    last_end_ns = clock_ns(CLOCK_MONOTONIC);
    softgpu_turn_close(place, error);
    return error;
}

/* --- clocks -------------------------------------------------------------- */

uint64_t softgpu_globaltimer(void)
{
    return clock_ns(CLOCK_REALTIME)
           - (softgpu_hides_host_time ? between_ns : 0);
}
