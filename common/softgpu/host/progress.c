/* SPDX-License-Identifier: MIT */
/* The OS thread that runs queued commands while no host thread waits. */
#include "progress.h"

#include <stdlib.h>
#include <time.h>

#include "common/softgpu/core/core.h"
#include "call.h"
#include "query.h"
#include "stream.h"
#include "user_object.h"

enum {
    TICK_NS = 2000000,
    IDLE_TICKS = 10,      /* without commands, before the thread sleeps */
    PATIENCE_MS = 100,    /* of a command, before it runs by itself */
    CHECKED_MS = 1000,    /* in an instrumented program, which is slower */
    LONG_TICKS = 30000,   /* of one command */
    EXIT_SECONDS = 10     /* for one command when the program ends */
};

static pthread_cond_t queued = PTHREAD_COND_INITIALIZER;
static int started, asleep; /* OS threads: any, and those that sleep */
static int watching; /* those that run no command */
static int is_running_queued; /* 1: an OS thread is in run_queued() */
static int patience = -1; /* ticks; 0: commands run only when waited for */
static uint64_t forked_at; /* commands up to this number are the parent's */

static int read_patience(void)
{
    const char *text = getenv("SOFTGPU_PROGRESS");
    const int standard = softgpu_hooks ? CHECKED_MS : PATIENCE_MS;
    const int ms = text && *text ? atoi(text) : standard;
    const int ticks = (int)((long)ms * 1000000 / TICK_NS);
    return ms <= 0 ? 0 : ticks < 1 ? 1 : ticks;
}

static void *progress_main(void *unused);

int softgpu_progress_is_on(void)
{
    return patience != 0;
}

void softgpu_progress_leave(void)
{
    if (--watching == 0 && !softgpu_start_os_thread(progress_main, NULL))
        watching++;
}

void softgpu_progress_return(void)
{
    watching++;
}

/* Run the commands that are queued now.  The lock is held, and released while
 * a command runs.  Meanwhile another OS thread runs what can run beside. */
static void run_queued(void)
{
    const uint64_t last = softgpu_last_command();
    patience = 1;
    if (is_running_queued)
        return;
    softgpu_progress_leave();
    is_running_queued = 1;
    while (softgpu_oldest_command() && softgpu_oldest_command() <= last) {
        softgpu_run_oldest();
        struct CUuserObject_st *due = softgpu_objects_to_destroy();
        if (!due)
            continue;
        pthread_mutex_unlock(&softgpu_lock);
        softgpu_objects_destroy(due);
        pthread_mutex_lock(&softgpu_lock);
    }
    is_running_queued = 0;
    softgpu_progress_return();
}

/* Let a tick pass without the lock. */
static void wait_tick(void)
{
    const struct timespec tick = {0, TICK_NS};
    pthread_mutex_unlock(&softgpu_lock);
    nanosleep(&tick, NULL);
    pthread_mutex_lock(&softgpu_lock);
}

/* One command has run for many ticks. */
static void report_long_command(void)
{
    static int done;
    if (!done++)
        softgpu_report_oldest(
            "this command has run for a minute; if it waits for a later "
            "command of its stream, or for one that is not ready, it does not "
            "end on a card either (softcc --check names the line)");
}

static void *progress_main(void *unused)
{
    int idle = 0, stalled = 0, running = 0;
    uint64_t oldest = 0;
    pthread_mutex_lock(&softgpu_lock);
    for (;;) {
        while (!softgpu_oldest_command() && idle >= IDLE_TICKS) {
            asleep++;
            pthread_cond_wait(&queued, &softgpu_lock);
            asleep--;
            idle = softgpu_oldest_command() ? 0 : idle;
        }
        wait_tick();
        const uint64_t now = softgpu_oldest_command();
        idle = now ? 0 : idle + 1;
        stalled = now == oldest && !softgpu_is_running() ? stalled + 1 : 0;
        running = now == oldest && softgpu_is_running() ? running + 1 : 0;
        if (running == LONG_TICKS)
            report_long_command();
        oldest = now;
        if ((running >= patience && !softgpu_hooks)
            || softgpu_grids_are_stalled())
            while (softgpu_run_beside())
                ;
        if (!now || stalled < patience)
            continue;
        run_queued();
        stalled = 0;
    }
    return unused;
}

static void before_fork(void)
{
    pthread_mutex_lock(&softgpu_lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&softgpu_lock);
}

static void after_fork_in_child(void)
{
    started = asleep = watching = is_running_queued = 0;
    forked_at = softgpu_last_command();
    pthread_cond_init(&queued, NULL);
    softgpu_queues_after_fork();
    softgpu_query_after_fork();
    pthread_mutex_unlock(&softgpu_lock);
}

static void start_thread(void)
{
    static int fork_is_handled;
    if (!fork_is_handled)
        pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    fork_is_handled = 1;
    started = softgpu_start_os_thread(progress_main, NULL) == 0;
    watching += started;
}

void softgpu_progress_notify(void)
{
    if (!patience)
        return;
    if (!started)
        start_thread();
    if (asleep)
        pthread_cond_broadcast(&queued);
}

/* Wait until the oldest command has changed.  @return 0 if it takes too long */
static int wait_for_one_command(uint64_t oldest)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += EXIT_SECONDS;
    int error = 0;
    while (!error && softgpu_oldest_command() == oldest)
        error = softgpu_wait_for_runner(&until);
    return softgpu_oldest_command() != oldest;
}

/* Let all queued commands run before the program ends. */
static void run_all_at_exit(void)
{
    if (!patience || softgpu_tls.block || softgpu_in_callback())
        return;
    pthread_mutex_lock(&softgpu_lock);
    if (softgpu_oldest_command() && softgpu_last_command() > forked_at) {
        patience = 1;
        softgpu_progress_notify();
        uint64_t oldest;
        while (started && (oldest = softgpu_oldest_command()) != 0)
            if (!wait_for_one_command(oldest)) {
                softgpu_report_oldest("the program ends while this command "
                                      "runs, and nothing waits for it");
                break;
            }
    }
    pthread_mutex_unlock(&softgpu_lock);
}

void softgpu_progress_initialize(void)
{
    patience = read_patience();
    atexit(run_all_at_exit);
}
