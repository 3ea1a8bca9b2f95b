/* SPDX-License-Identifier: MIT */
/* The OS thread that runs the command of a query. */
#include "query.h"

#include <pthread.h>

#include "common/softgpu/core/core.h"
#include "call.h"
#include "progress.h"

enum {
    TICK_NS = 2000000,
    LONG_TICKS = 50,          /* a query waits no longer for a command */
    LONG_CHECKED_TICKS = 500  /* in an instrumented program */
};

static pthread_cond_t asked = PTHREAD_COND_INITIALIZER;
static int started;
static int is_asked; /* 1: until the command of the query has ended */
static struct softgpu_stream_position target;

static void *query_main(void *unused)
{
    pthread_mutex_lock(&softgpu_lock);
    for (;;) {
        while (!is_asked)
            pthread_cond_wait(&asked, &softgpu_lock);
        softgpu_run_piece(target);
        is_asked = 0;
    }
    return unused;
}

void softgpu_query_run(struct softgpu_stream_position position)
{
    const int most = softgpu_hooks ? LONG_CHECKED_TICKS : LONG_TICKS;
    if (softgpu_progress_is_on() && !started)
        started = softgpu_start_os_thread(query_main, NULL) == 0;
    if (!softgpu_progress_is_on() || !started) {
        softgpu_run_piece(position);
        return;
    }
    if (!is_asked) { /* else by another host thread, or one that runs yet */
        target = position;
        is_asked = 1;
        pthread_cond_signal(&asked);
    }
    for (int i = 0; i < most && is_asked && !softgpu_is_reached(position)
                    && !softgpu_grids_are_stalled(); i++)
        softgpu_wait_a_tick(TICK_NS);
}

void softgpu_query_after_fork(void)
{
    started = is_asked = 0;
    pthread_cond_init(&asked, NULL);
}
