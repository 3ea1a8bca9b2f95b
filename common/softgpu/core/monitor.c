/* SPDX-License-Identifier: MIT */
/** @file
 *  The monitor: an OS thread that checks every few milliseconds whether a
 *  worker still runs the same CUDA thread of the same block.  If so it sends a
 *  signal, whose handler yields if it has interrupted the program's own code.
 *  So a loop that spins on a plain load ends, though it never calls the
 *  runtime.
 */
#define _GNU_SOURCE
#include "monitor.h"

#include <time.h>

enum {
    TICK_NS = 3000000,      /* a thread that runs for two ticks is preempted */
    FAST_TICK_NS = 400000,  /* after an error, or with several blocks */
    IDLE_TICKS = 100        /* without a grid, before the monitor sleeps */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;
static struct worker *workers;
static int worker_count;
static bool running;
static _Atomic bool asleep;

/* The worker may change what is read here: an error costs one preemption. */
static bool check_worker(struct worker *w)
{
    if (!__atomic_load_n(&w->inside, __ATOMIC_ACQUIRE))
        return false;
    const struct softgpu_thread *thread = w->tls->thread;
    const struct softgpu_block *block = w->tls->block;
    const uint64_t linear = block ? block->linear : 0;
    const unsigned block_idx = w->block_idx->x;
    const bool error = atomic_load(&w->run->error) != 0;
    if (error || (thread && thread == w->last_thread && linear == w->last_block
                  && block_idx == w->last_block_x))
        pthread_kill(w->os_thread, SOFTGPU_PREEMPT_SIGNAL);
    w->last_thread = thread;
    w->last_block = linear;
    w->last_block_x = block_idx;
    return true;
}

/* Blocks may wait for each other only where several are resident. */
static bool needs_fast_tick(void)
{
    for (int i = 0; i < worker_count; i++)
        if (__atomic_load_n(&workers[i].inside, __ATOMIC_ACQUIRE)
            && (workers[i].resident > 1 || atomic_load(&workers[i].run->error)))
            return true;
    return false;
}

/* Look at each worker once a tick; sleep when none runs a kernel. */
static void *monitor_main(void *unused)
{
    (void)unused;
    for (int idle_ticks = 0;;) {
        struct timespec tick = {0, needs_fast_tick() ? FAST_TICK_NS : TICK_NS};
        nanosleep(&tick, NULL);
        bool busy = false;
        for (int i = 0; i < worker_count; i++)
            busy |= check_worker(&workers[i]);
        idle_ticks = busy ? 0 : idle_ticks + 1;
        if (idle_ticks < IDLE_TICKS)
            continue;
        pthread_mutex_lock(&lock);
        atomic_store(&asleep, true);
        while (atomic_load(&asleep))
            pthread_cond_wait(&woken, &lock);
        pthread_mutex_unlock(&lock);
        idle_ticks = 0;
    }
    return NULL;
}

/* The program's signals must reach its own threads, not this one. */
static void start_monitor_thread(void)
{
    pthread_t thread;
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    if (pthread_create(&thread, NULL, monitor_main, NULL) == 0) {
        pthread_detach(thread);
        running = true;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void softgpu_monitor_wake(struct worker *all, int count)
{
    if (running && !atomic_load(&asleep))
        return;
    pthread_mutex_lock(&lock);
    workers = all;
    worker_count = count;
    if (!running)
        start_monitor_thread();
    atomic_store(&asleep, false);
    pthread_cond_signal(&woken);
    pthread_mutex_unlock(&lock);
}

void softgpu_monitor_after_fork(void)
{
    running = false;
    atomic_store(&asleep, false);
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&woken, NULL);
}
