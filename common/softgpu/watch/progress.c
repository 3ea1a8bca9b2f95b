/* SPDX-License-Identifier: MIT */
/* No progress: a thread of its own looks at a counter a few times a second. */
#include "progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "../core/fault.h"

enum { TICK_MS = 50, PATIENCE = 20 };

_Atomic uint32_t progress_count;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct run *running; /* under the lock */
static int started;

/** The wait seen last. */
static struct {
    uintptr_t code;
    uint3 block, thread;
} waits;

static double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double patience(void)
{
    const char *text = getenv("SOFTGPU_PATIENCE");
    const double seconds = text ? strtod(text, NULL) : 0;

    return seconds > 0 ? seconds : PATIENCE;
}

void progress_waits(const struct access *a)
{
    waits.block = a->block->block->index;
    waits.thread = softgpu_tls.thread->id;
    waits.code = a->code;
}

/* End the grid; the core's monitor stops who spins. */
static void end_grid(struct run *run)
{
    struct fault *fault = &run->fault;

    if (!softgpu_fault_claim(run, SOFTGPU_LAUNCH_TIMEOUT))
        return;
    fault->pc = waits.code ? (const void *)waits.code : run->grid->kernel->stub;
    fault->returns = waits.code != 0;
    fault->in_thread = waits.code != 0;
    fault->block = waits.block;
    fault->thread = waits.thread;
    snprintf(fault->text, sizeof fault->text,
             "threads wait for what never comes");
}

static void *watch(void *unused)
{
    const struct timespec tick = {0, TICK_MS * 1000000};
    const struct run *seen = NULL;
    uint32_t count = 0;
    double since = 0;

    for (;;) {
        nanosleep(&tick, NULL);
        pthread_mutex_lock(&lock);
        if (!running || running != seen || count != progress_count) {
            since = cpu_seconds();
            seen = running;
            count = progress_count;
        } else if (cpu_seconds() - since > patience()) {
            end_grid(running);
            since = cpu_seconds();
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void start(void)
{
    pthread_t thread;
    sigset_t all, old;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    if (pthread_create(&thread, NULL, watch, NULL) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    started = 1;
}

void progress_begin_grid(const struct run *run)
{
    pthread_mutex_lock(&lock);
    if (!started)
        start();
    running = (struct run *)run;
    waits.code = 0;
    progress_made();
    pthread_mutex_unlock(&lock);
}

void progress_end_grid(void)
{
    pthread_mutex_lock(&lock);
    running = NULL;
    pthread_mutex_unlock(&lock);
}
