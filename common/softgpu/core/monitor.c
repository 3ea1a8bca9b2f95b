/* SPDX-License-Identifier: MIT */
/** @file
 *  The monitor: a thread that looks every few milliseconds whether a worker
 *  still runs the same CUDA thread of the same block, and then sends a signal;
 *  the handler gives way if the code it stopped is the program's own.  So a
 *  loop on a plain load ends, though nothing in it calls the runtime.
 */
#define _GNU_SOURCE
#include "monitor.h"

#include <time.h>

enum {
    TICK_NS = 3000000,      /* two ticks on one thread, and it is stopped */
    HURRY_NS = 400000,      /* after an error, or when blocks take turns */
    LINGER_TICKS = 100      /* without a grid, before it sleeps */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;
static struct worker *workers;
static int worker_count;
static bool running;
static _Atomic bool asleep;

/* What it reads of a worker may be changing: a wrong guess costs one turn. */
static bool look_at(struct worker *w)
{
    if (!__atomic_load_n(&w->inside, __ATOMIC_ACQUIRE))
        return false;
    const struct softgpu_thread *thread = w->tls->thread;
    const struct softgpu_block *block = w->tls->block;
    const uint64_t linear = block ? block->linear : 0;
    const unsigned place = w->place->x;
    const bool error = atomic_load(&w->run->error) != 0;
    if (error || (thread && thread == w->seen && linear == w->seen_block
                  && place == w->seen_place))
        pthread_kill(w->os_thread, SOFTGPU_PREEMPT_SIGNAL);
    w->seen = thread;
    w->seen_block = linear;
    w->seen_place = place;
    return true;
}

static bool in_a_hurry(void)
{
    for (int i = 0; i < worker_count; i++)
        if (__atomic_load_n(&workers[i].inside, __ATOMIC_ACQUIRE)
            && (workers[i].resident > 1 || atomic_load(&workers[i].run->error)))
            return true;
    return false;
}

static void *watch(void *unused)
{
    (void)unused;
    for (int quiet = 0;;) {
        struct timespec tick = {0, in_a_hurry() ? HURRY_NS : TICK_NS};
        nanosleep(&tick, NULL);
        bool busy = false;
        for (int i = 0; i < worker_count; i++)
            busy |= look_at(&workers[i]);
        quiet = busy ? 0 : quiet + 1;
        if (quiet < LINGER_TICKS)
            continue;
        pthread_mutex_lock(&lock);
        atomic_store(&asleep, true);
        while (atomic_load(&asleep))
            pthread_cond_wait(&woken, &lock);
        pthread_mutex_unlock(&lock);
        quiet = 0;
    }
    return NULL;
}

static void start(void)
{
    pthread_t thread;
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    if (pthread_create(&thread, NULL, watch, NULL) == 0) {
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
        start();
    atomic_store(&asleep, false);
    pthread_cond_signal(&woken);
    pthread_mutex_unlock(&lock);
}

void softgpu_monitor_forget(void)
{
    running = false;
    atomic_store(&asleep, false);
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&woken, NULL);
}
