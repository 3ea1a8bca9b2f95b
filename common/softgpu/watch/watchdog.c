/* SPDX-License-Identifier: MIT */
/* The watchdog: an OS thread that reads the counter every TICK_MS. */
#include "watchdog.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "common/softgpu/core/fault.h"

enum { TICK_MS = 50, DEFAULT_STALL_SECONDS = 20 };

_Atomic uint32_t watchdog_counter;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct run *running; /* guarded by `lock`; NULL: none */
static int started;

/** The last access that may poll. */
static struct {
    uintptr_t pc;
    uint3 block, thread;
} last_wait;

static double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double stall_limit(void)
{
    const char *text = getenv("SOFTGPU_PATIENCE");
    const double seconds = text ? strtod(text, NULL) : 0;

    return seconds > 0 ? seconds : DEFAULT_STALL_SECONDS;
}

void watchdog_note_wait(const struct access *a)
{
    last_wait.block = a->block->block->index;
    last_wait.thread = softgpu_tls.thread->id;
    last_wait.pc = a->pc;
}

/* End the grid; the core's monitor stops the threads that spin. */
static void stop_grid(struct run *run)
{
    struct fault *fault = &run->fault;

    if (!softgpu_fault_claim(run, SOFTGPU_LAUNCH_TIMEOUT))
        return;
    fault->pc = last_wait.pc ? (const void *)last_wait.pc
                             : run->grid->kernel->stub;
    fault->is_return_address = last_wait.pc != 0;
    fault->has_thread = last_wait.pc != 0;
    fault->block = last_wait.block;
    fault->thread = last_wait.thread;
    snprintf(fault->text, sizeof fault->text,
             "no progress: threads poll a value that no thread changes");
}

static void *watchdog_main(void *unused)
{
    const struct timespec tick = {0, TICK_MS * 1000000};
    const struct run *watched_run = NULL;
    uint32_t count = 0;
    double stalled_since = 0;

    for (;;) {
        nanosleep(&tick, NULL);
        pthread_mutex_lock(&lock);
        if (!running || running != watched_run || count != watchdog_counter) {
            stalled_since = cpu_seconds();
            watched_run = running;
            count = watchdog_counter;
        } else if (cpu_seconds() - stalled_since > stall_limit()) {
            stop_grid(running);
            stalled_since = cpu_seconds();
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void start_watchdog(void)
{
    pthread_t thread;
    sigset_t all, old;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    if (pthread_create(&thread, NULL, watchdog_main, NULL) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    started = 1;
}

void watchdog_begin_grid(const struct run *run)
{
    pthread_mutex_lock(&lock);
    if (!started)
        start_watchdog();
    running = (struct run *)run;
    last_wait.pc = 0;
    watchdog_progress();
    pthread_mutex_unlock(&lock);
}

void watchdog_end_grid(void)
{
    pthread_mutex_lock(&lock);
    running = NULL;
    pthread_mutex_unlock(&lock);
}
